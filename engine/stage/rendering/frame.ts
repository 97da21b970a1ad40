import { NeutralToneMapping, PCFShadowMap, WebGLRenderer } from 'three';
import type { Element } from '../../document/element.ts';
import { sourceOf } from '../../document/source.ts';

/** Sandbox permissions of an embedded page. */
const PAGE_RIGHTS = 'allow-scripts allow-forms allow-popups allow-pointer-lock';

/**
 * URL and sandbox of an element's embedded page. Uploaded pages get an opaque origin: with this site's origin, their
 * scripts could act as the visitor and remove the sandbox.
 * @returns an empty URL if there is none
 */
export function framedPage(element: Element): { address: string; sandbox: string } {
  const address = sourceOf(element);
  const isGiven = 'src' in element.config && element.config.src === address;
  const isForeign = isGiven && new URL(address, location.href).origin !== location.origin;
  return { address, sandbox: isForeign ? `${PAGE_RIGHTS} allow-same-origin` : PAGE_RIGHTS };
}

/** Feature policy of an embedded player. */
const PLAYER_RIGHTS = 'autoplay; encrypted-media; fullscreen; picture-in-picture';

/** A panel that contains a frame or a video. */
export function holderOf(content: HTMLElement, type: string): HTMLElement {
  const holder = document.createElement('div');
  holder.className = `stage-panel stage-frame stage-${type}`;
  holder.append(content);
  return holder;
}

/** An iframe for a third-party player, without its URL. @param name for screen readers */
export function playerFrame(name: string): HTMLIFrameElement {
  const frame = document.createElement('iframe');
  frame.allow = PLAYER_RIGHTS;
  frame.allowFullscreen = true;
  // Platforms refuse to play without a referrer.
  frame.referrerPolicy = 'strict-origin-when-cross-origin';
  frame.title = name;
  return frame;
}

/**
 * Loads a page in an iframe.
 * @returns a function that unloads it. The iframe is reinserted, because navigating it would add a history entry.
 */
export async function showPage(frame: HTMLIFrameElement, address: string): Promise<() => void> {
  frame.src = address;
  return () => {
    const holder = frame.parentNode;
    frame.remove();
    frame.removeAttribute('src');
    holder?.append(frame);
  };
}

/** Size of a player's panel in units; defaults to 16:9. */
export function panelSize(element: { width: number | null; height: number | null }): { width: number; height: number } {
  const { width, height } = element;
  if (width !== null) return { width, height: height ?? (width * 9) / 16 };
  return height === null ? { width: 640, height: 360 } : { width: (height * 16) / 9, height };
}

/** Milliseconds between ticks while idle: visibility windows are checked once a second. */
const IDLE_TICK = 1000;
/** Maximum time step in seconds, so that animation resumes where it was after a suspension. */
const MAX_STEP = 0.1;

/** Runs a step per frame while frames are needed, and one per second otherwise. */
export class FrameLoop {
  readonly #step: (dt: number) => boolean;
  #frame = 0;
  #last = 0;
  readonly #timer: ReturnType<typeof setInterval>;
  #paused = false;

  /** @param step receives the seconds since the last step; returns whether another frame is needed */
  constructor(step: (dt: number) => boolean) {
    this.#step = step;
    this.#timer = setInterval(() => this.request(), IDLE_TICK);
  }

  /** Requests a step at the next frame. */
  request(): void {
    if (this.#frame !== 0 || this.#paused) return;
    this.#frame = requestAnimationFrame((now) => {
      this.#frame = 0;
      const dt = Math.min((now - this.#last) / 1000, MAX_STEP);
      this.#last = now;
      if (this.#step(dt)) this.request();
    });
  }

  /** Pauses or resumes, for example after a context loss. */
  set paused(value: boolean) {
    this.#paused = value;
    if (value) {
      cancelAnimationFrame(this.#frame);
      this.#frame = 0;
    } else this.request();
  }

  dispose(): void {
    clearInterval(this.#timer);
    this.paused = true;
  }
}

/** Creates a stage's WebGL renderer, with its canvas in the container. */
export function createRenderer(container: HTMLElement): WebGLRenderer {
  const renderer = new WebGLRenderer({ antialias: true, alpha: true, powerPreference: 'high-performance' });
  renderer.toneMapping = NeutralToneMapping;
  renderer.shadowMap.enabled = true;
  // Soft shadows: in current three.js, PCFShadowMap includes what PCFSoftShadowMap did.
  renderer.shadowMap.type = PCFShadowMap;
  renderer.domElement.className = 'stage-canvas';
  container.append(renderer.domElement);
  return renderer;
}

/** Pauses rendering while the WebGL context is lost. */
export function followContext(
  canvas: HTMLCanvasElement,
  loop: FrameLoop,
  notify: (state: 'lost' | 'restored') => void,
  signal: AbortSignal,
): void {
  const lost = (event: Event) => {
    // Otherwise the browser never restores the context.
    event.preventDefault();
    loop.paused = true;
    notify('lost');
  };
  const restored = () => {
    notify('restored');
    loop.paused = false;
  };
  canvas.addEventListener('webglcontextlost', lost, { signal });
  canvas.addEventListener('webglcontextrestored', restored, { signal });
}
