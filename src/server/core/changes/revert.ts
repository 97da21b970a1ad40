import { AREA_OF_CHANGED, type Area, type ChangedEntity, type Right } from '../../../contract/entities.ts';
import { ApiError } from '../../../contract/errors.ts';
import { type Clock, nextTimestamp } from '../clock.ts';
import type { Database } from '../db/database.ts';
import { lockOrganization } from '../db/for-update.ts';
import {
  findRow,
  listRecords,
  markOf,
  type Row,
  type RowRecord,
  type RowTable,
  readRecord,
  recordsOf,
  spendRecords,
  type Which,
} from './records.ts';

/** Context that a revert needs from its call. */
interface Caller {
  organizationId: number;
  clock: Clock;
}

/** A revert in progress, inside its transaction. */
export interface Reverting<C extends Caller> {
  db: Database;
  context: C;
  /** Descriptions of references to missing rows. */
  missing: string[];
  /** Actions to run after the commit. */
  later: (() => void)[];
  /** Facts for the change log entries. */
  facts: object;
  /** The restored entity, if its id changed or it belongs to a room. */
  restored?: { id: number; roomId: number | null };
}

/** Reverts a record. @returns the number of reverted entities */
type Revert<C extends Caller> = (reverting: Reverting<C>, record: RowRecord) => Promise<number>;

/** How one kind of entity is added and removed. */
export interface Kind<C extends Caller> {
  /** Entity type in the change log, whose area also determines the rights; null for dependents of other entities. */
  entity: ChangedEntity | null;
  /** Whether the room's log normally reverts it, so that only single bin entries are reverted here. */
  isLogged?: true;
  /** Whether reverting it writes its own change log entry. */
  isNoted?: (action: RowRecord['action']) => boolean;
  /** The current mark of the entity; undefined if it is gone. */
  mark?: (reverting: Reverting<C>, record: RowRecord) => Promise<string | null | undefined>;
  /** Why it can't be reverted without loss, if the mark can't detect it. */
  changed?: (reverting: Reverting<C>, record: RowRecord) => Promise<string | undefined>;
  create?: Revert<C>;
  update?: Revert<C>;
  delete?: Revert<C>;
}

export type Kinds<C extends Caller> = Readonly<Record<string, Kind<C>>>;

/** The right required to revert each action. */
const RIGHT = { create: 'delete', update: 'update', delete: 'create' } as const satisfies Record<string, Right>;

/** Maximum number of changed entities named in an error. */
const MAX_NAMED_CHANGES = 20;
/** Rows per insert statement. */
const ROWS_PER_STATEMENT = 200;

/** Whether an organization's row exists. */
export async function isThere(
  db: Database,
  table: 'endpoints' | 'rooms' | 'templates',
  organizationId: number,
  id: number,
): Promise<boolean> {
  const query = db.selectFrom(table).select('id').where('organization_id', '=', organizationId).where('id', '=', id);
  return (await query.executeTakeFirst()) !== undefined;
}

/** Inserts rows with their original ids; existing rows stay unchanged. @returns the number of inserted rows */
async function insertRows(db: Database, table: RowTable, rows: readonly Row[]): Promise<number> {
  let count = 0;
  for (let from = 0; from < rows.length; from += ROWS_PER_STATEMENT) {
    const inserted = await db
      .insertInto(table)
      .values(rows.slice(from, from + ROWS_PER_STATEMENT) as never)
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .execute();
    count += inserted.length;
  }
  return count;
}

/** Special rules for a table's rows. */
interface RowRules<C extends Caller> {
  /** Resolves references; missing ones are cleared and reported. */
  place?: (reverting: Reverting<C>, rows: Row[]) => Promise<Row[]>;
  changed?: Kind<C>['changed'];
  /** Refuses to delete a row in use. */
  refuse?: (reverting: Reverting<C>, record: RowRecord) => Promise<void>;
  /** Side effects of a change. */
  after?: (reverting: Reverting<C>, rows: Row[]) => Promise<void>;
  /** Columns that keep their current values when an update is undone. */
  moving?: readonly string[];
  /** Whether the rows are dependents: they keep their timestamps, and may already exist. */
  isBelonging?: true;
}

/** A kind for entities that are a single table row. */
export function rowKind<C extends Caller>(
  table: RowTable,
  entity: ChangedEntity | null,
  { place = async (_, rows) => rows, changed, refuse, after, moving = [], isBelonging }: RowRules<C> = {},
): Kind<C> {
  return {
    entity,
    mark: ({ db }, { entity_id }) => markOf(db, table, entity_id),
    ...(changed && { changed }),
    create: async (reverting, record) => {
      await refuse?.(reverting, record);
      await reverting.db.deleteFrom(table).where('id', '=', record.entity_id).execute();
      return 1;
    },
    update: async (reverting, { entity_id, content }) => {
      const { db, context } = reverting;
      const now = await findRow(db, table, entity_id);
      if (!now) return 0;
      const current = Object.fromEntries(moving.map((name) => [name, now[name]]));
      const [row = now] = await place(reverting, [{ ...now, ...content.rows?.[0], ...current }]);
      const { id: _id, organization_id: _owner, created_at: _made, ...columns } = row;
      // Readers that cached the original timestamp have the content that it now stands for again.
      const updated_at = isBelonging ? row.updated_at : nextTimestamp(context.clock, String(now.updated_at));
      await db
        .updateTable(table)
        .set({ ...columns, updated_at } as never)
        .where('id', '=', entity_id)
        .execute();
      await after?.(reverting, [row]);
      return 1;
    },
    delete: async (reverting, { entity_id, content: { rows = [] } }) => {
      const { db, context } = reverting;
      if (!isBelonging && (await findRow(db, table, entity_id))) throw new ApiError('invalid', 'This already exists.');
      const updated_at = nextTimestamp(context.clock);
      const stamped = isBelonging ? rows : rows.map((row) => ({ ...row, updated_at }));
      const placed = await place(reverting, stamped);
      const count = await insertRows(db, table, placed);
      await after?.(reverting, placed);
      return count;
    },
  };
}

