import { createHash, randomUUID } from 'node:crypto';
import type { Selectable } from 'kysely';
import { type Clock, timestampOf } from '../clock.ts';
import type { Database } from '../db/database.ts';
import { everywhere } from '../db/limited.ts';
import type { ChangeRowTable } from '../db/tables.ts';
import { WorkInPieces } from '../work-in-pieces.ts';

export type Row = Record<string, unknown>;

/** Tables whose rows are recorded and restored verbatim. */
export type RowTable =
  | 'access_tokens'
  | 'block_versions'
  | 'blocks'
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

/** A change of a row, or of rows that were added or removed together. */
export interface NewRecord {
  /** Selects how it is reverted: usually the table name. */
  kind: string;
  action: 'create' | 'update' | 'delete';
  entity_id: number;
  /** Name in error messages. */
  name: string;
  /** Hash of the row after the change; undefined after a deletion. */
  mark?: string | undefined;
  /** Data for the revert; the rows before the change are in `rows`. */
  content?: object;
}

/** A record without its content, which can be large. */
export type RecordHead = Pick<Selectable<ChangeRowTable>, 'id' | 'kind' | 'entity_id' | 'name' | 'mark'> & {
  action: NewRecord['action'];
};

export interface RowRecord extends RecordHead {
  content: { rows?: Row[]; [name: string]: unknown };
}

/** Selects the records of a batch, or of one change log entry. */
export type Which = { batch: string } | { entry: number };

/** Columns that are never recorded: they have to be issued again after a restore. */
const SECRET_COLUMNS = ['password_hash', 'secret', 'connect_hash', 'connect_expires_at', 'realtime_api_key'];

/** Columns that change without the entity itself changing. */
const UNMARKED = new Set([
  ...['updated_at', 'created_at', 'revision', 'seq', 'touches', 'last_seen_at', 'last_used_at', 'checked_in_at'],
  ...['fetched_at', 'problem', 'notified_at', 'folder_id'],
]);
/** Columns missing from marks of earlier versions, with their initial value. */
const ADDED_LATER: Row = {
  shows: 'edited',
  time_zone: null,
  note: null,
  group_name: null,
  start_date: null,
  block_id: null,
  block_version: null,
  limits: null,
  accent_color: null,
  video_file_id: null,
  translations: '{}',
  branch_of: null,
  kiosk_seconds: null,
  suspended_at: null,
  delete_after: null,
};

/** Whether a column was added later and has its initial value. Organizations had accent colors before others did. */
const isAddedLater = (row: object, name: string, value: unknown): boolean =>
  name in ADDED_LATER && value === ADDED_LATER[name] && !(name === 'accent_color' && 'embed_domains' in row);

/** Records per read or write. */
const RECORDS_PER_PAGE = 500;

const batches = new WeakMap<Database, string>();

/** Batch id of a change: one per transaction. */
export function batchOf(db: Database): string {
  const whole = everywhere(db);
  const batch = batches.get(whole) ?? randomUUID();
  if (db.isTransaction) batches.set(whole, batch);
  return batch;
}

/** A row in its recorded form. */
export const recordedRow = (row: object): Row =>
  Object.fromEntries(Object.entries(row).filter(([name]) => !SECRET_COLUMNS.includes(name)));

const markedColumns = (row: object) =>
  Object.entries(row).filter(([name, value]) => !UNMARKED.has(name) && !isAddedLater(row, name, value));

/**
 * Hash of a row's content: equal again if a change is undone.
 * @param below rows that count as part of it
 */
export const markOfRow = (row: object, below: readonly object[] = []): string =>
  createHash('sha256')
    .update(JSON.stringify([markedColumns(row), below.map(markedColumns)]))
    .digest('hex');

/** The row with an id, with all columns. */
export async function findRow(db: Database, table: RowTable, id: number): Promise<Row | undefined> {
  return db.selectFrom(table).selectAll().where('id', '=', id).executeTakeFirst();
}

/** The current mark of a row; undefined if the row is gone. */
export async function markOf(db: Database, table: RowTable, id: number): Promise<string | undefined> {
  const row = await findRow(db, table, id);
  return row && markOfRow(row);
}

/**
 * Writes records into the transaction's batch, in removal order.
 * @param entry the change log entry that can restore them separately
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

/** Records without their content, last first. */
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

export async function deleteRecord(db: Database, id: number): Promise<void> {
  await db.deleteFrom('change_rows').where('id', '=', id).execute();
}

/** Deletes records: the bin no longer lists their entries. @param skipped ids of records to keep */
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

/** The record of rows that are deleted together. */
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
