import type { Element } from '../../document/element.ts';
import { sourceOf } from '../../document/source.ts';

/** What a framed page may do. */
const PAGE_RIGHTS = 'allow-scripts allow-forms allow-popups allow-pointer-lock';

/**
 * Address and rights of a page that an element frames. An uploaded one has an origin of its own: with this site's, its
 * scripts could act as the visitor, and take the sandbox away.
 * @returns an empty address where there is none
 */
export function framedPage(element: Element): { address: string; sandbox: string } {
  const address = sourceOf(element);
  const isGiven = 'src' in element.config && element.config.src === address;
  const isForeign = isGiven && new URL(address, location.href).origin !== location.origin;
  return { address, sandbox: isForeign ? `${PAGE_RIGHTS} allow-same-origin` : PAGE_RIGHTS };
}

/** What a player of another site may do in its frame. */
const PLAYER_RIGHTS = 'autoplay; encrypted-media; fullscreen; picture-in-picture';

/** A panel that holds one other thing: a frame or a film. */
export function holderOf(content: HTMLElement, type: string): HTMLElement {
  const holder = document.createElement('div');
  holder.className = `stage-panel stage-frame stage-${type}`;
  holder.append(content);
  return holder;
}

/** A frame for the player of another site, without its address. @param name for screen readers */
export function playerFrame(name: string): HTMLIFrameElement {
  const frame = document.createElement('iframe');
  frame.allow = PLAYER_RIGHTS;
  frame.allowFullscreen = true;
  // Platforms show nothing to a site that does not say who it is.
  frame.referrerPolicy = 'strict-origin-when-cross-origin';
  frame.title = name;
  return frame;
}

/**
 * Has a frame show a page.
 * @returns a function that takes the page away. The frame is put in anew then: to lead it elsewhere would be a step in
 * the browser's history.
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

/** Sides of a player's panel in units, where none are set: those of a small 16:9 film. */
export function panelSize(element: { width: number | null; height: number | null }): { width: number; height: number } {
  const { width, height } = element;
  if (width !== null) return { width, height: height ?? (width * 9) / 16 };
  return height === null ? { width: 640, height: 360 } : { width: (height * 16) / 9, height };
}
