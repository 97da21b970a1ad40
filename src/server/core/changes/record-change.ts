import type { Insertable } from 'kysely';
import type { ChangeAction, ChangedEntity } from '../../../contract/entities.ts';
import { type Clock, timestampOf } from '../clock.ts';
import type { Database } from '../db/database.ts';
import { preparedForRow } from '../db/prepared.ts';
import type { ChangeTable } from '../db/tables.ts';
import { batchOf, insertRecords, markOf, type NewRecord, type Row, type RowTable, recordedRow } from './records.ts';

/** Columns without information about the entity, and secret columns. */
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
  'checked_in_at',
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
  // Also in the settings of an element.
  'block_id',
  'block_version',
]);
/** Columns with JSON as text. */
const JSON_COLUMNS = new Set([
  'config',
  'moderation',
  'angle',
  'policies',
  'scopes',
  'limits',
  'embed_domains',
  'texts',
  'statement',
  'body',
  'translations',
]);
/** Columns with 0 or 1. */
const BOOLEAN_FIELDS = new Set([
  'hidden',
  'is_active',
  'is_visible',
  'is_timed',
  'show_countdown',
  'is_protected',
  'lists_rooms',
  'has_statistics',
  'has_statistics_poses',
]);

function readColumn(name: string, value: unknown): unknown {
  if (JSON_COLUMNS.has(name) && typeof value === 'string') return JSON.parse(value);
  return BOOLEAN_FIELDS.has(name) && typeof value === 'number' ? value === 1 : value;
}

/** A row as the change log shows it: JSON parsed, flags as booleans, secrets removed. */
function fieldsOfRow(row: object): Row {
  const entries = Object.entries(row).filter(([name]) => !LEFT_OUT.has(name));
  const { body, ...fields } = Object.fromEntries(entries.map(([name, value]) => [name, readColumn(name, value)]));
  // An element stores most of its fields in one column.
  return body ? { ...fields, ...(body as Row) } : fields;
}

const isPlain = (value: unknown): value is Row => typeof value === 'object' && value !== null && !Array.isArray(value);

/** The differing fields of two objects, with both values; undefined if they are equal. */
function changedFields(before: Row, after: Row): { before: Row; after: Row } | undefined {
  const old: Row = {};
  const current: Row = {};
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [was, is] = [before[name] ?? null, after[name] ?? null];
    if (isPlain(was) && isPlain(is)) {
      const inner = changedFields(was, is);
      if (inner) [old[name], current[name]] = [inner.before, inner.after];
    } else if (was !== is && JSON.stringify(was) !== JSON.stringify(is)) [old[name], current[name]] = [was, is];
  }
  return Object.keys(current).length > 0 ? { before: old, after: current } : undefined;
}

/** Author of a change; without a user, the server itself. Every call's context is one. */
export interface Author {
  clock: Clock;
  organizationId: number;
  user: { userId: number; name: string } | null;
}

/** A change to record. */
export interface NewChange {
  action: ChangeAction;
  entity: ChangedEntity;
  entity_id: number;
  room_id?: number | null;
  name: string;
  /** The row before the change; if `after` is given too, only differing fields are recorded. */
  before?: object | null;
  /** The row after the change. */
  after?: object | null;
  /** Facts besides the fields, such as counts. */
  facts?: object;
  /** Sequence number of the space's log entry it belongs to; 0 for the creation of the space. */
  seq?: number;
  /** The whole row before the change, if `before` is only a part of it; null if the change can't be reverted. */
  row?: object | null;
  /** Name in error messages while the change can be reverted; defaults to its name. */
  key?: string;
  /** Records of rows that are added or removed with it, in removal order; read before the change is recorded. */
  records?: Iterable<NewRecord> | AsyncIterable<NewRecord>;
  /** Whether the bin can restore the deleted entity. */
  isRestorable?: boolean;
}

/** Tables whose rows are recorded, by entity. */
const TABLES: Partial<Record<ChangedEntity, RowTable>> = {
  access_token: 'access_tokens',
  block: 'blocks',
  endpoint: 'endpoints',
  feed: 'feeds',
  live_stream: 'live_streams',
  organization: 'organizations',
  template: 'templates',
  user: 'users',
};

const isWhole = (row: object | null | undefined): boolean => !!row && 'id' in row && 'updated_at' in row;

/** The record of the entity itself; none if the change can't be reverted. */
async function ownRecord(db: Database, change: NewChange): Promise<NewRecord[]> {
  const { action, entity, entity_id, before, after, name, key = name } = change;
  const { row = isWhole(before) ? before : undefined } = change;
  // All other changes of a room are in its log.
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

/** Differing fields before and after; undefined if no field differs. */
function differing({ before, after }: NewChange): { before: Row | null; after: Row | null } | undefined {
  if (!before || !after)
    return { before: before ? fieldsOfRow(before) : null, after: after ? fieldsOfRow(after) : null };
  // Equal columns need not be parsed.
  const [was, is] = [before, after].map((row, place, both) => {
    const other = both[1 - place] as Row;
    return fieldsOfRow(Object.fromEntries(Object.entries(row).filter(([name, value]) => other[name] !== value)));
  });
  return changedFields(was!, is!);
}

type ChangeValues = Omit<Insertable<ChangeTable>, 'id' | 'author_name' | 'is_restorable'> & { is_restorable: number };

const changeInsert = preparedForRow<ChangeValues, { id: number }>(
  [
    ...(['organization_id', 'user_id', 'at', 'batch', 'action', 'entity', 'entity_id', 'room_id', 'name'] as const),
    ...(['before', 'after', 'is_restorable', 'seq'] as const),
  ],
  (db, row) => db.insertInto('changes').values(row).returning('id'),
);

const json = (value: object | null | undefined) => (value ? JSON.stringify(value) : null);

/**
 * Writes a change log entry, and the records that revert the change, in the change's own transaction. An update without
 * differing fields writes nothing. Secrets are never recorded.
 */
export async function recordChange(db: Database, author: Author, change: NewChange): Promise<void> {
  const { action, entity, entity_id, room_id = null, name, facts, seq = null, isRestorable = false } = change;
  const fields = differing(change);
  if (!fields && !facts) return;
  const [added] = await changeInsert(db, {
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
  });
  const entry = isRestorable ? added!.id : null;
  await insertRecords(db, author, change.records ?? [], entry);
  if (fields) await insertRecords(db, author, await ownRecord(db, change), entry);
}
