import type { Element } from './element.ts';
import type { Room } from './room.ts';
import { sourceOf } from './source.ts';
import { traitsOf } from './traits-of.ts';

/** What a third party provides: videos and streams, embedded pages, other files, or measurement by a tag manager. */
export type ThirdPartyUse = 'video' | 'page' | 'file' | 'tags';

/** A service on another host that a visitor's browser contacts. */
export interface ThirdParty {
  /** Key of the consent: the host, or the main domain of a service with several hosts. */
  host: string;
  /** Name of the service; the host if it is unknown. */
  name: string;
  uses: ThirdPartyUse[];
  /** IDs of the elements that use it; empty if only dialogs or the room itself do. */
  elements: number[];
}

/** Services with several hosts. A subdomain belongs to its domain. */
const SERVICES: readonly { host: string; name: string; domains: readonly string[] }[] = [
  {
    host: 'youtube.com',
    name: 'YouTube',
    domains: ['youtube.com', 'youtube-nocookie.com', 'youtu.be', 'ytimg.com', 'googlevideo.com'],
  },
  { host: 'vimeo.com', name: 'Vimeo', domains: ['vimeo.com', 'vimeocdn.com'] },
];

const TAG_MANAGER = { host: 'googletagmanager.com', name: 'Google Tag Manager' };

/** The tag manager of a page. */
export const TAG_MANAGER_PARTY: ThirdParty = { ...TAG_MANAGER, uses: ['tags'], elements: [] };

/** Name of the service of a consent key. */
export const serviceName = (host: string): string =>
  [...SERVICES, TAG_MANAGER].find((service) => service.host === host)?.name ?? host;

/**
 * An absolute URL, or one without its scheme: scheme, host and port. Browsers read backslashes as slashes, and any number
 * of slashes after a scheme.
 */
