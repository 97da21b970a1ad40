import type { z } from 'zod';
import type { IdMap } from '../../../../engine/document/remap.ts';
import type { Room } from '../../../../engine/document/room.ts';
import type { calls } from '../../../contract/calls.ts';
import { MAX_PROPOSALS, type Proposal, type ProposalReview } from '../../../contract/entities.ts';
import { ApiError } from '../../../contract/errors.ts';
import { recordChange } from '../../core/changes/record-change.ts';
import { nextTimestamp } from '../../core/clock.ts';
import type { Database } from '../../core/db/database.ts';
import { reserveIds } from '../../core/db/reserve-ids.ts';
import type { CallContext } from '../../core/http/call-context.ts';
import { orNotFound } from '../../core/http/found.ts';
import { fillRoom } from '../revisions/make-revision.ts';
import { packRoom, type RevisionContent, unpackRoom } from '../revisions/queries.ts';
import { cleanContent, replaceContent } from '../revisions/restore-revision.ts';
import { announce } from '../rooms/commit.ts';
import { copyRoomIn } from '../rooms/create-room.ts';
import { readDocument } from '../rooms/document-cache.ts';
import { deleteRoom, findRoom, lockRoom, type StoredRoom } from '../rooms/queries.ts';
import { type MergedSides, mergeProposal, proposedChanges, withIds } from './merge.ts';
import {
  countOpen,
  findProposal,
  insertProposal,
  type ListedProposal,
  lockProposal,
  type StoredProposal,
  updateProposal,
} from './queries.ts';

/** A proposal in the format of the API. */
export const asProposal = (row: ListedProposal): Proposal => ({
  id: row.id,
  name: row.name,
  note: row.note,
  state: row.state as Proposal['state'],
  is_agent: row.is_agent === 1,
  room_id: row.room_id,
  room_title: row.room_title,
  branch_id: row.branch_id,
  at: row.created_at,
  user: row.author_name ? { id: row.user_id, name: row.author_name } : null,
  closed_at: row.closed_at,
  closed_by: row.closed_by,
});

/** Ids of elements in the proposal's space by those in the space to change. */
const idsOf = ({ element_ids }: Pick<StoredProposal, 'element_ids'>): IdMap => new Map(JSON.parse(element_ids));
const inverse = (ids: IdMap): IdMap => new Map([...ids].map(([from, to]) => [to, from]));

/** The sides of a merge, with what the proposed content refers to by name. */
async function sidesOf(
  db: Database,
  proposal: Pick<StoredProposal, 'base' | 'element_ids'>,
  { room, branch }: { room: StoredRoom; branch: StoredRoom },
): Promise<MergedSides & { names: Omit<RevisionContent, 'room'> }> {
  const base = await unpackRoom(proposal.base);
  const { room: proposed, ...names } = await unpackRoom((await packRoom(db, branch)).content);
  return {
    base: base.room,
    ours: await readDocument(db, room),
    theirs: withIds(proposed, room.id, inverse(idsOf(proposal))),
    names,
  };
}

/** A proposal with the changes that merging it makes. @throws ApiError not_found */
export async function reviewProposal(context: CallContext, id: number): Promise<ProposalReview> {
  const { db, organizationId } = context;
  const row = orNotFound(await findProposal(db, organizationId, id));
  const room = orNotFound(await findRoom(db, organizationId, row.room_id));
  const branch = row.branch_id === null ? undefined : await findRoom(db, organizationId, row.branch_id);
  const closed = { ...asProposal(row), changes: [], seq: room.seq, branch_seq: null, element_ids: {} };
  if (!branch) return closed;
  const sides = await sidesOf(db, row, { room, branch });
  const changes = await proposedChanges(sides, (document) => fillRoom(db, organizationId, document));
  return { ...closed, changes, branch_seq: branch.seq, element_ids: Object.fromEntries(idsOf(row)) };
}

/**
 * Creates a proposal for a space, with a copy of its content.
 * @returns its id
 * @throws ApiError not_found, too_many, too_large, or invalid for a space that is itself proposed content
 */
export async function createProposal(
  context: CallContext,
  roomId: number,
  { name, note, is_agent }: z.output<typeof calls.proposals.create.body>,
): Promise<number> {
  const { organizationId, user, clock } = context;
  return context.db.transaction().execute(async (db) => {
    const room = orNotFound(await lockRoom(db, organizationId, roomId));
    if (room.branch_of !== null)
      throw new ApiError('invalid', 'This is the content of a proposal. Change it directly.');
    if ((await countOpen(db, room.id)) >= MAX_PROPOSALS)
      throw new ApiError('too_many', `A space can have at most ${MAX_PROPOSALS} open proposals. Close one first.`);
    const { content } = await packRoom(db, room);
    const branch = await copyRoomIn(db, context, room, room.id);
    const at = nextTimestamp(clock);
    const id = await insertProposal(db, {
      organization_id: organizationId,
      room_id: room.id,
      branch_id: branch.id,
      name,
      note,
      state: 'open',
      is_agent: Number(is_agent),
      base: content,
      element_ids: JSON.stringify([...branch.ids]),
      user_id: user?.userId ?? null,
      author_name: user?.name ?? '',
      created_at: at,
      updated_at: at,
    });
    await recordProposal(db, context, room, { proposal: name });
    return id;
  });
}

