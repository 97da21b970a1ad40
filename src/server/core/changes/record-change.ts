import type { ChangeAction, ChangedEntity } from '../../../contract/entities.ts';
import { type Clock, timestampOf } from '../clock.ts';
import type { Database } from '../db/database.ts';
import { batchOf, insertRecords, markOf, type NewRecord, type Row, type RowTable, recordedRow } from './records.ts';

/** Columns that say nothing about the thing itself, and those that nobody may read. */
const LEFT_OUT = new Set([
  'id',
  'organization_id',
  'created_at',
  'updated_at',
  'revision',
  'touches',
  'version',
  'last_seen_at',
  'last_used_at',
  'token',
  'normal',
  'holder_name',
  'holder_email',
  'token_hash',
  'key_hash',
  'hint',
  'password_hash',
  'preferences',
  'secret',
  'connect_hash',
  'realtime_api_key',
]);
/** Columns that hold JSON as text. */
const JSON_COLUMNS = new Set(['config', 'moderation', 'angle', 'policies', 'embed_domains', 'texts', 'body']);
/** Columns that hold 0 or 1. */
const BOOLEAN_FIELDS = new Set([
  'hidden',
  'is_active',
  'is_visible',
  'is_timed',
  'show_countdown',
  'is_protected',
  'has_statistics',
  'has_statistics_poses',
]);

function readColumn(name: string, value: unknown): unknown {
  if (JSON_COLUMNS.has(name) && typeof value === 'string') return JSON.parse(value);
  return BOOLEAN_FIELDS.has(name) && typeof value === 'number' ? value === 1 : value;
}

/** A row as the change log shows it: JSON read, flags as true and false, without what nobody may read. */
function fieldsOfRow(row: object): Row {
  const entries = Object.entries(row).filter(([name]) => !LEFT_OUT.has(name));
  const { body, ...fields } = Object.fromEntries(entries.map(([name, value]) => [name, readColumn(name, value)]));
  // An element keeps most of its fields in one column.
  return body ? { ...fields, ...(body as Row) } : fields;
}

const isPlain = (value: unknown): value is Row => typeof value === 'object' && value !== null && !Array.isArray(value);

/** The fields in which two objects differ, as they are in each; undefined when there are none. */
function changedFields(before: Row, after: Row): { before: Row; after: Row } | undefined {
  const old: Row = {};
  const current: Row = {};
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [was, is] = [before[name] ?? null, after[name] ?? null];
    if (isPlain(was) && isPlain(is)) {
      const inner = changedFields(was, is);
      if (inner) [old[name], current[name]] = [inner.before, inner.after];
    } else if (JSON.stringify(was) !== JSON.stringify(is)) [old[name], current[name]] = [was, is];
  }
  return Object.keys(current).length > 0 ? { before: old, after: current } : undefined;
}

/** In whose name something is changed; no user for the server itself. Every call's context is one. */
export interface Author {
  clock: Clock;
  organizationId: number;
  user: { userId: number } | null;
}

/** What was done, to what. */
export interface NewChange {
  action: ChangeAction;
  entity: ChangedEntity;
  entity_id: number;
  room_id?: number | null;
  name: string;
  /** The row as it was; where there is one after as well, the fields that changed are picked out of both. */
  before?: object | null;
  /** The row as it is. */
  after?: object | null;
  /** What is to be said besides the fields, such as counts. */
  facts?: object;
  /** Place of the entry of the space's log that it belongs to; 0 for the space as it was added. */
  seq?: number;
  /** The whole row as it was, if `before` shows only a part of it; null where nothing is to be reverted. */
  row?: object | null;
  /** What error messages call it while it can be reverted; its name if left out. */
  key?: string;
  /** Records of rows that come or go with it, in the order in which they go; read before the change is recorded. */
  records?: Iterable<NewRecord> | AsyncIterable<NewRecord>;
  /** Whether the bin restores what was removed. */
  isRestorable?: boolean;
}

/** Tables of which the row of a thing is recorded. */
const TABLES: Partial<Record<ChangedEntity, RowTable>> = {
  access_token: 'access_tokens',
  endpoint: 'endpoints',
  feed: 'feeds',
  live_stream: 'live_streams',
  organization: 'organizations',
  template: 'templates',
  user: 'users',
};

const isWhole = (row: object | null | undefined): boolean => !!row && 'id' in row && 'updated_at' in row;

/** The record of the thing itself; none if nothing reverts the change. */
async function ownRecord(db: Database, change: NewChange): Promise<NewRecord[]> {
  const { action, entity, entity_id, before, after, name, key = name } = change;
  const { row = isWhole(before) ? before : undefined } = change;
  // Whatever else happens to a room is in its log.
  if (entity === 'room' && action === 'create')
    return [{ kind: 'rooms', action, entity_id, name: key, content: { seq: change.seq } }];
  const table = TABLES[entity];
  if (!table || action === 'restore' || row === null) return [];
  const about = { kind: table, entity_id, name: key };
  if (!row) return after && !before ? [{ ...about, action: 'create', mark: await markOf(db, table, entity_id) }] : [];
  const content = { rows: [recordedRow(row)] };
  if (action === 'delete') return [{ ...about, action, content }];
  return [{ ...about, action: 'update', mark: await markOf(db, table, entity_id), content }];
}

/** Fields before and after; undefined where no field differs. */
function differing({ before, after }: NewChange): { before: Row | null; after: Row | null } | undefined {
  const was = before ? fieldsOfRow(before) : null;
  const is = after ? fieldsOfRow(after) : null;
  return was && is ? changedFields(was, is) : { before: was, after: is };
}

const json = (value: object | null | undefined) => (value ? JSON.stringify(value) : null);

/**
 * Writes an entry of the change log, and the records that revert the change, in the transaction of the change itself: both
 * are there, or neither. An update in which no field differs leaves none. Secrets are left out, whatever the rows hold.
 */
export async function recordChange(db: Database, author: Author, change: NewChange): Promise<void> {
  const { action, entity, entity_id, room_id = null, name, facts, seq = null, isRestorable = false } = change;
  const fields = differing(change);
  if (!fields && !facts) return;
  const { id } = await db
    .insertInto('changes')
    .values({
      organization_id: author.organizationId,
      user_id: author.user?.userId ?? null,
      at: timestampOf(author.clock.now()),
      batch: batchOf(db),
      action,
      entity,
      entity_id,
      room_id,
      name,
      before: json(fields?.before),
      after: json(facts ? { ...fields?.after, ...facts } : fields?.after),
      is_restorable: Number(isRestorable),
      seq,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const entry = isRestorable ? id : null;
  await insertRecords(db, author, change.records ?? [], entry);
  if (fields) await insertRecords(db, author, await ownRecord(db, change), entry);
}
