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

/** What a revert needs of the call that asks for it. */
interface Caller {
  organizationId: number;
  clock: Clock;
}

/** A revert in progress, in its transaction. */
export interface Reverting<C extends Caller> {
  db: Database;
  context: C;
  /** References to rows that are gone, in words. */
  missing: string[];
  /** What is left to do once the transaction is committed. */
  later: (() => void)[];
  /** What entries of the change log say besides what is as before. */
  facts: object;
  /** The thing that came back, if it has another id or belongs to a room. */
  restored?: { id: number; roomId: number | null };
}

/** Reverts a record. @returns how many things are as before */
type Revert<C extends Caller> = (reverting: Reverting<C>, record: RowRecord) => Promise<number>;

/** How things of one kind come and go. */
export interface Kind<C extends Caller> {
  /** What the change log calls it, and in whose area its rights are; null for what only comes and goes with others. */
  entity: ChangedEntity | null;
  /** Whether the log of a room reverts it, and only single entries of the bin are reverted by it. */
  isLogged?: true;
  /** Whether reverting it writes its own entry of the change log. */
  isNoted?: (action: RowRecord['action']) => boolean;
  /** The mark of the thing as it is; undefined if it is gone. */
  mark?: (reverting: Reverting<C>, record: RowRecord) => Promise<string | null | undefined>;
  /** Why it can't be reverted without loss, if its mark doesn't tell. */
  changed?: (reverting: Reverting<C>, record: RowRecord) => Promise<string | undefined>;
  create?: Revert<C>;
  update?: Revert<C>;
  delete?: Revert<C>;
}

export type Kinds<C extends Caller> = Readonly<Record<string, Kind<C>>>;

/** The right that reverting each action takes. */
const RIGHT = { create: 'delete', update: 'update', delete: 'create' } as const satisfies Record<string, Right>;

/** Things that are named when they changed since. */
const MAX_NAMED_CHANGES = 20;
/** Rows that one statement inserts. */
const ROWS_PER_STATEMENT = 200;

/** Whether a row of an organization is there. */
export async function isThere(
  db: Database,
  table: 'endpoints' | 'rooms' | 'templates',
  organizationId: number,
  id: number,
): Promise<boolean> {
  const query = db.selectFrom(table).select('id').where('organization_id', '=', organizationId).where('id', '=', id);
  return (await query.executeTakeFirst()) !== undefined;
}

/** Inserts rows under their own ids; those that are there already stay as they are. @returns how many were inserted */
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

/** What is special about rows of a table. */
interface RowRules<C extends Caller> {
  /** Rows with what they refer to now: what is missing is left out and named. */
  place?: (reverting: Reverting<C>, rows: Row[]) => Promise<Row[]>;
  changed?: Kind<C>['changed'];
  /** Refuses to delete what is in use. */
  refuse?: (reverting: Reverting<C>, record: RowRecord) => Promise<void>;
  /** What follows from a change. */
  after?: (reverting: Reverting<C>, rows: Row[]) => Promise<void>;
  /** Whether the rows belong to something else: they keep their stamps, and may be there. */
  isBelonging?: true;
}

/** Things that are the row of a table: they come and go as that row does. */
export function rowKind<C extends Caller>(
  table: RowTable,
  entity: ChangedEntity | null,
  { place = async (_, rows) => rows, changed, refuse, after, isBelonging }: RowRules<C> = {},
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
      const [row = now] = await place(reverting, [{ ...now, ...content.rows?.[0] }]);
      const { id: _id, organization_id: _owner, created_at: _made, ...columns } = row;
      // Whoever has read a row with the stamp it had has read what it is now.
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
      if (!isBelonging && (await findRow(db, table, entity_id)))
        throw new ApiError('invalid', 'This is already there.');
      const updated_at = nextTimestamp(context.clock);
      const stamped = isBelonging ? rows : rows.map((row) => ({ ...row, updated_at }));
      const placed = await place(reverting, stamped);
      const count = await insertRows(db, table, placed);
      await after?.(reverting, placed);
      return count;
    },
  };
}

/** What a revert is to do with rows that changed since: refuse to begin, leave them as they are, or overwrite them. */
export type OnChanged = 'refuse' | 'skip' | 'overwrite';

/** How a revert ended. */
export interface Reverted {
  /** How many things are as before. */
  count: number;
  /** What changed since and was left as it is, in words. */
  skipped: string[];
  missing: string[];
  restored: Reverting<Caller>['restored'];
  /** To be called once the transaction is committed. */
  done: () => void;
}

/** What a revert goes by. */
export interface Rules<C extends Caller> {
  kinds: Kinds<C>;
  /** @throws ApiError forbidden */
  requireRight(context: C, area: Area, right: Right): void;
  onChanged: OnChanged;
  facts?: object;
  /** Writes an entry of the change log about something that is as before. */
  note?: (record: RowRecord, entity: ChangedEntity, count: number) => Promise<void>;
}

/** Whether there is anything to revert. */
export const hasRecords = async (db: Database, organizationId: number, which: Which): Promise<boolean> =>
  (await recordsOf(db, organizationId, which).select('id').limit(1).executeTakeFirst()) !== undefined;

/** Changes of rooms in a batch that only the logs of the rooms have. */
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
 * Reverts what one transaction did, within the caller's transaction: what it added goes, what it changed or removed is as
 * it was.
 * @param which the batch, or one entry of it; the caller has checked that the entry may be restored
 * @throws ApiError forbidden without the rights to; stale, naming what changed since, if that refuses it; invalid if
 * something is there that was removed
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
    if (now === undefined) return { isGone: true, text: `${record.name} was removed since.` };
    if (now !== record.mark) return { text: `${record.name} was changed since.` };
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
    // What is gone needs no reverting.
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
