import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { keysBetween, siblingKeys } from '../../../../../engine/document/sibling-keys.ts';
import { normalToken } from '../../../../contract/token-text.ts';
import { columnsFor, required } from './columns.ts';

/** The tables as of this migration. */
interface Tables {
  changes: {
    id: number;
    organization_id: number;
    at: string;
    entity: string;
    entity_id: number;
    name: string;
    content: string | null;
    batch: string | null;
  };
  imports: { id: number; organization_id: number; at: string; batch: string | null };
  import_steps: {
    id: number;
    import_id: number;
    kind: string;
    done: string;
    entity_id: number;
    mark: string | null;
    name: string;
    content: string;
  };
  change_rows: Omit<Tables['import_steps'], 'id' | 'import_id' | 'done'> & {
    organization_id: number;
    batch: string;
    change_id: number | null;
    at: string;
    action: string;
  };
}

/** Ids per read. */
const IDS_PER_PAGE = 1000;
/** Rows per record. */
const ROWS_PER_RECORD = 500;

type Row = Record<string, unknown>;

const KINDS: Record<string, string> = {
  access_token: 'access_tokens',
  element: 'elements',
  endpoint: 'endpoints',
  feed: 'feeds',
  feed_item: 'feed_items',
  live_stream: 'live_streams',
  room: 'rooms',
  template: 'templates',
};

/** Converts a row recorded by an older version: an endpoint gets a sibling key, a token its normalized form. */
function lifted({ order_rank, ...row }: Row): Row {
  if (typeof order_rank === 'number') return { ...row, index: keysBetween(null, null, order_rank + 1).at(-1) };
  if (typeof row.token !== 'string' || !('endpoint_id' in row) || row.normal !== undefined) return row;
  const normal = normalToken(row.token);
  return { ...row, normal: normal === row.token ? null : normal };
}

type Ranked = Row & { id: number; parent_element_id: number | null; index: string };

/** Elements in tree order, with sibling keys if an older version recorded them. */
function liftedElements(rows: readonly (Row & Ranked)[]): Ranked[] {
  const lists = Map.groupBy(rows, ({ parent_element_id }) => parent_element_id);
  const visit = (list: readonly Ranked[] = []): Ranked[] => {
    const siblings = list.toSorted((a, b) => Number(a.order_rank ?? 0) - Number(b.order_rank ?? 0));
    const keys = siblingKeys(siblings.map(({ index = '' }) => index));
    return siblings.flatMap(({ order_rank: _rank, ...row }, at) => [
      { ...row, index: keys[at]! } as Ranked,
      ...visit(lists.get(row.id as number)),
    ]);
  };
  const ids = new Set(rows.map(({ id }) => id));
  return [...lists].flatMap(([parent, list]) => (parent !== null && ids.has(parent) ? [] : visit(list)));
}

/** Content recorded by an older version, converted to this one. */
const liftedContent = <T extends object>(content: T): T =>
  'elements' in content ? { ...content, elements: liftedElements(content.elements as Ranked[]) } : content;

const pieces = (rows: readonly Row[]): Row[][] =>
  Array.from({ length: Math.ceil(rows.length / ROWS_PER_RECORD) }, (_, at) =>
    rows.slice(at * ROWS_PER_RECORD, (at + 1) * ROWS_PER_RECORD).map(lifted),
  );

/** Everything that a change log entry restored: dependents first, as if they had been deleted first. */
function recordsIn(entity: string, text: string): { kind: string; content: object }[] {
  const kind = KINDS[entity]!;
  const content = JSON.parse(text);
  if (entity === 'feed_item') return [{ kind, content: {} }];
  if (!('rows' in content)) return [{ kind, content: liftedContent(content) }];
  const { rows, belongings = {} } = content as { rows: Row[]; belongings?: Record<string, Row[]> };
  const others = Object.entries(belongings).flatMap(([other, list]) =>
    pieces(list).map((part) => ({ kind: other, content: { rows: part } })),
  );
  return [...others, ...pieces(rows).map((part) => ({ kind, content: { rows: part } }))];
}

