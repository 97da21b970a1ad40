import { isSame } from '../../../../engine/document/field-paths.ts';
import type { Room } from '../../../../engine/document/room.ts';
import { ApiError } from '../../../contract/errors.ts';
import { markOfRow } from '../../core/changes/records.ts';
import type { Kind, Reverting } from '../../core/changes/revert.ts';
import type { Database } from '../../core/db/database.ts';
import type { SignedInContext } from '../../core/http/call-context.ts';
import { withoutMissingFiles } from '../media/queries.ts';
import { announce, commitDocument } from '../rooms/commit.ts';
import { readDocument } from '../rooms/document-cache.ts';
import { listElements } from '../rooms/elements-repository.ts';
import { findRoom, lockRoom } from '../rooms/queries.ts';
import { roomAt } from '../rooms/read-room.ts';
import type { RemovedBranch } from '../rooms/record-element.ts';
import {
  type RemovedRoom,
  type Restored,
  removeRoomIn,
  restoreBranch,
  restoreRoom,
  roomOfRows,
} from '../rooms/remove-room.ts';
import { findTemplate } from '../templates/queries.ts';

type By = Reverting<SignedInContext>;

/** The mark of a room: a hash of its row and its elements. */
export async function markOfRoom(db: Database, organizationId: number, id: number): Promise<string | undefined> {
  const row = await findRoom(db, organizationId, id);
  return row && markOfRow(row, await listElements(db, id));
}

/** A document without references that no longer exist. */
async function withoutGone({ db, context, missing }: By, room: Room): Promise<Room> {
  const { organizationId } = context;
  const { rows: elements, missing: gone } = await withoutMissingFiles(db, organizationId, room.elements);
  const hasTemplate = room.template_id === null || (await findTemplate(db, organizationId, room.template_id));
  missing.push(...gone, ...(hasTemplate ? [] : [`Template ${room.template_id}`]));
  return { ...room, elements, template_id: hasTemplate ? room.template_id : null };
}

function restored(reverting: By, { id, roomId, missing }: Restored): number {
  reverting.missing.push(...missing);
  reverting.restored = { id, roomId };
  return 1;
}

export const rooms: Kind<SignedInContext> = {
  entity: 'room',
  isNoted: (action) => action !== 'update',
  mark: async ({ db, context }, { entity_id, mark, content }) => {
    if (mark !== null) return markOfRoom(db, context.organizationId, entity_id);
    const row = await findRoom(db, context.organizationId, entity_id);
    if (!row) return undefined;
    // The log shows whether the room is in its former state.
    const then = await roomAt(db, context.organizationId, entity_id, Number(content.seq));
    return then && isSame(then, await readDocument(db, row)) ? null : '';
  },
  create: async ({ db, context }, { entity_id }) => {
    await removeRoomIn(db, context, entity_id);
    return 1;
  },
  update: async (reverting, { entity_id, name, mark, content }) => {
    const { db, context, later } = reverting;
    const row = (await lockRoom(db, context.organizationId, entity_id))!;
    const now = await context.documents.ofLocked(db, row);
    // Imports before 0.17 recorded the whole room.
    const then =
      'room' in content
        ? roomOfRows(content as typeof content & RemovedRoom)
        : await roomAt(db, context.organizationId, entity_id, Number(content.seq) - 1);
    if (!then)
      throw new ApiError('invalid', `The changes to ${name} can't be undone: its log no longer includes them.`);
    const { id: _id, version: _version, template: _template, ...fields } = await withoutGone(reverting, then);
    const origin = mark === null ? 'restore' : 'import';
    const committed = await commitDocument(db, context, row, { origin }, { ...now, ...fields });
    later.push(() => announce(context, row, committed));
    return 1;
  },
  delete: async (reverting, { content }) =>
    restored(reverting, await restoreRoom(reverting.db, reverting.context, content as typeof content & RemovedRoom)),
};

export const elements: Kind<SignedInContext> = {
  entity: 'element',
  isLogged: true,
  isNoted: () => true,
  delete: async (reverting, { content }) => {
    const { done, ...back } = await restoreBranch(
      reverting.db,
      reverting.context,
      content as typeof content & RemovedBranch,
    );
    reverting.later.push(done);
    return restored(reverting, back);
  },
};
