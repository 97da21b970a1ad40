import type { z } from 'zod';
import { isPlace } from '../../../../engine/document/places.ts';
import type { calls } from '../../../contract/calls.ts';
import type { TourMergePlan } from '../../../contract/entities.ts';
import { ApiError } from '../../../contract/errors.ts';
import { timestampOf } from '../../core/clock.ts';
import type { Database } from '../../core/db/database.ts';
import type { SignedInContext } from '../../core/http/call-context.ts';
import { countLive } from '../access-tokens/queries.ts';
import { leadToPlaces, listEndpoints, listOldAddresses, pathsOf, unseenParents } from '../endpoints/queries.ts';
import { recordEndpoint } from '../endpoints/service.ts';
import { EndpointImport } from '../imports/import-endpoints.ts';
import type { Importing } from '../imports/importing.ts';
import { removeThings } from '../imports/remove-things.ts';
import { findRoom, lockRoom } from '../rooms/queries.ts';
import { readRoom } from '../rooms/read-room.ts';
import { reachableEndpoints } from '../visits/shown-rooms.ts';
import { makeTour } from './create.ts';
import { type MergedRoom, mergedDocument, problemOfRoom } from './merge-document.ts';
import { positionsOf } from './positions.ts';

type Body = z.output<typeof calls.tours.merge.body>;

/** A structure of a merged space. */
interface MergedEndpoint {
  id: number;
  path: string;
  /** Rank of its space's place. */
  rank: number;
  hasChildren: boolean;
  isProtected: boolean;
  /** Whether it, or the structure above it, is hidden. */
  isHidden: boolean;
  /** When it starts each day; null at any time. */
  starts: string | null;
}

/** The structures of spaces, in the order of the spaces; the first one will show the tour. */
async function endpointsOf(db: Database, organizationId: number, ids: readonly number[]): Promise<MergedEndpoint[]> {
  const all = await listEndpoints(db, organizationId);
  const paths = pathsOf(all, await unseenParents(db, all));
  const reachable = new Set(reachableEndpoints(all));
  return ids.flatMap((roomId, rank) =>
    all
      .filter(({ room_id }) => room_id === roomId)
      .map((row) => ({
        id: row.id,
        path: paths.get(row.id)!,
        rank,
        hasChildren: all.some(({ parent_endpoint_id }) => parent_endpoint_id === row.id),
        isProtected: row.is_protected === 1,
        isHidden: !reachable.has(row),
        starts:
          row.is_timed === 1 && row.start_time
            ? [row.start_date ?? '', row.start_time, row.time_zone ?? row.start_time_utc_offset].join(' ')
            : null,
      })),
  );
}

/**
 * Reads the spaces to merge.
 * @param find reads a space, and may lock it
 * @throws ApiError invalid, with a line for each space that can't become a place
 */
async function readRooms(
  db: Database,
  organizationId: number,
  ids: readonly number[],
  find: typeof findRoom = findRoom,
): Promise<MergedRoom[]> {
  const endpoints = await endpointsOf(db, organizationId, ids);
  const rooms: MergedRoom[] = [];
  const problems: string[] = [];
  if (new Set(ids).size < ids.length) problems.push('Choose each space only once.');
  for (const [rank, id] of ids.entries()) {
    const row = await find(db, organizationId, id);
    const room = row && (await readRoom(db, row));
    const problem = room ? problemOfRoom(room) : 'is not there; it may have been deleted.';
    if (!room || problem !== null) problems.push(`${room ? `“${room.name}”` : `Space ${id}`} ${problem}`);
    else rooms.push({ room, endpoints: endpoints.filter((endpoint) => endpoint.rank === rank) });
  }
  if (problems.length > 0) throw new ApiError('invalid', { rooms: problems });
  return rooms;
}

/**
 * Refuses to show a space to more visitors than its own structure does.
 * @throws ApiError invalid, with a line for each such structure
 */
function refuseOpening([kept, ...others]: readonly MergedEndpoint[]): void {
  if (!kept) return;
  const problems = others.flatMap(({ path, isProtected, isHidden, starts }) => {
    const lost = [
      isProtected && !kept.isProtected ? 'protected' : [],
      isHidden && !kept.isHidden ? 'hidden' : [],
      starts !== null && kept.starts === null ? 'timed' : [],
    ].flat();
    return lost.length > 0
      ? `${path} is ${lost.join(' and ')}, but ${kept.path}, which will show the tour, isn't. Give both the same settings first.`
      : [];
  });
  if (problems.length > 0) throw new ApiError('invalid', { rooms: problems });
}

