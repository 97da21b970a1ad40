import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../../../contract/errors.ts';
import { escapeHtml } from '../../core/html/escape.ts';
import type { Services } from '../../core/services.ts';
import { organizationOfHost } from '../../features/organizations/hosts.ts';
import { presenceOf, siteForRequest } from '../../features/organizations/site-of.ts';
import { type ListedPage, listedPages } from '../../features/visits/listed-pages.ts';
import { languageQuery } from '../../features/visits/shown-language.ts';

type Shared = Pick<Services, 'db' | 'clock' | 'settings'>;

/** Maximum URLs of a sitemap. More are split. @see https://www.sitemaps.org/protocol.html */
const MAX_URLS = 50_000;
/** Seconds for which a sitemap may be cached. */
const MAX_AGE = 300;
const NAMESPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';
/** Each page says itself whether search engines may list it. */
const ROBOTS = ['User-agent: *', 'Disallow: /admin', 'Disallow: /api/', 'Disallow: /embed/', ''];

const LINKS = ' xmlns:xhtml="http://www.w3.org/1999/xhtml"';

const list = (tag: string, children: readonly string[], more = ''): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<${tag} ${NAMESPACE}${more}>\n${children.join('\n')}\n</${tag}>\n`;

/** A URL in a sitemap. */
interface Entry {
  path: string;
  changed: string;
  /** Paths of the same page by language, and the default one; empty if there is only one. */
  alternates: readonly (readonly [language: string, path: string])[];
}

/** The entries of a page: one per language, each with links to all. */
function entriesOf({ path, changed, languages }: ListedPage): Entry[] {
  if (!languages) return [{ path, changed, alternates: [] }];
  const pathIn = (tag: string) => path + languageQuery(tag, languages.main);
  const own = languages.offered.map((tag) => [tag, pathIn(tag)] as const);
  const alternates = [...own, ['x-default', path] as const];
  return [...new Set(alternates.map(([, each]) => each))].map((each) => ({ path: each, changed, alternates }));
}

/** A sitemap with the pages of one part, or the list of its parts if there are several. */
function sitemap(origin: string, pages: readonly ListedPage[], part: number | null): string | null {
  const address = (path: string) => `<loc>${escapeHtml(origin + encodeURI(path))}</loc>`;
  const entries = pages.flatMap(entriesOf);
  const parts = Math.max(1, Math.ceil(entries.length / MAX_URLS));
  if (part === null && parts > 1)
    return list(
      'sitemapindex',
      Array.from({ length: parts }, (_, at) => `<sitemap>${address(`/sitemap.xml?part=${at + 1}`)}</sitemap>`),
    );
  const at = (part ?? 1) - 1;
  if (at >= parts) return null;
  const shown = entries.slice(at * MAX_URLS, (at + 1) * MAX_URLS);
  const link = ([tag, path]: Entry['alternates'][number]) =>
    `<xhtml:link rel="alternate" hreflang="${escapeHtml(tag)}" href="${escapeHtml(origin + encodeURI(path))}"/>`;
  return list(
    'urlset',
    shown.map(
      ({ path, changed, alternates }) =>
        `<url>${address(path)}<lastmod>${changed}</lastmod>${alternates.map(link).join('')}</url>`,
    ),
    shown.some(({ alternates }) => alternates.length > 0) ? LINKS : '',
  );
}

/** Serves `robots.txt` and the sitemap of each organization. */
export function serveSitemap(app: FastifyInstance, services: Shared): void {
  const siteFor = async (request: FastifyRequest) => {
    const id = organizationOfHost(request);
    const presence = await presenceOf(services.db, id);
    return { id, ...presence, origin: siteForRequest(services, request, { id, host: presence.host })?.origin };
  };
  const send = (reply: FastifyReply, type: string, text: string) =>
    reply.header('cache-control', `public, max-age=${MAX_AGE}`).type(`${type}; charset=utf-8`).send(text);

  app.get('/robots.txt', async (request, reply) => {
    const { origin } = await siteFor(request);
    const lines = origin ? [...ROBOTS, `Sitemap: ${origin}/sitemap.xml`, ''] : ROBOTS;
    return send(reply, 'text/plain', lines.join('\n'));
  });

  app.get('/sitemap.xml', async (request, reply) => {
    const { part } = request.query as { part?: string };
    const { id, origin, listsRooms } = await siteFor(request);
    const isValid = part === undefined || /^[1-9]\d{0,5}$/.test(part);
    const text =
      origin && isValid
        ? sitemap(origin, await listedPages(services, id, listsRooms), part === undefined ? null : Number(part))
        : null;
    if (text === null) throw new ApiError('not_found');
    return send(reply, 'application/xml', text);
  });
}
