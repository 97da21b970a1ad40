import type { Transition } from '../../engine/document/constants.ts';

/** Options of an embedded room. */
interface EmbedFlags {
  transparent: boolean;
  hideControls: boolean;
  hideLogo: boolean;
  autoload: boolean;
}

/** Default options. */
export const NO_FLAGS: EmbedFlags = { transparent: false, hideControls: false, hideLogo: false, autoload: false };

/** Size of a frame in pixels. */
interface FrameSize {
  width: number;
  height: number;
}

/** Default frame size. */
export const EMBED_SIZE: FrameSize = { width: 560, height: 315 };

/** Permissions of the iframe. */
const ALLOW = 'autoplay; fullscreen; gyroscope; accelerometer; xr-spatial-tracking; picture-in-picture';

const escapeAttribute = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');

/**
 * Embed path.
 * @param path public path, such as /museum/east-wing
 * @param transition between places; null for the template's
 */
export function embedPath(path: string, flags: EmbedFlags, transition: Transition | null = null): string {
  const query = Object.entries(flags)
    .filter(([, isSet]) => isSet)
    .map(([name]) => `${name}=1`);
  if (transition) query.push(`transition=${transition}`);
  return `/embed${path}${query.length > 0 ? `?${query.join('&')}` : ''}`;
}

/** The iframe code for another site. */
export const embedCode = (address: string, title: string, { width, height }: FrameSize = EMBED_SIZE): string =>
  `<iframe src="${escapeAttribute(address)}" title="${escapeAttribute(title)}" width="${width}" height="${height}" allow="${ALLOW}" allowfullscreen loading="lazy" style="border:0"></iframe>`;