/** Lets the first structure show the tour, and the addresses of the others lead to its places. */
async function moveEndpoints(
  importing: Importing,
  { endpoints, roomId, name }: { endpoints: readonly MergedEndpoint[]; roomId: number; name: string },
): Promise<void> {
  const { db, context } = importing;
  const [kept, ...others] = endpoints;
  if (!kept) return;
  const tour = await readRoom(db, (await findRoom(db, context.organizationId, roomId))!);
  const places = tour.elements.filter(isPlace).toSorted((a, b) => a.config.order_rank - b.config.order_rank);
  // Structures with others below them stay, because those would go with them.
  const staying = [kept, ...others.filter(({ hasChildren }) => hasChildren)];
  const leaving = others.filter(({ hasChildren }) => !hasChildren);
  const ranks = new Map(leaving.map(({ path, rank }) => [path, rank]));
  // One structure may have moved away from an address that another one has now.
  for (const { id, rank } of leaving)
    for (const { path } of await listOldAddresses(db, id)) if (!ranks.has(path)) ranks.set(path, rank);
  const addresses = [...ranks].map(([path, rank]) => ({ path, viewPointId: places[rank]!.id }));
  const update: Importing = { ...importing, switches: { mode: 'upsert', prune: false } };
  await (await EndpointImport.begin(update)).all(staying.map(({ path }) => ({ path, room: name })));
  if (leaving.length === 0) return;
  await removeThings(
    update,
    'endpoints',
    leaving.map(({ id }) => id),
  );
  const records = await leadToPlaces(db, context, kept.id, addresses);
  const [shown] = (await listEndpoints(db, context.organizationId)).filter(({ id }) => id === kept.id);
  // Without its row before, undo would take the structure for a new one.
  await recordEndpoint(db, context, 'update', shown!, shown!, { records, facts: { import: importing.job } });
}

async function notesOf(
  { db, context }: Importing,
  rooms: readonly MergedRoom[],
  endpoints: readonly MergedEndpoint[],
): Promise<string[]> {
  const now = timestampOf(context.clock.now());
  const notes = ['The spaces stay as they are, without a structure. Remove them when the tour is complete.'];
  if (rooms.length > 1)
    notes.push(`Description, links in the corners and other settings come from “${rooms[0]!.room.name}”.`);
  const [kept, ...others] = endpoints;
  if (kept && kept.rank > 0)
    notes.push(`“${rooms[0]!.room.name}” has no structure, so ${kept.path} shows the tour from its start.`);
  for (const { id, path, hasChildren, starts } of others) {
    if (starts !== kept!.starts)
      notes.push(`${path} starts at another time than ${kept!.path}, whose start applies to the tour.`);
    if (hasChildren) notes.push(`${path} has structures below it, so it stays and shows the tour from its start.`);
    else {
      const tokens = await countLive(db, id, now);
      if (tokens > 0)
        notes.push(
          `${path} has ${tokens} access ${tokens === 1 ? 'token, which stops' : 'tokens, which stop'} working.`,
        );
    }
  }
  return notes;
}

/**
 * Merges spaces with a panorama into one tour; a dry run only plans it.
 * @throws ApiError invalid with the spaces, forbidden or quota
 */
export async function mergeTours(context: SignedInContext, body: Body): Promise<TourMergePlan> {
  const { db, organizationId } = context;
  const { name, rooms: ids, dry_run: _, ...rest } = body;
  const planned = await readRooms(db, organizationId, ids);
  const { positions } = positionsOf(planned.map(() => ({ heading: undefined })));
  const template_id = body.template_id ?? planned[0]!.room.template_id ?? undefined;
  let endpoints: MergedEndpoint[] = [];
  let notes: string[] = [];
  let places: { links: number[]; elements: number }[] = [];
  const made = await makeTour(
    context,
    { ...body, template_id },
    {
      from: { merged: ids, name, ...rest },
      // The spaces may have changed since they were planned; within the transaction they are locked.
      documentOf: async (templateId, importing) => {
        const merged = mergedDocument(
          { name, templateId },
          await readRooms(importing.db, organizationId, ids, lockRoom),
          positions,
        );
        ({ places } = merged);
        return merged.document;
      },
      // The structures, too; within the transaction their organization is locked.
      after: async (importing, roomId) => {
        endpoints = await endpointsOf(importing.db, organizationId, ids);
        refuseOpening(endpoints);
        notes = await notesOf(importing, planned, endpoints);
        await moveEndpoints(importing, { endpoints, roomId, name });
      },
      files: planned.map(({ room }) => room.template!.file_id!),
    },
  );
  const [kept, ...others] = endpoints;
  return {
    ...made,
    endpoint_id: kept?.id ?? null,
    places: planned.map(({ room }, rank) => ({
      room_id: room.id,
      name: room.title || room.name,
      position: positions[rank]!,
      links: (places[rank]?.links ?? []).map((to) => planned[to]!.room.id),
      elements: places[rank]?.elements ?? room.elements.length,
    })),
    address: kept?.path ?? null,
    redirects: others
      .filter(({ hasChildren }) => !hasChildren)
      .map(({ path, rank }) => ({ path, room_id: planned[rank]!.room.id })),
    notes,
  };
}
