import { stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { LRUCache } from 'lru-cache';
import { LEVEL_SIDES } from '../../../../engine/document/small-copy.ts';
import { ApiError } from '../../../contract/errors.ts';
import { isThere } from '../../core/disk.ts';
import {
  acceptedFormats,
  isNegotiated,
  LIGHTER_TYPES,
  lighterPath,
  mayBeLighter,
  mayHaveLevels,
} from '../../core/files/copies/lighter.ts';
import { THUMBNAIL_WIDTHS, thumbnail } from '../../core/files/copies/thumbnails.ts';
import { panoramaTile, TILE_NAME } from '../../core/files/copies/tiles.ts';
import { isPlainPath, MEDIA_PREFIX } from '../../core/files/media-url.ts';
import type { OwnRights } from '../../core/secrets/own-rights.ts';
import type { Services } from '../../core/services.ts';
import { findVersions } from '../../features/media/optimizations.ts';
import { isHeldBy, isNoted } from '../../features/media/queries.ts';
import { organizationOfHost } from '../../features/organizations/hosts.ts';
import type { PageServices } from '../../features/visits/read-visit.ts';
import { cachingOf, fileHeaders, PROTECTED_HEADERS, SEALED } from './file-headers.ts';
import { MediaGuard } from './media-guard.ts';
import { serveSheets } from './serve-sheets.ts';
import { siteHeaders } from './site-headers.ts';

/** Levels of detail that a model may have; 1 is the finest. */
const LEVELS = LEVEL_SIDES.map((_, index) => String(index + 1));
const IMAGE_NAME = /\.(?:jpe?g|png|webp|avif|gif)$/i;
/** MIME types unknown to the static file plugin. */
const TYPES: Record<string, string> = {
  '.glb': 'model/gltf-binary',
  '.gltf': 'model/gltf+json',
  '.spz': 'model/vnd.spz',
  '.hdr': 'image/vnd.radiance',
  '.exr': 'image/x-exr',
  '.vtt': 'text/vtt; charset=utf-8',
  '.bvh': 'text/plain; charset=utf-8',
};

/**
 * An uploaded page runs in a sandboxed origin: no storage, no access to its parent, no calls with the visitor's
 * session.
 */
const SITE = 'sandbox allow-scripts allow-forms allow-popups allow-pointer-lock';

/** Files that browsers execute or render as pages: served only on the host of the organization that uploaded them. */
const RUNS = /^site\/|\.(?:[cm]?jsx?|wasm|x?html?|xht|mht|swf)$/i;

/** Default page of a folder. */
const INDEX = 'index.html';

/** Cache of lighter versions: maximum contents, and milliseconds, because more versions may be added. */
const REMEMBERED = { max: 10_000, ttl: 30_000 };

/** Downloads a file from the bucket if necessary. Hashes in no library are skipped: anyone can make up URLs. */
async function ensureLocal({ db, media }: Services, hash: string, path: string): Promise<void> {
  if (await media.isAtHand(hash, path)) return;
  if (await isNoted(db, hash)) await media.fileOf(hash, path);
}

/**
 * The best lighter version of a file that a client accepts, downloaded from the bucket if necessary; null if there is
 * none. Until it has been made, the stored file is served.
 */
async function findLighter(
  { db, media }: Services,
  remembered: LRUCache<string, ReadonlySet<string>>,
  { hash, path, copy }: { hash: string; path: string; copy: string | undefined },
  accept: string | undefined,
): Promise<{ path: string; type: string } | null> {
  const key = `${hash}/${path}`;
  const isStored = async (found: string) => {
    if (!remembered.has(key)) remembered.set(key, await findVersions(db, { hash, entry: path }));
    return remembered.get(key)?.has(found) === true;
  };
  for (const format of acceptedFormats(path, accept)) {
    const found = lighterPath(path, format, copy === undefined ? undefined : Number(copy));
    const file = join(media.folderOf(hash), found);
    const isHere = await isThere(file);
    if (!isHere && media.bucket && (await isStored(found))) await media.fileOf(hash, found);
    if (isHere || (await isThere(file))) return { path: found, type: LIGHTER_TYPES[format] };
  }
  return null;
}

/**
 * Serves stored files by content hash: with range requests, immutable caching, and headers that keep them from running
 * on our origin.
 */
export async function serveMedia(
  app: FastifyInstance,
  services: PageServices & { ownRights: OwnRights },
): Promise<void> {
  const { media: store, workers } = services;
  const guard = new MediaGuard(services);
  const versions = new LRUCache<string, ReadonlySet<string>>(REMEMBERED);
  await app.register(fastifyStatic, { root: join(store.folderOf('0'.repeat(64)), '../../..'), serve: false });
  serveSheets(app, services, guard);
  app.get<{ Params: { hash: string; '*': string }; Querystring: { width?: string; tile?: string; level?: string } }>(
    `${MEDIA_PREFIX}/:hash/*`,
    async (request, reply) => {
      const { hash, '*': asked } = request.params;
      // A folder of an uploaded page serves its index page.
      const path = /^site\/.*\/$/.test(asked) ? `${asked}${INDEX}` : asked;
      if (!/^[0-9a-f]{64}$/.test(hash) || !isPlainPath(path)) throw new ApiError('not_found');
      const isProtected = await guard.check(request, [hash]);
      // A script on a host runs with that host's origin, so other organizations' scripts must not be served there.
      if (RUNS.test(path) && !(await isHeldBy(services.db, organizationOfHost(request), hash)))
        throw new ApiError('not_found');
      const isSite = path.startsWith('site/');
      const type = TYPES[/\.\w+$/.exec(path)?.[0].toLowerCase() ?? ''];
      reply.headers(fileHeaders(isSite ? SITE : SEALED));
      if (type) reply.type(type);
      const folder = store.folderOf(hash);
      const { width, tile, level } = request.query;
      if (level !== undefined && !(LEVELS.includes(level) && mayHaveLevels(path)))
        throw new ApiError('bad_request', { level: [`Use ${LEVELS.join(' or ')}, for a model.`] });
      const { accept } = request.headers;
      if (isProtected) reply.headers(PROTECTED_HEADERS);
      const mayDiffer = tile === undefined && mayBeLighter(path, width === undefined ? undefined : Number(width));
      if (mayDiffer && isNegotiated(path))
        reply.header('vary', isProtected ? `${PROTECTED_HEADERS.vary}, accept` : 'accept');
      const kept = cachingOf(isProtected);
      const lighter =
        mayDiffer && (await findLighter(services, versions, { hash, path, copy: level ?? width }, accept));
      if (lighter)
        return reply.type(lighter.type).sendFile(basename(lighter.path), join(folder, dirname(lighter.path)), {
          ...kept,
          ...{ dotfiles: 'allow', contentType: false },
        });
      // Not cached, because the level may be made later.
      if (level !== undefined)
        return reply.header('cache-control', 'no-store').redirect(request.url.slice(0, request.url.indexOf('?')), 302);
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
