import { stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { ApiError } from '../../../contract/errors.ts';
import { isThere } from '../../core/disk.ts';
import { THUMBNAIL_WIDTHS, thumbnail } from '../../core/files/copies/thumbnails.ts';
import { panoramaTile, TILE_NAME } from '../../core/files/copies/tiles.ts';
import { isPlainPath, MEDIA_PREFIX } from '../../core/files/media-url.ts';
import type { DrawingRights } from '../../core/secrets/drawing-rights.ts';
import type { Services } from '../../core/services.ts';
import { isHeldBy, isNoted } from '../../features/media/queries.ts';
import { organizationOfHost } from '../../features/organizations/queries.ts';
import { MediaGuard } from './media-guard.ts';
import { siteHeaders } from './site-headers.ts';

const IMAGE_NAME = /\.(?:jpe?g|png|webp|avif|gif)$/i;
/** MIME types unknown to the static file plugin. */
const TYPES: Record<string, string> = {
  '.glb': 'model/gltf-binary',
  '.gltf': 'model/gltf+json',
  '.hdr': 'image/vnd.radiance',
  '.exr': 'image/x-exr',
  '.vtt': 'text/vtt; charset=utf-8',
  '.bvh': 'text/plain; charset=utf-8',
};

/** Uploaded files run no scripts when they are opened directly. */
const SEALED = "default-src 'none'; style-src 'unsafe-inline'; img-src 'self'; media-src 'self'; sandbox";
/**
 * An uploaded page runs in a sandboxed origin: no storage, no access to its parent, no calls with the visitor's
 * session.
 */
const SITE = 'sandbox allow-scripts allow-forms allow-popups allow-pointer-lock';

/** Files that browsers execute or render as pages: served only on the host of the organization that uploaded them. */
const RUNS = /^site\/|\.(?:[cm]?jsx?|wasm|x?html?|xht|mht|swf)$/i;

/** Default page of a folder. */
const INDEX = 'index.html';

/** Seconds for which browsers cache a protected file. */
const VISIT = 600;

/** Downloads a file from the bucket if necessary. Hashes in no library are skipped: anyone can make up URLs. */
async function ensureLocal({ db, media }: Services, hash: string, path: string): Promise<void> {
  if (await media.isAtHand(hash, path)) return;
  if (await isNoted(db, hash)) await media.fileOf(hash, path);
}

/**
 * Serves stored files by content hash: with range requests, immutable caching, and headers that keep them from running
 * on our origin.
 */
export async function serveMedia(
  app: FastifyInstance,
  services: Services & { drawings: DrawingRights },
): Promise<void> {
  const { media: store, workers } = services;
  const guard = new MediaGuard(services);
  await app.register(fastifyStatic, { root: join(store.folderOf('0'.repeat(64)), '../../..'), serve: false });
  app.get<{ Params: { hash: string; '*': string }; Querystring: { width?: string; tile?: string } }>(
    `${MEDIA_PREFIX}/:hash/*`,
    async (request, reply) => {
      const { hash, '*': asked } = request.params;
      // A folder of an uploaded page serves its index page.
      const path = /^site\/.*\/$/.test(asked) ? `${asked}${INDEX}` : asked;
      if (!/^[0-9a-f]{64}$/.test(hash) || !isPlainPath(path)) throw new ApiError('not_found');
      const isProtected = await guard.check(request, hash);
      // A script on a host runs with that host's origin, so other organizations' scripts must not be served there.
      if (RUNS.test(path) && !(await isHeldBy(services.db, organizationOfHost(request), hash)))
        throw new ApiError('not_found');
      const isSite = path.startsWith('site/');
      const type = TYPES[/\.\w+$/.exec(path)?.[0].toLowerCase() ?? ''];
      reply.headers({
        'x-content-type-options': 'nosniff',
        'content-security-policy': isSite ? SITE : SEALED,
        'cross-origin-resource-policy': 'cross-origin',
        'access-control-allow-origin': '*',
      });
      if (type) reply.type(type);
      const folder = store.folderOf(hash);
      const { width, tile } = request.query;
      // Protected files are cached only by browsers, for the length of a visit.
      if (isProtected)
        reply.header('cache-control', `private, max-age=${VISIT}`).header('vary', 'cookie, authorization');
      const kept = isProtected ? { cacheControl: false } : { immutable: true, maxAge: '1y' };
      await ensureLocal(services, hash, path);
      if (isSite) {
        const found = await stat(join(folder, path)).catch(() => null);
        if (!found?.isFile()) {
          const page = `${path}/${INDEX}`;
          await ensureLocal(services, hash, page);
          if (!(await isThere(join(folder, page)))) throw new ApiError('not_found');
          return reply.redirect(`${encodeURIComponent(basename(path))}/`, 302);
        }
        const own = await siteHeaders(path, join(folder, path));
        reply.headers(own);
        if (own['content-type']) return reply.sendFile(path, folder, { ...kept, contentType: false });
      }
      if (width === undefined && tile === undefined) return reply.sendFile(path, folder, kept);
      if (
        tile === undefined &&
        (!IMAGE_NAME.test(path) || !THUMBNAIL_WIDTHS.some((allowed) => String(allowed) === width))
      )
        throw new ApiError('bad_request', { width: [`Use one of ${THUMBNAIL_WIDTHS.join(', ')}.`] });
      if (tile !== undefined && !(IMAGE_NAME.test(path) && TILE_NAME.test(tile)))
        throw new ApiError('bad_request', { tile: ['Use "whole", or column and row such as "3-1".'] });
      const making =
        tile === undefined
          ? thumbnail(workers, folder, path, Number(width))
          : panoramaTile(workers, folder, path, tile);
      const copy = await making.catch((error: unknown) => {
        throw error instanceof ApiError && error.code === 'unavailable' ? error : new ApiError('not_found');
      });
      return reply.sendFile(basename(copy), dirname(copy), { ...kept, dotfiles: 'allow' });
    },
  );
}
