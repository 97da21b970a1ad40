import { staticPath } from '../../../contract/static-path.ts';
import { escapeHtml, scriptJson } from '../../core/html/escape.ts';

/** The site that pages are rewritten for. */
export interface Rewriting {
  /** Host and port of the server in its pages. */
  from: string;
  /** Origin of the static site. */
  to: string;
  /** Whether links to other hosts are removed. */
  isClosed: boolean;
  /** Public paths of its structures. */
  pages: ReadonlySet<string>;
  /** Called with each URL of a file of this server. */
  found(url: string): void;
}

/** Files of the server that pages and rooms may refer to. */
const FILE = /\/(?:media\/[0-9a-f]{64}|media\/sheets|posters)\/[^\s"'<>()\\]+/g;
const IS_FILE = /^\/(?:media|posters|assets)\//;
/** Scripts and styles, whose content stays as it is. */
const KEPT = /(<(script|style)\b[^>]*>[\s\S]*?<\/\2>)/;
const ATTRIBUTE = /\s(href|src|content|poster)="([^"]*)"/g;
const OEMBED = /<link rel="alternate" type="application\/json\+oembed"[^>]*>/g;
/** Parts of a policy that only headers can set, and permissions for other hosts. */
const ANCESTORS = /\s*frame-ancestors [^;]*;?/;

const unescapeHtml = (text: string): string =>
  text
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');

/** Whether a URL names the server. */
const isOwn = ({ from }: Rewriting, url: string): boolean =>
  url.startsWith(`https://${from}/`) || url.startsWith(`http://${from}/`);

/**
 * URL in the static site.
 * @param page path of the page that it is on, without its query
 * @returns null for what only a server can do; unchanged if it is elsewhere
 */
function urlIn(site: Rewriting, page: string, url: string): string | null {
  const isWhole = isOwn(site, url);
  const own = isWhole ? url.slice(url.indexOf('/', 'https://'.length)) : url.startsWith('?') ? page + url : url;
  if (!own.startsWith('/') || own.startsWith('//')) return url;
  if (/[?&]share=/.test(own)) return null;
  const [file = ''] = own.split('#');
  if (IS_FILE.test(file)) site.found(file);
  return (isWhole ? site.to : '') + staticPath(own);
}

/** A page of the server as a file of a static site. @param page its path, without query */
export function rewriteHtml(site: Rewriting, page: string, html: string): string {
  const attributes = (part: string) =>
    part.replace(OEMBED, '').replace(ATTRIBUTE, (whole, name: string, value: string) => {
      const url = unescapeHtml(value);
      if (name === 'content' && !isOwn(site, url)) return whole;
      const moved = urlIn(site, page, url);
      return moved === null ? '' : ` ${name}="${escapeHtml(moved)}"`;
    });
  const linked = (part: string) =>
    part.startsWith('<script type="application/ld+json">')
      ? part.replace(/>([\s\S]*)</, (_, json: string) => `>${scriptJson(rewriteJson(site, JSON.parse(json)))}<`)
      : part;
  // Every third part is the name of the kept element.
  return html
    .split(KEPT)
    .map((part, index) => (index % 3 === 0 ? attributes(part) : index % 3 === 1 ? linked(part) : ''))
    .join('');
}

/** A sitemap with the URLs of the static site, and only its pages. @param pages their paths, `/` for the front page */
export function rewriteSitemap(site: Rewriting, xml: string, pages: ReadonlySet<string>): string {
  const moved = (url: string) => escapeHtml(urlIn(site, '/', unescapeHtml(url)) ?? url);
  return xml
    .replace(/<url><loc>([^<]*)<\/loc>[\s\S]*?<\/url>\n?/g, (entry, url: string) => {
      const { pathname } = new URL(unescapeHtml(url));
      return pages.has(decodeURI(pathname)) ? entry : '';
    })
    .replace(/<loc>([^<]*)<\/loc>/g, (_, url: string) => `<loc>${moved(url)}</loc>`)
    .replace(/ href="([^"]*)"/g, (_, url: string) => ` href="${moved(url)}"`);
}

/** Whether a value is a link that the site can't have: to a form, to a structure that isn't in it, or out of a kiosk. */
function isLost({ isClosed, pages }: Rewriting, value: object): boolean {
  if (!('type' in value && 'type_config' in value)) return false;
  const { endpoint_url: url } = value.type_config as { endpoint_url?: unknown };
  if (value.type === 'space' && typeof url === 'string' && url.length > 1 && !pages.has(url)) return true;
  return value.type === 'modal_share' || (isClosed && (value.type === 'url' || value.type === 'modal_url'));
}

/**
 * A document, or other data, without URLs with queries of this server's files, and without links that need a server.
 * @param visit called with each object
 */
export function rewriteJson(site: Rewriting, value: unknown, visit: (each: object) => void = () => {}): unknown {
  if (typeof value === 'string') {
    if (isOwn(site, value)) return urlIn(site, '/', value);
    return value.replace(FILE, (url) => {
      site.found(url);
      return url.includes('?') ? staticPath(url) : url;
    });
  }
  if (Array.isArray(value)) return value.map((each) => rewriteJson(site, each, visit));
  if (typeof value !== 'object' || value === null) return value;
  if (isLost(site, value)) return { type: 'disabled', type_config: {} };
  visit(value);
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, rewriteJson(site, each, visit)]));
}

/** A page with its policy, which a plain file server doesn't send. */
export function withPolicy({ isClosed }: Rewriting, html: string, policy: string): string {
  const own = policy.replace(ANCESTORS, '').trim();
  const content = escapeHtml(isClosed ? own.replaceAll(' https:', '') : own);
  return html.replace(
    /(<meta charset="[^"]*"\s*\/?>)/i,
    `$1<meta http-equiv="content-security-policy" content="${content}" />`,
  );
}
