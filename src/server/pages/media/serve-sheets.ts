import type { FastifyInstance } from 'fastify';
import { ApiError } from '../../../contract/errors.ts';
import { isThere } from '../../core/disk.ts';
import {
  findSheet,
  noteUse,
  planSheets,
  replanSheet,
  SHEET_ENTRY,
  type Sheet,
} from '../../features/media/image-sheets.ts';
import { SHEET_PREFIX, sheetsOf } from '../../features/media/room-sheets.ts';
import { organizationOfHost } from '../../features/organizations/hosts.ts';
import { findShownRoom, type ShownState } from '../../features/publications/published.ts';
import type { PageServices } from '../../features/visits/read-visit.ts';
import { cachingOf, fileHeaders, PROTECTED_HEADERS, SEALED } from './file-headers.ts';
import type { MediaGuard } from './media-guard.ts';

/** Largest id in a URL. */
const ID = /^[1-9]\d{0,14}$/;

/** The state of a room in a URL; null if it is none. */
function stateIn({ room, state }: { room: string; state: string }): ShownState | null {
  if (!ID.test(room) || !(state === 'edited' || ID.test(state))) return null;
  return { roomId: Number(room), revisionId: state === 'edited' ? null : Number(state) };
}

/**
 * Serves the sheets of small images that rooms with many load; those that don't exist are planned. A sheet contains the
 * images of one room, and loading it requires access to each of them.
 */
export function serveSheets(app: FastifyInstance, services: PageServices, guard: MediaGuard): void {
  const { db, clock, media, roomCache, settings } = services;

  /** A sheet, which is planned if the room has it. @throws ApiError not_found */
  const findOrPlan = async (organizationId: number, hash: string, state: ShownState): Promise<Sheet> => {
    const known = await findSheet(db, organizationId, hash);
    if (known) return known;
    const room = settings.OPTIMIZE_MEDIA
      ? await findShownRoom({ db, roomCache }, organizationId, state, 'page')
      : undefined;
    const sheets = room ? sheetsOf(organizationId, room.document) : [];
    if (!sheets.some((sheet) => sheet.hash === hash)) throw new ApiError('not_found');
    await planSheets(db, clock, organizationId, sheets);
    const planned = await findSheet(db, organizationId, hash);
    if (!planned) throw new ApiError('unavailable');
    return planned;
  };

  app.get<{ Params: { room: string; state: string; name: string } }>(
    `${SHEET_PREFIX}/:room/:state/:name`,
    async (request, reply) => {
      const [, hash] = /^([0-9a-f]{64})\.webp$/.exec(request.params.name) ?? [];
      const state = stateIn(request.params);
      if (!hash || !state) throw new ApiError('not_found');
      const sheet = await findOrPlan(organizationOfHost(request), hash, state);
      const isProtected = await guard.check(
        request,
        sheet.files.map((file) => file.hash),
      );
      reply.headers(fileHeaders(SEALED));
      const isPacked = sheet.bytes !== null && (await isThere(await media.fileOf(hash, SHEET_ENTRY)));
      if (sheet.bytes !== null && !isPacked) await replanSheet(db, clock, sheet);
      // It could not be packed.
      if (sheet.bytes === null && sheet.next_at === null) throw new ApiError('not_found');
      if (!isPacked) return reply.code(202).header('cache-control', 'no-store').send();
      if (isProtected) reply.headers(PROTECTED_HEADERS);
      await noteUse(db, clock, sheet);
      return reply.sendFile(SHEET_ENTRY, media.folderOf(hash), { ...cachingOf(isProtected), dotfiles: 'allow' });
    },
  );
}
