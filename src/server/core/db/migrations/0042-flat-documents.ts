import { type Kysely, PostgresAdapter, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { Draft, liftCommand, type OlderCommand, type RoomCommand } from '../../../../../engine/document/commands.ts';
import type { Element } from '../../../../../engine/document/element.ts';
import { flatRoom, type NestedRoom } from '../../../../../engine/document/room.ts';
import { withKeys } from '../../../../../engine/document/sibling-keys.ts';
import { unpackText } from '../../packed-text.ts';
import { columnsFor } from './columns.ts';

/** The tables as of this migration. */
interface Tables {
  rooms: { id: number };
  elements: { id: number; room_id: number; parent_element_id: number | null; order_rank: number; index: string };
  room_bases: { room_id: number; content: string };
  room_commands: { id: number; room_id: number; seq: number; commands: string; inverses: string };
}

/** Maximum document size in bytes. */
const MAX_DOCUMENT_BYTES = 128 * 1024 * 1024;
/** Rows per write, and entries per read. */
const BATCH = 500;
const ENTRIES = 50;

type Row = Pick<Tables['elements'], 'id' | 'parent_element_id'>;

/** Rows in tree order. @param rows siblings in order */
function inTreeOrder(rows: readonly Row[]): Row[] {
  const below = Map.groupBy(rows, ({ parent_element_id }) => parent_element_id);
  const visit = (row: Row): Row[] => [row, ...(below.get(row.id) ?? []).flatMap(visit)];
  return (below.get(null) ?? []).flatMap(visit);
}

/** A log entry converted to this version and applied to the draft. */
function lifted(draft: Draft, text: string): { commands: RoomCommand[]; inverses: RoomCommand[] } {
  const commands: RoomCommand[] = [];
  const inverses: RoomCommand[] = [];
  for (const each of JSON.parse(text) as OlderCommand[]) {
    const { command, inverse } = draft.apply(liftCommand((parent) => draft.below(parent), each));
    commands.push(command);
    inverses.unshift(inverse);
  }
  return { commands, inverses };
}

/** The same for an entry that doesn't follow from the previous ones, because something changed outside the log. */
const liftedAlone = (text: string): RoomCommand[] =>
  (JSON.parse(text) as OlderCommand[]).map((command) => liftCommand(() => [], command));

/** Converts a room's log to this version. @returns the resulting document; null if the log is incomplete */
async function liftLog(db: Kysely<Tables>, roomId: number): Promise<Element[] | null> {
  const base = await db.selectFrom('room_bases').select('content').where('room_id', '=', roomId).executeTakeFirst();
  const content = base && (JSON.parse(await unpackText(base.content, MAX_DOCUMENT_BYTES)) as NestedRoom);
  let draft = content && new Draft(flatRoom(content));
  for (let after = 0; ; ) {
    const entries = await db
      .selectFrom('room_commands')
      .select(['id', 'seq', 'commands', 'inverses'])
      .where('room_id', '=', roomId)
      .where('seq', '>', after)
      .orderBy('seq')
      .limit(ENTRIES)
      .execute();
    for (const { id, commands, inverses } of entries) {
      let entry: ReturnType<typeof lifted> | undefined;
      try {
        entry = draft && lifted(draft, commands);
      } catch (error) {
        if (!(error instanceof RangeError)) throw error;
        draft = undefined;
      }
      entry ??= { commands: liftedAlone(commands), inverses: liftedAlone(inverses) };
      const values = { commands: JSON.stringify(entry.commands), inverses: JSON.stringify(entry.inverses) };
      await db.updateTable('room_commands').set(values).where('id', '=', id).execute();
    }
    if (entries.length < ENTRIES) return draft ? draft.room.elements : null;
    after = Number(entries.at(-1)!.seq);
  }
}

/** Keys for a room's rows: those from its log if it leads to the same rows. */
function keysFor(rows: readonly Row[], known: readonly Element[] | null): Map<number, string> {
  const isKnown =
    known?.length === rows.length &&
    rows.every((row, at) => row.id === known[at]!.id && row.parent_element_id === known[at]!.parent_element_id);
  const elements = isKnown ? known : withKeys(rows.map((row) => ({ ...row, index: '' }) as Element));
  return new Map(elements.map(({ id, index }) => [id, index]));
}

async function storeKeys(db: Kysely<Tables>, keys: readonly [number, string][]): Promise<void> {
  for (let start = 0; start < keys.length; start += BATCH) {
    const batch = keys.slice(start, start + BATCH);
    const cases = batch.map(([id, key]) => sql`when ${sql.lit(id)} then ${sql.lit(key)}`);
    await db
      .updateTable('elements')
      .set({ index: sql<string>`case id ${sql.join(cases, sql` `)} end` })
      .where(
        'id',
        'in',
        batch.map(([id]) => id),
      )
      .execute();
  }
}

/**
 * Document version 2: elements are ordered among siblings by keys instead of numbers, in rows and in the rooms' logs.
 */
export const flatDocuments: Migration = {
  up: async (untyped: Kysely<unknown>) => {
    const db = untyped as Kysely<Tables>;
    const { index } = columnsFor(untyped);
    const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter;
    // Keys compare bytewise, whatever the database's collation.
    const type = isPostgres ? sql`text collate "C"` : sql`text`;
    await db.schema
      .alterTable('elements')
      .addColumn('index', type, (column) => column.notNull().defaultTo(''))
      .execute();
    const rooms = await db.selectFrom('rooms').select('id').orderBy('id').execute();
    for (const room of rooms) {
      const id = Number(room.id);
      const rows = await db
        .selectFrom('elements')
        .select(['id', 'parent_element_id'])
        .where('room_id', '=', id)
        .orderBy('order_rank')
        .orderBy('id')
        .execute();
      const known = await liftLog(db, id);
      await storeKeys(db, [...keysFor(inTreeOrder(rows), known)]);
    }
    await db.schema.dropIndex('elements_room_id_parent_element_id_order_rank').execute();
    await db.schema.dropIndex('elements_room_id_order_rank_id').execute();
    await db.schema.alterTable('elements').dropColumn('order_rank').execute();
    await index('elements', ['room_id', 'index', 'id']);
  },
};