/** Result of an import step, in the form of records. */
function stepContent(kind: string, done: string, text: string): object {
  const { row, rows, fields, added, room, elements, content } = JSON.parse(text);
  if (kind === 'access_tokens') return done === 'create' ? { added } : { rows: rows.map(lifted) };
  if (kind === 'users' && done === 'update')
    return {
      rows: [{ name: fields.name, policies: JSON.stringify(fields.policies), is_active: Number(fields.isActive) }],
    };
  if (row) return { rows: [lifted(row)] };
  return liftedContent(kind === 'rooms' && done === 'update' ? { room, elements } : (content ?? {}));
}

/** Ids of the rows to move. */
async function* idsOf(db: Kysely<Tables>, table: 'changes' | 'import_steps'): AsyncGenerator<number> {
  for (let after = 0; ; ) {
    const query = db.selectFrom(table).select('id').where('id', '>', after).where('content', 'is not', null);
    const rows = await query.orderBy('id').limit(IDS_PER_PAGE).execute();
    yield* rows.map(({ id }) => Number(id));
    if (rows.length < IDS_PER_PAGE) return;
    after = Number(rows.at(-1)!.id);
  }
}

async function moveEntries(db: Kysely<Tables>): Promise<void> {
  for await (const id of idsOf(db, 'changes')) {
    const entry = await db.selectFrom('changes').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    const { organization_id, at, entity, entity_id, name, content } = entry;
    const batch = `change ${id}`;
    await db.updateTable('changes').set({ batch }).where('id', '=', id).execute();
    for (const record of recordsIn(entity, content!)) {
      const about = { organization_id, batch, change_id: id, at, action: 'delete', entity_id, name, mark: null };
      const values = { ...about, kind: record.kind, content: JSON.stringify(record.content) };
      await db.insertInto('change_rows').values(values).execute();
    }
  }
}

async function moveSteps(db: Kysely<Tables>): Promise<void> {
  for await (const id of idsOf(db, 'import_steps')) {
    const step = await db
      .selectFrom('import_steps')
      .innerJoin('imports', 'imports.id', 'import_steps.import_id')
      .selectAll('import_steps')
      .select(['imports.organization_id', 'imports.at', 'imports.batch'])
      .where('import_steps.id', '=', id)
      .executeTakeFirstOrThrow();
    const { organization_id, batch, at, kind, done, entity_id, name, mark, content } = step;
    await db
      .insertInto('change_rows')
      .values({
        ...{ organization_id, batch: batch!, change_id: null, at, entity_id, name, mark },
        kind: kind === 'access_tokens' ? 'endpoint_tokens' : kind,
        action: done === 'remove' ? 'delete' : done,
        content: JSON.stringify(stepContent(kind, done, content)),
      })
      .execute();
  }
}

/** Moves the revert data of the bin and of imports into one table. */
export const changeRows: Migration = {
  up: async (untyped: Kysely<unknown>) => {
    const db = untyped as Kysely<Tables>;
    const { table, integer, refers, index } = columnsFor(untyped);
    await table('change_rows')
      .addColumn('organization_id', integer, refers('organizations', 'cascade'))
      .addColumn('batch', 'text', required)
      .addColumn('change_id', integer, refers('changes', 'cascade', false))
      .addColumn('at', 'text', required)
      .addColumn('kind', 'text', required)
      .addColumn('action', 'text', (column) => column.notNull())
      .addColumn('entity_id', integer, required)
      .addColumn('name', 'text', required)
      .addColumn('mark', 'text')
      .addColumn('content', 'text', required)
      .execute();
    for (const name of ['changes', 'imports']) await db.schema.alterTable(name).addColumn('batch', 'text').execute();
    for (const { id } of await db.selectFrom('imports').select('id').execute())
      await db
        .updateTable('imports')
        .set({ batch: `import ${id}` })
        .where('id', '=', id)
        .execute();
    await moveEntries(db);
    await moveSteps(db);
    await db.schema.dropTable('import_steps').execute();
    await db.schema.alterTable('changes').dropColumn('content').execute();
    for (const columns of [['batch', 'id'], ['change_id'], ['organization_id'], ['at']])
      await index('change_rows', columns);
    await index('changes', ['batch']);
  },
};