const recordProposal = (db: Database, context: CallContext, room: StoredRoom, facts: object): Promise<unknown> =>
  recordChange(db, context, {
    action: 'update',
    entity: 'room',
    entity_id: room.id,
    room_id: room.id,
    name: room.title,
    facts,
  });

/** An open proposal with its spaces, all locked. */
interface Open {
  proposal: StoredProposal;
  room: StoredRoom;
  branch: StoredRoom;
}

/** @throws ApiError not_found, or invalid for a closed proposal */
async function lockOpen(db: Database, organizationId: number, id: number): Promise<Open> {
  const known = orNotFound(await findProposal(db, organizationId, id));
  // Spaces first, the order of every other change.
  const room = orNotFound(await lockRoom(db, organizationId, known.room_id));
  const branch = known.branch_id === null ? undefined : await lockRoom(db, organizationId, known.branch_id);
  const proposal = orNotFound(await lockProposal(db, organizationId, id));
  if (!branch || proposal.state !== 'open')
    throw new ApiError(
      'invalid',
      proposal.state === 'merged' ? 'This proposal has been merged.' : 'This proposal has been discarded.',
    );
  return { proposal, room, branch };
}

/** Closes a proposal and deletes its content. */
async function close(
  db: Database,
  { user, clock }: CallContext,
  { proposal, branch }: Open,
  state: 'merged' | 'discarded',
): Promise<void> {
  const at = nextTimestamp(clock);
  await updateProposal(db, proposal.id, {
    state,
    branch_id: null,
    base: '',
    element_ids: '[]',
    closed_at: at,
    closed_by: user?.name ?? '',
    updated_at: at,
  });
  await deleteRoom(db, branch.id);
}

/** The merged room, whose new elements get ids of their own. */
async function withNewIds(db: Database, merged: Room, { base, ours }: MergedSides): Promise<Room> {
  const known = new Set([...base.elements, ...ours.elements].map(({ id }) => id));
  const added = merged.elements.filter(({ id }) => !known.has(id));
  const reserved = await reserveIds(db, 'elements', added.length);
  return withIds(merged, merged.id, new Map(added.map(({ id }, index) => [id, reserved[index]!])));
}

/**
 * Merges a proposal into its space as one change of the log, and closes it.
 * @throws ApiError not_found; invalid for a closed proposal; stale if the space or the proposal has changed since; forbidden
 * for an API key that may not publish, if visitors see the space as it is edited
 */
export async function mergeOpen(
  context: CallContext,
  id: number,
  { without, ...reviewed }: z.output<typeof calls.proposals.merge.body>,
): Promise<void> {
  const { organizationId } = context;
  const known = orNotFound(await findProposal(context.db, organizationId, id));
  const ahead = known.branch_id === null ? undefined : await findRoom(context.db, organizationId, known.branch_id);
  const room = orNotFound(await findRoom(context.db, organizationId, known.room_id));
  // Both sides are sanitized ahead; the sequence numbers prove that they are the ones that are merged.
  const html =
    ahead &&
    (await cleanContent(
      context,
      mergeProposal(await sidesOf(context.db, known, { room, branch: ahead }), new Set(without)),
    ));
  const done = await context.db.transaction().execute(async (db) => {
    const open = await lockOpen(db, organizationId, id);
    const { seq = room.seq, branch_seq = ahead?.seq } = reviewed;
    if (open.room.seq !== seq || open.branch.seq !== branch_seq || !html)
      throw new ApiError('stale', 'The space or the proposal has changed since. Look at the changes again.');
    const sides = await sidesOf(db, open.proposal, open);
    const merged = await withNewIds(db, mergeProposal(sides, new Set(without)), sides);
    const content = { ...sides.names, room: merged };
    const current = await context.documents.ofLocked(db, open.room);
    const replacing = { db, context, row: open.room, room: current, content, missing: new Set<string>(), html };
    const facts = { merged: open.proposal.name };
    const committed = await replaceContent(replacing, { origin: 'proposal' }, { action: 'update', facts });
    await close(db, context, open, 'merged');
    return () => announce(context, open.room, committed);
  });
  done();
}

/**
 * Discards a proposal: its content is deleted.
 * @throws ApiError not_found, or invalid for a closed proposal
 */
export async function discardOpen(context: CallContext, id: number): Promise<void> {
  await context.db.transaction().execute(async (db) => {
    const open = await lockOpen(db, context.organizationId, id);
    await close(db, context, open, 'discarded');
    await recordProposal(db, context, open.room, { discarded: open.proposal.name });
  });
}
