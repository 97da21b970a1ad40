/** What an embedded room can leave out or do by itself. */
export interface EmbedFlags {
  transparent: boolean;
  hideControls: boolean;
  hideLogo: boolean;
  autoload: boolean;
}

/** Size of the frame in pixels. */
export const EMBED_SIZE = { width: 560, height: 315 };

/** What a room in a frame may use of the visitor's device. */
const ALLOW = 'autoplay; fullscreen; gyroscope; accelerometer; xr-spatial-tracking; picture-in-picture';

const escapeAttribute = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');

/** Address of an embedded room. @param path public path, such as /museum/east-wing */
export function embedAddress(origin: string, path: string, flags: EmbedFlags): string {
  const query = Object.entries(flags)
    .filter(([, isSet]) => isSet)
    .map(([name]) => `${name}=1`);
  return `${origin}/embed${path}${query.length > 0 ? `?${query.join('&')}` : ''}`;
}

/** The frame to paste into another site's page. */
export const embedCode = (address: string, title: string): string =>
  `<iframe src="${escapeAttribute(address)}" title="${escapeAttribute(title)}" width="${EMBED_SIZE.width}" height="${EMBED_SIZE.height}" allow="${ALLOW}" allowfullscreen loading="lazy" style="border:0"></iframe>`;
