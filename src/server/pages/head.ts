import { panoramaOf } from '../../../engine/document/panorama.ts';
import type { Settings } from '../../contract/entities.ts';
import { escapeHtml } from '../core/html/escape.ts';
import type { Visited } from '../features/visits/service.ts';
import type { RoomFacts } from './room-facts.ts';

/** Maximum length of a page's description: search engines show no more. */
const DESCRIPTION = 160;

/** Location of a page. */
export interface PagePlace {
  /** Public origin of the server; null if unknown. */
  origin: string | null;
  /** Public path. */
  path: string;
  /** Whether it is a preview, which is hidden from search engines. */
  isPreview: boolean;
}

function shorten(text: string): string {
  if (text.length <= DESCRIPTION) return text;
  const cut = text.slice(0, DESCRIPTION - 1).toWellFormed();
  return `${cut.replace(/(?<!\s)\s+\S*$/, '') || cut}…`;
}

const meta = (name: string, content: string) => `<meta name="${name}" content="${escapeHtml(content)}" />`;
const property = (name: string, content: string) => `<meta property="${name}" content="${escapeHtml(content)}" />`;

/**
 * The head of a public page for search engines, link previews and the browser's preloader.
 * @param facts facts of the shown room; undefined if there is none
 * @param preview inlined preview of the room's panorama
 * @param landing title of a page without a room
 */
export function pageHead(
  settings: Settings,
  { endpoint, problem }: Visited,
  facts: RoomFacts | undefined,
  preview: string | null,
  { origin, path, isPreview }: PagePlace,
  landing: string | null = null,
): string {
  const isHome = path === '/';
  const title = landing ?? ((isHome ? settings.meta_title : '') || (endpoint?.fields.name ?? settings.name));
  const description = problem || landing ? '' : shorten(facts?.description || settings.meta_description);
  const panorama = facts?.panorama && panoramaOf(facts.panorama);
  // Inlined content needs no preload.
  const small = preview ? undefined : panorama?.small;
  const absolute = (url: string) => (origin && URL.canParse(url, origin) ? new URL(url, origin).href : undefined);
  const address = absolute(path);
  const poster = endpoint?.poster && absolute(endpoint.poster);
  const image = poster ?? (facts?.picture && absolute(facts.picture));
  return [
    `<title>${escapeHtml(title)}</title>`,
    description && meta('description', description),
    meta('robots', isHome && !problem && !landing && !isPreview ? 'index,follow' : 'noindex,nofollow'),
    address && !problem && !landing && `<link rel="canonical" href="${escapeHtml(address)}" />`,
    property('og:title', title),
    description && property('og:description', description),
    property('og:type', 'website'),
    address && !problem && !landing && property('og:url', address),
    image && property('og:image', image),
    poster && property('og:image:width', '1200'),
    poster && property('og:image:height', '630'),
    image && meta('twitter:card', 'summary_large_image'),
    small &&
      `<link rel="preload" as="fetch" fetchpriority="high" crossorigin="anonymous" href="${escapeHtml(small)}" />`,
    panorama && `<link rel="preload" as="fetch" crossorigin="anonymous" href="${escapeHtml(panorama.url)}" />`,
  ]
    .filter(Boolean)
    .join('\n    ');
}
