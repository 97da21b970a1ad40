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