/** How a revert treats rows that changed since: fail, skip them, or overwrite them. */
export type OnChanged = 'refuse' | 'skip' | 'overwrite';

/** Result of a revert. */
export interface Reverted {
  /** Number of reverted entities. */
  count: number;
  /** Descriptions of entities skipped because they changed. */
  skipped: string[];
  missing: string[];
  restored: Reverting<Caller>['restored'];
  /** Call after the transaction has been committed. */
  done: () => void;
}

/** Rules of a revert. */
export interface Rules<C extends Caller> {
  kinds: Kinds<C>;
  /** @throws ApiError forbidden */
  requireRight(context: C, area: Area, right: Right): void;
  onChanged: OnChanged;
  facts?: object;
  /** Writes a change log entry about a reverted entity. */
  note?: (record: RowRecord, entity: ChangedEntity, count: number) => Promise<void>;
}

/** Whether there is anything to revert. */
export const hasRecords = async (db: Database, organizationId: number, which: Which): Promise<boolean> =>
  (await recordsOf(db, organizationId, which).select('id').limit(1).executeTakeFirst()) !== undefined;

/** Changes of rooms in a batch that are only in the rooms' logs. */
async function loggedRecords(db: Database, organizationId: number, which: Which): Promise<RowRecord[]> {
  if ('entry' in which) return [];
  const rows = await db
    .selectFrom('changes')
    .select(['room_id', 'seq'])
    .select(({ fn }) => [fn.max('name').as('name'), fn.max('id').as('last')])
    .where('organization_id', '=', organizationId)
    .where('batch', '=', which.batch)
    .where('seq', '>', 0)
    .where('room_id', 'not in', (query) =>
      query.selectFrom('change_rows').select('entity_id').where('batch', '=', which.batch).where('kind', '=', 'rooms'),
    )
    .groupBy(['room_id', 'seq'])
    .orderBy('last', 'desc')
    .execute();
  return rows.map(({ room_id, seq, name }) => {
    const about = { id: 0, kind: 'rooms', action: 'update', entity_id: Number(room_id), mark: null } as const;
    return { ...about, name: String(name), content: { seq: Number(seq) } };
  });
}

/**
 * Reverts one transaction within the caller's transaction: deletes what it added, restores what it changed or deleted.
 * @param which the batch, or one entry of it; the caller has checked that the entry may be restored
 * @throws ApiError forbidden without the rights; stale, naming later changes, if `onChanged` refuses them; invalid if a
 * deleted entity already exists again
 */
export async function revert<C extends Caller>(
  db: Database,
  context: C,
  which: Which,
  { kinds, requireRight, onChanged, facts = {}, note }: Rules<C>,
): Promise<Reverted> {
  const { organizationId } = context;
  await lockOrganization(db, organizationId);
  const reverting: Reverting<C> = { db, context, missing: [], later: [], facts };
  const logged = await loggedRecords(db, organizationId, which);
  const actions = await recordsOf(db, organizationId, which).select(['kind', 'action']).distinct().execute();
  if ('batch' in which)
    for (const { kind, action } of [...logged, ...actions]) {
      const { entity, isLogged } = kinds[kind]!;
      if (entity && !isLogged) requireRight(context, AREA_OF_CHANGED[entity], RIGHT[action as RowRecord['action']]);
    }
  const records = async function* (): AsyncGenerator<RowRecord> {
    yield* logged;
    for await (const head of listRecords(db, organizationId, which))
      if ('entry' in which || !kinds[head.kind]!.isLogged) yield await readRecord(db, head);
  };
  const since = async (record: RowRecord): Promise<{ isGone?: boolean; text?: string | undefined }> => {
    if (record.action === 'delete') return {};
    const { mark, changed } = kinds[record.kind]!;
    const now = mark ? await mark(reverting, record) : record.mark;
    if (now === undefined) return { isGone: true, text: `${record.name} has been removed since.` };
    if (now !== record.mark) return { text: `${record.name} has been changed since.` };
    return { text: await changed?.(reverting, record) };
  };
  if (onChanged === 'refuse') {
    const refused: string[] = [];
    for await (const record of records()) {
      const { text } = await since(record);
      if (text) refused.push(text);
      if (refused.length >= MAX_NAMED_CHANGES) break;
    }
    if (refused.length > 0) throw new ApiError('stale', { error: refused });
  }
  let count = 0;
  const skipped: string[] = [];
  const left: number[] = [];
  for await (const record of records()) {
    const { entity, isNoted, [record.action]: undo } = kinds[record.kind]!;
    const { isGone, text } = await since(record);
    if (text && onChanged === 'skip') {
      skipped.push(text);
      left.push(record.id);
      continue;
    }
    // Missing rows need no revert.
    const done = isGone ? 0 : ((await undo?.(reverting, record)) ?? 0);
    if (entity) count += isGone ? 1 : done;
    if (entity && done > 0 && !isNoted?.(record.action)) await note?.(record, entity, done);
  }
  await spendRecords(db, organizationId, which, left);
  const { missing, restored, later } = reverting;
  const done = () => {
    for (const work of later) work();
  };
  return { count, skipped, missing, restored, done };
}
