import { nestedRoom } from '../../../../engine/document/room.ts';
import type { AdminRoom } from '../../../contract/entities.ts';
import { ApiError } from '../../../contract/errors.ts';
import { pageMeta } from '../../core/db/paging.ts';
import { CachedResponse } from '../../core/http/cached-response.ts';
import type { CallContext } from '../../core/http/call-context.ts';
import type { Handlers } from '../../core/http/handler.ts';
import { findFiles, findRoomFiles } from '../media/queries.ts';
import { choosePosterOf, readPosterOf, removePosterOf } from '../posters/service.ts';
import { entryPoliciesOf } from '../users/queries.ts';
import { copyRoom, createRoom } from './create-room.ts';
import {
  addElement,
  changeElement,
  copyElement,
  hideElement,
  readElementRow,
  removeElement,
  sortElements,
} from './edit-elements.ts';
import { listAllElements, listElements } from './elements-repository.ts';
import { findRoom, type ListedRoom, listRooms, ROOM, type RoomListFacts, roomListFacts } from './queries.ts';
import { readBranch, readRoom, timestamps } from './read-room.ts';
import { removeRoom } from './remove-room.ts';
import { asElementRow, withWholePosition } from './rows.ts';
import { commitSent, drawPoster, moveRoom, readLog, updateRoom } from './service.ts';

async function one(context: CallContext, id: number): Promise<AdminRoom> {
  const row = await findRoom(context.db, context.organizationId, id);
  if (!row) throw new ApiError('not_found');
  return {
    ...nestedRoom(await readRoom(context.db, row)),
    ...timestamps(context.clock),
    updated_at: row.updated_at,
    ...(row.branch_of !== null && { branch_of: row.branch_of }),
    policies: entryPoliciesOf(context, 'rooms'),
  };
}

/** A space in a list, field by field: objects of the same shape serialize to JSON much faster. */
const asRow = (
  { id, name, title, template_id, folder_id, updated_at }: ListedRoom,
  policies: ReturnType<typeof entryPoliciesOf>,
  facts: RoomListFacts | undefined,
) => ({
  id,
  name,
  title,
  template_id,
  folder_id,
  updated_at,
  poster_url: facts?.poster ?? null,
  used_in: facts?.usedIn ?? [],
  edited_at: facts?.edited && facts.edited.at > updated_at ? facts.edited.at : updated_at,
  edited_by: facts?.editor ?? null,
  policies,
});

export const rooms: Handlers<'rooms'> = {
  list: async (context, { query }) => {
    const { rows, total } = await listRooms(context.db, context.organizationId, query);
    const policies = entryPoliciesOf(context, 'rooms');
    const facts = await roomListFacts(
      context.db,
      context.organizationId,
      rows.map(({ id }) => id),
    );
    return { data: rows.map((row) => asRow(row, policies, facts.get(row.id))), meta: pageMeta(total, query) };
  },

  read: async (context, { params, query }) => {
    const room = await context.roomCache.find(context.db, context.organizationId, params.id, 'admin');
    if (!room) throw new ApiError('not_found');
    const policies = entryPoliciesOf(context, 'rooms');
    const front = {
      ...timestamps(context.clock),
      updated_at: room.updatedAt,
      ...(room.branchOf !== null && { branch_of: room.branchOf }),
      policies,
      ...(query.seq === '1' && { seq: room.seq }),
    };
    const tag = `${room.tag}.${query.seq === '1' ? `${room.seq}.` : ''}${Date.parse(room.updatedAt).toString(36)}.${Number(policies.update)}${Number(policies.delete)}`;
    return CachedResponse.of(tag, front, room.bytes);
  },

  create: async (context, { body }) => one(context, await createRoom(context, body)),

  update: async (context, { params, body }) => {
    await updateRoom(context, params.id, body);
    return one(context, params.id);
  },

  remove: async (context, { params }) => {
    await removeRoom(context, params.id);
    return null;
  },

  copy: async (context, { params }) => one(context, await copyRoom(context, params.id)),

  move: async (context, { params, body }) => {
    await moveRoom(context, params.id, body.folder_id);
    return { id: params.id, folder_id: body.folder_id };
  },

  readPoster: async (context, { params }) => readPosterOf(context, ROOM, params.id),

  drawPoster: async (context, { params, file }) => drawPoster(context, params.id, file),

  choosePoster: async (context, { params, body }) => choosePosterOf(context, ROOM, params.id, body.file_id),

  removePoster: async (context, { params }) => {
    await removePosterOf(context, ROOM, params.id);
    return null;
  },

  addElement: async (context, { params, body }) => addElement(context, params.id, withWholePosition(body)),

  commit: async (context, { params, body }) => commitSent(context, params.id, body),

  log: async (context, { params, query }) => readLog(context, params.id, query),
};

export const elements: Handlers<'elements'> = {
  list: async ({ db, clock, organizationId }, { query }) => {
    const now = clock.now() / 1000;
    const { room_id, page, per_page } = query;
    if (room_id === undefined) {
      const rows = await listAllElements(db, organizationId, { page, per_page });
      const files = await findFiles(
        db,
        organizationId,
        rows.map(({ file_id }) => file_id),
      );
      return rows.map((row) => asElementRow(row, files, now));
    }
    if (!(await findRoom(db, organizationId, room_id))) throw new ApiError('not_found');
    const files = await findRoomFiles(db, organizationId, room_id, []);
    return (await listElements(db, room_id)).map((row) => asElementRow(row, files, now));
  },

  read: async (context, { params }) => readBranch(context, params.id),

  update: async (context, { params, body }) => changeElement(context, params.id, body),

  remove: async (context, { params }) => {
    await removeElement(context, params.id);
    return null;
  },

  copy: async (context, { params }) => copyElement(context, params.id),

  hide: async (context, { params }) => {
    await hideElement(context, params.id, params.hidden === '1');
    return readElementRow(context, params.id);
  },

  reorder: async (context, { body }) => {
    await sortElements(context, body.sort);
    return null;
  },

  position: async (context, { params, body }) => {
    return changeElement(context, params.id, withWholePosition(body));
  },
};
