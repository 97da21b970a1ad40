import { panoramaOf } from '../../../engine/document/panorama.ts';
import type { Settings } from '../../contract/entities.ts';
import { escapeHtml, scriptJson } from '../core/html/escape.ts';
import type { Visited } from '../features/visits/read-visit.ts';
import { languageQuery, titleOf } from '../features/visits/shown-language.ts';
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
  /** Whether search engines may list it; they may always list the front page. */
  isListed: boolean;
}

function shorten(text: string): string {
  if (text.length <= DESCRIPTION) return text;
  const cut = text.slice(0, DESCRIPTION - 1).toWellFormed();
  return `${cut.replace(/(?<!\s)\s+\S*$/, '') || cut}…`;
}

const meta = (name: string, content: string) => `<meta name="${name}" content="${escapeHtml(content)}" />`;
const property = (name: string, content: string) => `<meta property="${name}" content="${escapeHtml(content)}" />`;

const alternate = (tag: string, href: string) =>
  `<link rel="alternate" hreflang="${escapeHtml(tag)}" href="${escapeHtml(href)}" />`;

/** Metadata of a page, for search engines and link previews. */
export interface PageMetadata {
  title: string;
  description: string;
  /** Whether search engines may list it. */
  isListed: boolean;
  /** Absolute URL; undefined without a public URL of the server, or without a room. */
  url: string | undefined;
  /** Scheme, host and port of the site. */
  origin: string | null;
  /** Language of the space, as BCP 47 tag; undefined if it states none. */
  language: string | undefined;
  /** Absolute URLs of the page by language; empty if there is only one. */
  alternates: readonly (readonly [language: string, url: string])[];
  /** Absolute URL of a preview image, and whether it is a poster. */
  image: string | undefined;
  hasPoster: boolean;
}

/** A language in Open Graph's form, such as `nl_NL`. */
function localeOf(tag: string): string {
  const { language, region } = new Intl.Locale(tag).maximize();
  return [language, region].filter(Boolean).join('_');
}

/**
 * Metadata of a public page.
 * @param facts facts of the shown room; undefined if there is none
 * @param landing title of a page without a room
 */
export function metadataOf(
  settings: Settings,
  { endpoint, problem }: Visited,
  facts: RoomFacts | undefined,
  { origin, path, isPreview, isListed }: PagePlace,
  landing: string | null = null,
): PageMetadata {
  const isHome = path === '/';
  const absolute = (url: string) => (origin && URL.canParse(url, origin) ? new URL(url, origin).href : undefined);
  const poster = endpoint?.poster && absolute(endpoint.poster);
  const { language, languages = [] } = endpoint?.fields ?? {};
  const main = endpoint?.room?.document.config.language;
  const urlIn = (tag: string | undefined) => absolute(path + languageQuery(tag, main));
  const ownTitle = isHome && language === main ? settings.meta_title : '';
  return {
    title: landing ?? (ownTitle || (endpoint ? titleOf(endpoint) : settings.name)),
    description: problem || landing ? '' : shorten(facts?.description || settings.meta_description),
    isListed: (isHome || isListed) && !problem && !landing && !isPreview,
    url: problem || landing ? undefined : urlIn(language),
    origin,
    language: landing ? undefined : language,
    alternates: origin && !isPreview && !landing ? languages.map((tag) => [tag, urlIn(tag)!] as const) : [],
    image: poster ?? (facts?.picture && absolute(facts.picture)),
    hasPoster: Boolean(poster),
  };
}

/**
 * The head of a public page for search engines, link previews, embedding sites and the browser's preloader.
 * @param facts facts of the shown room; undefined if there is none
 * @param preview inlined preview of the room's panorama
 * @param embed URL of the page's embed code; undefined if it may not be embedded
 * @param data structured data for search engines
 * @param isLight whether the visitor saves data
 */
export function pageHead(
  { title, description, isListed, url, language, alternates, image, hasPoster }: PageMetadata,
  facts: RoomFacts | undefined,
  preview: string | null,
  { embed, data, isLight }: { embed: string | undefined; data: object | null; isLight: boolean },
): string {
  const panorama = facts?.panorama && panoramaOf(facts.panorama, isLight);
  // Inlined content needs no preload.
  const small = preview ? undefined : panorama?.small;
  return [
    `<title>${escapeHtml(title)}</title>`,
    description && meta('description', description),
    meta('robots', isListed ? 'index,follow' : 'noindex,nofollow'),
    url && `<link rel="canonical" href="${escapeHtml(url)}" />`,
    ...alternates.map(([tag, href]) => alternate(tag, href)),
    alternates[0] && alternate('x-default', alternates[0][1].split('?')[0]!),
    embed && `<link rel="alternate" type="application/json+oembed" href="${escapeHtml(embed)}" />`,
    property('og:title', title),
    description && property('og:description', description),
    property('og:type', 'website'),
    url && property('og:url', url),
    language && property('og:locale', localeOf(language)),
    ...alternates.filter(([tag]) => tag !== language).map(([tag]) => property('og:locale:alternate', localeOf(tag))),
    image && property('og:image', image),
    hasPoster && property('og:image:width', '1200'),
    hasPoster && property('og:image:height', '630'),
    image && meta('twitter:card', 'summary_large_image'),
    small &&
      `<link rel="preload" as="fetch" fetchpriority="high" crossorigin="anonymous" href="${escapeHtml(small)}" />`,
    panorama && `<link rel="preload" as="fetch" crossorigin="anonymous" href="${escapeHtml(panorama.url)}" />`,
    data && `<script type="application/ld+json">${scriptJson(data)}</script>`,
  ]
    .filter(Boolean)
    .join('\n    ');
}
