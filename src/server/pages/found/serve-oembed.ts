import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { embedCode, embedPath, NO_FLAGS } from '../../../contract/embed-code.ts';
import { ApiError } from '../../../contract/errors.ts';
import { findMoved } from '../../features/endpoints/queries.ts';
import { organizationOfHost } from '../../features/organizations/hosts.ts';
import { publicSettings } from '../../features/organizations/queries.ts';
import { presenceOf, siteForRequest } from '../../features/organizations/site-of.ts';
import { type PageServices, readVisit } from '../../features/visits/read-visit.ts';
import { languageQuery, titleOf } from '../../features/visits/shown-language.ts';

/** Path of the oEmbed endpoint. Its dot keeps it apart from structures. */
const OEMBED_PATH = '/oembed.json';

/** Frame size in pixels without a limit, and the size of thumbnails. */
const SIZE = { width: 800, height: 450 };
const THUMBNAIL = { width: 1200, height: 630 };
/** Seconds for which a response may be cached. */
const CACHE_AGE = 300;
/** Paths of rooms, and of rooms in frames. */
const ROOM = /^(?:\/|\/(?:embed\/)?([\w-]+)(?:\/([\w-]+))?\/?)$/;

const limit = z.coerce.number('Use a number of pixels.').int().min(1, 'Use at least 1 pixel.').max(100_000).optional();
const querySchema = z.object({
  url: z.url({ protocol: /^https?$/, error: 'Use the URL of a room.' }).max(2000),
  maxwidth: limit,
  maxheight: limit,
  format: z.string().max(20).optional(),
});

/** The link by which other sites find the embed code of a page. @param url absolute URL of the page */
export const oembedUrl = (origin: string, url: string): string =>
  `${origin}${OEMBED_PATH}?url=${encodeURIComponent(url)}`;

/**
 * Answers other sites that turn the URL of a room into a frame, such as content management systems. A room appears in
 * the frame if the organization lists the site under Settings → Embed.
 * @see https://oembed.com
 */
export function serveOembed(app: FastifyInstance, services: PageServices): void {
  /** The structure at a path, or the one that used to be there. */
  const visit = async (organizationId: number, slugs: readonly string[], wanted: readonly string[]) => {
    const visited = await readVisit(services, organizationId, slugs, wanted);
    const moved = visited.status === 404 ? await findMoved(services.db, organizationId, slugs) : null;
    return moved ? readVisit(services, organizationId, moved.slugs, wanted) : visited;
  };

  app.get(OEMBED_PATH, async (request: FastifyRequest, reply: FastifyReply) => {
    reply.header('cache-control', 'no-store');
    const { data, error } = querySchema.safeParse(request.query);
    if (!data) throw new ApiError('invalid', z.flattenError(error).fieldErrors);
    if (data.format !== undefined && data.format !== 'json')
      return reply.code(501).type('text/plain; charset=utf-8').send('Use format=json.\n');
    const organizationId = organizationOfHost(request);
    const { host } = await presenceOf(services.db, organizationId);
    const site = siteForRequest(services, request, { id: organizationId, host });
    const page = new URL(data.url);
    const path = page.host === (site && new URL(site.origin).host) ? ROOM.exec(page.pathname) : null;
    if (!site || !path) throw new ApiError('not_found');
    const slugs = path.slice(1).filter((slug) => slug !== undefined);
    const asked = page.searchParams.get('lang');
    const wanted = asked ? [asked] : [];
    const { endpoint, needsCode } = await visit(organizationId, slugs, wanted);
    // The specification's status for private content.
    if (needsCode) return reply.code(401).type('text/plain; charset=utf-8').send('This room requires a token.\n');
    if (!endpoint) throw new ApiError('not_found');
    const settings = await publicSettings(services, organizationId);
    const { path: ownPath, language } = endpoint.fields;
    const name = titleOf(endpoint);
    const query = languageQuery(language, endpoint.room?.document.config.language);
    const width = Math.min(
      SIZE.width,
      data.maxwidth ?? SIZE.width,
      Math.floor(((data.maxheight ?? SIZE.height) * 16) / 9),
    );
    const size = { width: Math.max(1, width), height: Math.max(1, Math.round((width * 9) / 16)) };
    return reply.headers({ 'cache-control': `public, max-age=${CACHE_AGE}`, 'access-control-allow-origin': '*' }).send({
      version: '1.0',
      type: 'rich',
      title: name,
      provider_name: settings.name,
      provider_url: site.origin,
      cache_age: CACHE_AGE,
      ...size,
      html: embedCode(site.origin + embedPath(ownPath, NO_FLAGS) + query, name, size),
      ...(endpoint.poster && {
        thumbnail_url: new URL(endpoint.poster, site.origin).href,
        thumbnail_width: THUMBNAIL.width,
        thumbnail_height: THUMBNAIL.height,
      }),
    });
  });
}
