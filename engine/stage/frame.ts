/** What a player of another site may do in its frame. */
const PLAYER_RIGHTS = 'autoplay; encrypted-media; fullscreen; picture-in-picture';

/** A panel that holds one other thing: a frame or a film. */
export function holderOf(content: HTMLElement, type: string): HTMLElement {
  const holder = document.createElement('div');
  holder.className = `stage-panel stage-frame stage-${type}`;
  holder.append(content);
  return holder;
}

/** A frame with the player of another site. @param name for screen readers */
export function playerFrame(src: string, name: string): HTMLIFrameElement {
  const frame = document.createElement('iframe');
  frame.allow = PLAYER_RIGHTS;
  frame.allowFullscreen = true;
  // Platforms show nothing to a site that does not say who it is.
  frame.referrerPolicy = 'strict-origin-when-cross-origin';
  frame.title = name;
  frame.src = src;
  return frame;
}

/** Sides of a player's panel in units, where none are set: those of a small 16:9 film. */
export function panelSize(element: { width: number | null; height: number | null }): { width: number; height: number } {
  const { width, height } = element;
  if (width !== null) return { width, height: height ?? (width * 9) / 16 };
  return height === null ? { width: 640, height: 360 } : { width: (height * 16) / 9, height };
}
