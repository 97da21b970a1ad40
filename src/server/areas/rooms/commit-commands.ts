import type { z } from 'zod';
import type { RoomCommand } from '../../../../engine/document/commands.ts';
import { MAX_ELEMENTS } from '../../../../engine/document/constants.ts';
import type { Element } from '../../../../engine/document/element.ts';
import { type IdMap, remapElement } from '../../../../engine/document/remap.ts';
import type { Room } from '../../../../engine/document/room.ts';
import { childrenOf, NoSuchElement } from '../../../../engine/document/tree.ts';
import type { calls } from '../../../contract/calls.ts';
import type { SentCommand } from '../../../contract/entities.ts';
import { ApiError } from '../../../contract/errors.ts';
import type { Database } from '../../base/db/database.ts';
import { takeIds } from '../../base/db/reserve-ids.ts';
import { cleanAhead } from '../../storage/workers/clean-ahead.ts';
import type { CallContext } from '../../store/call-context.ts';
import { announce, commitCommands, type Proposal } from '../../store/rooms/commit.ts';
import { findForeignId, leaseIds } from '../../store/rooms/leases-repository.ts';
import { findMutation } from '../../store/rooms/log-repository.ts';
import { recordCommitted } from '../../store/rooms/record-committed.ts';
import { lockRoom } from '../../store/rooms/rooms-repository.ts';

type Input = z.output<typeof calls.rooms.commit.body>;
type Output = z.output<typeof calls.rooms.commit.output>;
type Json = Record<string, unknown>;

/** Visits the elements that a call adds, as they came. */
function* addedBy(commands: readonly SentCommand[]): Generator<{ element: Json; index: number }> {
  const visit = function* (element: Json, index: number): Generator<{ element: Json; index: number }> {
    yield { element, index };
    if (Array.isArray(element.children)) for (const child of element.children) yield* visit(child as Json, index);
  };
  for (const [index, command] of commands.entries())
    if (command.type === 'element.add') yield* visit(command.element, index);
}

/** Gives ids to the elements that a call adds without one, by the numbers below 0 that stand for them. */
async function newIds(db: Database, commands: readonly SentCommand[]): Promise<Map<number, number>> {
  const wanted = new Set<number>();
  for (const { element } of addedBy(commands))
    if (Number.isSafeInteger(element.id) && Number(element.id) < 0) wanted.add(Number(element.id));
  if (wanted.size === 0) return new Map();
  const taken = await takeIds(db, 'elements', wanted.size);
  return new Map([...wanted].map((id, place) => [id, taken[place]!]));
}

/** Refuses ids that were not given to the space. */
async function checkIds(db: Database, roomId: number, commands: readonly SentCommand[]): Promise<void> {
  const given = new Map<number, number>();
  for (const { element, index } of addedBy(commands))
    if (typeof element.id === 'number' && element.id > 0) given.set(element.id, index);
  const foreign = await findForeignId(db, roomId, [...given.keys()]);
  if (foreign !== undefined)
    throw new ApiError('invalid', {
      [`commands.${given.get(foreign)}.element.id`]: [
        `Id ${foreign} was not given to this space. Use a number below 0, or an id of a lease.`,
      ],
    });
}

/** An element as it came, with the ids that hold here. */
function withIds(element: Json, ids: IdMap): Json {
  const children = Array.isArray(element.children)
    ? element.children.map((child) => withIds(child as Json, ids))
    : element.children;
  const own = ids.get(element.id as number) ?? element.id;
  // What is no element is refused when it is checked.
  const isWhole = typeof element.config === 'object' && element.config !== null;
  const remapped = isWhole ? remapElement(element as Element, ids) : element;
  return { ...remapped, id: own, children };
}

/** The place that a command names, in the room as it is then. */
function placeIn(room: Room, { parent, after, index }: Placed, ids: IdMap, moving: number | null) {
  const settled = parent === null ? null : (ids.get(parent) ?? parent);
  if (index !== undefined) return { parent: settled, index };
  const list = childrenOf(room.elements, settled);
  if (!list) throw new NoSuchElement(settled!);
  if (after === null) return { parent: settled, index: 0 };
  const others = list.filter(({ id }) => id !== moving);
  const behind = others.findIndex(({ id }) => id === (ids.get(after ?? 0) ?? after));
  return { parent: settled, index: behind === -1 ? MAX_ELEMENTS : behind + 1 };
}

type Placed = Pick<SentCommand & { type: 'element.move' }, 'parent' | 'after' | 'index'>;

/** A command as it came, as one that can be applied. */
const proposalOf =
  (command: SentCommand, ids: IdMap): Proposal =>
  (room) => {
    switch (command.type) {
      case 'room.update':
        return command as RoomCommand;
      case 'element.add':
        return {
          type: 'element.add',
          element: withIds(command.element, ids) as Element,
          ...placeIn(room, command, ids, null),
        };
      case 'element.move': {
        const id = ids.get(command.id) ?? command.id;
        return { type: 'element.move', id, ...placeIn(room, command, ids, id) };
      }
      default:
        return { ...command, id: ids.get(command.id) ?? command.id } as RoomCommand;
    }
  };

/** Every text of a call, for some may be HTML. */
function* textsIn(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value;
  else if (typeof value === 'object' && value !== null) for (const part of Object.values(value)) yield* textsIn(part);
}

/**
 * Changes a room by the commands of a call: all of them, or none. A call that is sent again answers what it answered.
 * @throws ApiError not_found; invalid with the index, path and reason; stale with the present place in the log
 */
export async function commitSent(context: CallContext, roomId: number, input: Input): Promise<Output> {
  const { client, mutation, commands, origin, lease } = input;
  const html = await cleanAhead(context.workers, (html) => {
    for (const text of textsIn(commands)) {
      html.page(text);
      html.richText(text);
    }
  });
  let done: (() => void) | undefined;
  const answer = await context.db.transaction().execute(async (db): Promise<Output> => {
    const row = await lockRoom(db, context.organizationId, roomId);
    if (!row) throw new ApiError('not_found');
    const leased = await leaseIds(db, context, row.id, client, lease);
    if (commands.length === 0) return { seq: row.seq, ids: {}, leased };
    const known = await findMutation(db, row.id, client, mutation);
    if (known) return { seq: known.seq, ids: JSON.parse(known.ids), leased };
    await checkIds(db, row.id, commands);
    const map = await newIds(db, commands);
    const ids = Object.fromEntries(map);
    const proposals = commands.map((command) => proposalOf(command, map));
    const source = { origin, sent: { client, mutation } };
    const committed = await commitCommands(db, context, row, source, { commands: proposals, html, ids });
    await recordCommitted(db, context, row, committed);
    done = () => announce(context, row, committed);
    return { seq: committed.seq, ids, leased };
  });
  done?.();
  return answer;
}