const ABSOLUTE = /^\s*(?:(https?):[\\/]*|[\\/]{2,})(?:[^@\\/?#]*@)?([^:@\\/?#]+)(?::(\d+))?/i;
/** Ports that URLs leave out. */
const DEFAULT_PORT: Record<string, string> = { http: '80', https: '443' };

/**
 * Consent key of a URL's host.
 * @param own origins of the platform
 * @returns null for URLs of the platform itself, relative URLs, and URLs without a host
 */
export function hostOf(address: string, own: readonly string[]): string | null {
  // Browsers remove tabs and line breaks.
  const [, scheme = 'https', name = '', port] = ABSOLUTE.exec(address.replace(/[\t\r\n]/g, '')) ?? [];
  const hostname = name.trim().toLowerCase();
  const host = !port || port === DEFAULT_PORT[scheme.toLowerCase()] ? hostname : `${hostname}:${port}`;
  if (!hostname || own.includes(`${scheme.toLowerCase()}://${host}`)) return null;
  const isOf = (domain: string) => hostname === domain || hostname.endsWith(`.${domain}`);
  return SERVICES.find(({ domains }) => domains.some(isOf))?.host ?? host;
}

/** Style sheets, and tags: their name and their attributes, whose quoted values may contain `>`. */
const MARKUP = /<style\b[^>]*>[^<]*|<([a-z][^\s/>]*)((?:"[^"]*"|'[^']*'|[^>])*)/gi;
const ATTRIBUTE = /([^\s"'<>/=]+)\s*=\s*("[^"]*"|'[^']*'|[^\s"'>]+)/g;
/** Attributes whose URL a browser loads by itself, and those with several. */
const URL_ATTRIBUTE = /^(?:src|poster|data|background|(?:xlink:)?href)$/i;
const URLS_ATTRIBUTE = /^(?:srcset|imagesrcset|style)$/i;
/** Links are only followed by a press. */
const LINK = /^(?:a|area)$/i;
/** `data:` URLs, which may contain anything, and absolute URLs in a list or style sheet. */
const LISTED_URL =
  /(["']|&quot;|&#39;)\s*data:.*?\1|\bdata:[^\s"')]*|(?<=^|[\s"'(,;])(?:https?:)?[\\/]{2}(?:&amp;|(?!&quot;|&#39;)[^\s"'()<>,;])+/gis;

/** Replaces the URLs that a browser loads because of sanitized HTML. */
function replaceLoaded(html: string, replace: (address: string) => string): string {
  const replaceListed = (text: string) => text.replace(LISTED_URL, replace);
  return html.replace(MARKUP, (part: string, tag?: string, attributes?: string) => {
    if (tag === undefined || attributes === undefined) return replaceListed(part);
    const loaded = attributes.replace(ATTRIBUTE, (whole: string, name: string, value: string) => {
      const quote = /^["']/.exec(value)?.[0] ?? '';
      const text = quote ? value.slice(1, -1) : value;
      const start = whole.slice(0, whole.length - value.length) + quote;
      if (URLS_ATTRIBUTE.test(name)) return start + replaceListed(text) + quote;
      const isLoaded = URL_ATTRIBUTE.test(name) && !(LINK.test(tag) && /href$/i.test(name));
      return isLoaded ? start + replace(text) + quote : whole;
    });
    return `<${tag}${loaded}`;
  });
}

/** Consent keys of the hosts that sanitized HTML loads content from. */
export function hostsOfHtml(html: string, own: readonly string[]): string[] {
  const hosts: (string | null)[] = [];
  replaceLoaded(html, (address) => {
    hosts.push(hostOf(address, own));
    return address;
  });
  return unique(hosts);
}

/** Sanitized HTML without the URLs that it loads from other hosts. */
export const withoutThirdParties = (html: string, own: readonly string[]): string =>
  replaceLoaded(html, (address) => (hostOf(address, own) === null ? address : ''));

const unique = (hosts: readonly (string | null)[]): string[] => [
  ...new Set(hosts.filter((host): host is string => host !== null)),
];

/** Settings with URLs that load beside an element's source. Their names are unique among all elements. */
const EXTRA_URLS = [
  'thumb',
  'thumb_large',
  'link',
  'model_file_url',
  'realtime_file_url',
  'audio_description',
] as const;
/** Lists and objects that contain such settings. */
const NESTED = ['text_tracks', 'module_video'] as const;

type Settings = Readonly<Record<string, unknown>>;

function* extraUrls(config: Settings): Generator<string> {
  for (const name of EXTRA_URLS) if (typeof config[name] === 'string') yield config[name];
  for (const name of NESTED)
    for (const each of [config[name]].flat()) if (each && typeof each === 'object') yield* extraUrls(each as Settings);
}

/** The platform whose player shows an element; null for other elements. */
function platformOf({ element, config }: Element): string | null {
  if (element !== 'video' && element !== 'live_stream') return null;
  if (config.type?.startsWith('youtube')) return 'youtube.com';
  return config.type?.startsWith('vimeo') ? 'vimeo.com' : null;
}

/** Consent keys of the hosts that an element needs to be shown. @param own origins of the platform */
export function hostsOfElement(element: Element, own: readonly string[]): string[] {
  const platform = platformOf(element);
  if (platform !== null) return [platform];
  const config: Settings = element.config;
  const addresses = [sourceOf(element), ...extraUrls(config)];
  // Streams have their URL as source or ID, and platform-independent tracks have it as ID.
  if (element.element === 'live_stream') addresses.push(element.config.src ?? '', element.config.id ?? '');
  if (element.element === 'video') addresses.push(...element.config.text_tracks.map(({ id }) => id));
  const { body } = config;
  const inside = typeof body === 'string' ? hostsOfHtml(body, own) : [];
  return unique([...addresses.map((address) => hostOf(address, own)), ...inside]);
}

/** Consent keys of the content that a link opens over the room. */
function hostsOfLink(config: Settings, own: readonly string[]): [ThirdPartyUse, string[]] {
  const { type, type_config: to } = (config.navigation ?? {}) as { type?: string; type_config?: Settings };
  if (type === 'modal_url') return ['page', unique([hostOf(String(to?.url ?? ''), own)])];
  if (type === 'modal_content') return ['file', hostsOfHtml(String(to?.content ?? ''), own)];
  return ['page', []];
}

function purposeOf({ element }: Element): ThirdPartyUse {
  const { plays, reads } = traitsOf(element);
  if (plays === 'film') return 'video';
  return reads === 'page' ? 'page' : 'file';
}

/** The fields of a room that can refer to other hosts. */
type ListedRoom = Pick<Room, 'description' | 'config' | 'elements'> & Partial<Pick<Room, 'template'>>;

/**
 * Lists the hosts other than the platform's own that a visitor's browser contacts because of a room's content, in the
 * order of the room.
 * @param own origins of the platform
 */
export function thirdPartiesOf(
  { description, config, elements, template }: ListedRoom,
  own: readonly string[],
): ThirdParty[] {
  const parties = new Map<string, ThirdParty>();
  const add = (hosts: readonly string[], use: ThirdPartyUse, elementId?: number) => {
    for (const host of hosts) {
      const party = parties.get(host) ?? { host, name: serviceName(host), uses: [], elements: [] };
      parties.set(host, party);
      if (!party.uses.includes(use)) party.uses.push(use);
      if (elementId !== undefined && !party.elements.includes(elementId)) party.elements.push(elementId);
    }
  };
  add(unique([hostOf(template?.config.video_url ?? '', own)]), 'video');
  add(unique([hostOf(config.realtime_file_url, own)]), 'file');
  for (const element of elements) {
    add(hostsOfElement(element, own), purposeOf(element), element.id);
    const [use, hosts] = hostsOfLink(element.config, own);
    add(hosts, use, element.id);
  }
  for (const html of [description, config.timed_popup_text]) add(hostsOfHtml(html, own), 'file');
  for (const link of Object.values(config)) {
    if (link === null || typeof link !== 'object' || !('navigation' in link)) continue;
    const [use, hosts] = hostsOfLink(link as Settings, own);
    add(hosts, use);
  }
  return [...parties.values()];
}
