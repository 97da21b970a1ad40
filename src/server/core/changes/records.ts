import { createHash, randomUUID } from 'node:crypto';
import type { Selectable } from 'kysely';
import { type Clock, timestampOf } from '../clock.ts';
import type { Database } from '../db/database.ts';
import type { ChangeRowTable } from '../db/tables.ts';
import { WorkInPieces } from '../work-in-pieces.ts';

export type Row = Record<string, unknown>;

/** Tables whose rows are recorded, and restored, as they are. */
export type RowTable =
  | 'access_tokens'
  | 'endpoint_addresses'
  | 'endpoints'
  | 'feed_items'
  | 'feeds'
  | 'live_streams'
  | 'organizations'
  | 'posters'
  | 'room_bases'
  | 'room_commands'
  | 'templates'
  | 'users';

/** What happened to a row, or to rows that came or went together. */
export interface NewRecord {
  /** How it is reverted: the table, in most cases. */
  kind: string;
  action: 'create' | 'update' | 'delete';
  entity_id: number;
  /** What error messages call it. */
  name: string;
  /** Hash of the row after the change; undefined after a removal. */
  mark?: string | undefined;
  /** What reverting it takes; the rows before the change as `rows`. */
  content?: object;
}

/** A record without its content, which can be large. */
export type RecordHead = Pick<Selectable<ChangeRowTable>, 'id' | 'kind' | 'entity_id' | 'name' | 'mark'> & {
  action: NewRecord['action'];
};

/** A stored record. */
export interface RowRecord extends RecordHead {
  content: { rows?: Row[]; [name: string]: unknown };
}

/** Records of a batch, or only those of one entry of the change log. */
export type Which = { batch: string } | { entry: number };

/** Columns that are never recorded: whoever needs them after a restore has them issued again. */
const SECRET_COLUMNS = ['password_hash', 'secret', 'connect_hash', 'connect_expires_at', 'realtime_api_key'];

/** Columns that change without the thing itself changing. */
const UNMARKED = new Set([
  ...['updated_at', 'created_at', 'revision', 'seq', 'touches', 'last_seen_at'],
  ...['fetched_at', 'problem', 'notified_at'],
]);
/** Columns that marks of earlier versions lack, with the value that all rows had at first. */
const ADDED_LATER: Row = { shows: 'edited', time_zone: null };

/** Records that are written, and read, at once. */
const RECORDS_PER_PAGE = 500;

const batches = new WeakMap<Database, string>();

/** The batch of a change: one for each transaction. */
export function batchOf(db: Database): string {
  const batch = batches.get(db) ?? randomUUID();
  if (db.isTransaction) batches.set(db, batch);
  return batch;
}

/** A row as records have it. */
export const recordedRow = (row: object): Row =>
  Object.fromEntries(Object.entries(row).filter(([name]) => !SECRET_COLUMNS.includes(name)));

const markedColumns = (row: object) =>
  Object.entries(row).filter(
    ([name, value]) => !UNMARKED.has(name) && !(name in ADDED_LATER && value === ADDED_LATER[name]),
  );

/**
 * A hash of what a row says: the same if it is changed and changed back.
 * @param below rows that count as part of it
 */
export const markOfRow = (row: object, below: readonly object[] = []): string =>
  createHash('sha256')
    .update(JSON.stringify([markedColumns(row), below.map(markedColumns)]))
    .digest('hex');

/** The row with an id, whatever its columns. */
export async function findRow(db: Database, table: RowTable, id: number): Promise<Row | undefined> {
  return db.selectFrom(table).selectAll().where('id', '=', id).executeTakeFirst();
}

/** The mark of a row as it is; undefined if it is gone. */
export async function markOf(db: Database, table: RowTable, id: number): Promise<string | undefined> {
  const row = await findRow(db, table, id);
  return row && markOfRow(row);
}

/**
 * Writes records into the batch of the transaction, in the order in which rows went.
 * @param entry the change log's entry that restores them by itself
 */
export async function insertRecords(
  db: Database,
  { clock, organizationId }: { clock: Clock; organizationId: number },
  records: Iterable<NewRecord> | AsyncIterable<NewRecord>,
  entry: number | null = null,
): Promise<void> {
  const common = { organization_id: organizationId, batch: batchOf(db), change_id: entry };
  const at = timestampOf(clock.now());
  const work = new WorkInPieces();
  for await (const { mark = null, content = {}, ...record } of records) {
    const values = { ...common, ...record, at, mark, content: JSON.stringify(content) };
    await db.insertInto('change_rows').values(values).execute();
    await work.pause();
  }
}

/** The records of a batch, or of one of its entries. */
export const recordsOf = (db: Database, organizationId: number, which: Which) => {
  const own = db.selectFrom('change_rows').where('change_rows.organization_id', '=', organizationId);
  return 'entry' in which
    ? own.where('change_rows.change_id', '=', which.entry)
    : own.where('change_rows.batch', '=', which.batch);
};

/** Records, last first, without their content. */
export async function* listRecords(db: Database, organizationId: number, which: Which): AsyncGenerator<RecordHead> {
  for (let before = Number.MAX_SAFE_INTEGER; ; ) {
    const rows = await recordsOf(db, organizationId, which)
      .select(['id', 'kind', 'action', 'entity_id', 'mark', 'name'])
      .where('id', '<', before)
      .orderBy('id', 'desc')
      .limit(RECORDS_PER_PAGE)
      .execute();
    yield* rows as RecordHead[];
    if (rows.length < RECORDS_PER_PAGE) return;
    before = rows.at(-1)!.id;
  }
}

/** A record with its content. */
export async function readRecord(db: Database, head: RecordHead): Promise<RowRecord> {
  const query = db.selectFrom('change_rows').select('content').where('id', '=', head.id);
  return { ...head, content: JSON.parse((await query.executeTakeFirstOrThrow()).content) };
}

/** Deletes a record. */
export async function deleteRecord(db: Database, id: number): Promise<void> {
  await db.deleteFrom('change_rows').where('id', '=', id).execute();
}

/** Deletes records: the bin no longer lists their entries. @param skipped ids of those that stay */
export async function spendRecords(
  db: Database,
  organizationId: number,
  which: Which,
  skipped: readonly number[] = [],
): Promise<void> {
  let spent = recordsOf(db, organizationId, which);
  if (skipped.length > 0) spent = spent.where('change_rows.id', 'not in', skipped);
  await db
    .updateTable('changes')
    .set({ is_restorable: 0 })
    .where('id', 'in', spent.where('change_id', 'is not', null).select('change_id'))
    .execute();
  await db.deleteFrom('change_rows').where('id', 'in', spent.select('change_rows.id')).execute();
}

/** The record of rows that are removed together. */
export const removedRows = (
  kind: string,
  { id, name = '' }: { id: number; name?: string },
  rows: object[],
): NewRecord => ({
  kind,
  action: 'delete',
  entity_id: id,
  name,
  content: { rows: rows.map(recordedRow) },
});
