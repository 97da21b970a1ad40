import type { FastifyInstance } from 'fastify';
import { ApiError } from '../../../contract/errors.ts';
import type { Services } from '../../core/services.ts';
import { readPosterImage } from '../../features/posters/poster-files.ts';
import { POSTER_PREFIX, tokenOfPoster } from '../../features/posters/queries.ts';

/** Cache lifetime of an image in seconds: a new image has a new URL. */
const YEAR = 31_536_000;

/**
 * Serves posters by their unguessable URL, which is shown to users of the back-office, and to everyone if the space is
 * public.
 */
export function servePosters(app: FastifyInstance, services: Services): void {
  app.get<{ Params: { name: string } }>(`${POSTER_PREFIX}/:name`, async (request, reply) => {
    const { name } = request.params;
    const token = tokenOfPoster(`${POSTER_PREFIX}/${name}`);
    const size = name.endsWith('-160.webp') ? 'smallest' : name.endsWith('.webp') ? 'small' : 'large';
    const image = token && (await readPosterImage(services, token, size));
    if (!image) throw new ApiError('not_found');
    const tag = `"${name}"`;
    reply.headers({
      etag: tag,
      'cache-control': `public, max-age=${YEAR}, immutable`,
      'cross-origin-resource-policy': 'cross-origin',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
    });
    if (request.headers['if-none-match'] === tag) return reply.code(304).send();
    return reply.type(size === 'large' ? 'image/jpeg' : 'image/webp').send(image);
  });
}
