import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../../../src/server/core/clock.ts';
import { type Database, openDatabase } from '../../../../src/server/core/db/database.ts';
import { migrate } from '../../../../src/server/core/db/migrate.ts';
import { createDatabase, databases } from '../../../harness/test-database.ts';
import { insertOrganization } from '../../../harness/test-organizations.ts';

const AT = '2026-01-01T00:00:00.000Z';

describe.each(databases)('what an older version could restore, on %s', (kind) => {
  let db: Database;
  let end: () => Promise<void>;
  let organization: number;
  beforeAll(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'enfilade-changes-'));
    const { url, drop } = await createDatabase(kind);
    db = openDatabase({ url, folder });
    end = async () => {
      await db.destroy();
      await drop();
      await rm(folder, { recursive: true, force: true });
    };
    await migrate(db, '0043-structure-keys');
    organization = await insertOrganization(db, systemClock, null);
    const entry = (entity: string, id: number, content: object | null) =>
      sql`
      insert into changes (organization_id, at, action, entity, entity_id, name, content, is_restorable)
      values (${organization}, ${AT}, 'delete', ${entity}, ${id}, ${`${entity} ${id}`},
        ${content && JSON.stringify(content)}, ${Number(content !== null)})
    `.execute(db);
    const element = (id: number, parent_element_id: number | null, order_rank: number) => ({
      id,
      parent_element_id,
      order_rank,
    });
    const ranked = [element(5, 77, 3), element(8, 5, 2048), element(7, 5, 1024), element(9, 7, 0)];
    await entry('element', 5, { elements: ranked, files: {} });
    await entry('element', 6, { elements: [{ id: 6, parent_element_id: null, index: 'a5' }], files: {} });
    const tokens = Array.from({ length: 600 }, (_, id) => ({ id, endpoint_id: 1, token: 'Cafe\u0301' }));
    await entry('endpoint', 1, { rows: [{ id: 1, order_rank: 1 }], belongings: { access_tokens: tokens } });
    await entry('template', 2, { rows: [{ id: 2, name: 'Shell' }] });
    await entry('feed_item', 3, { id: 3 });
    await entry('room', 4, null);
    await sql`
      insert into imports (organization_id, at, kind, request_hash, answer) values (${organization}, ${AT}, 'rooms', '', '{}')
    `.execute(db);
    const step = (table: string, done: string, mark: string | null, content: object) =>
      sql`
      insert into import_steps (import_id, kind, done, entity_id, mark, name, content)
      select id, ${table}, ${done}, 1, ${mark}, 'Step', ${JSON.stringify(content)} from imports
    `.execute(db);
    await step('rooms', 'create', 'mark', { kind: 'rooms', done: 'create' });
    await step('rooms', 'update', 'mark', { room: { id: 1 }, elements: [element(1, null, 0)] });
    await step('rooms', 'remove', null, { content: { room: { id: 1 }, elements: [element(1, null, 0)], files: {} } });
    await step('endpoints', 'update', 'mark', { row: { id: 1, order_rank: 1 } });
    await step('users', 'update', 'mark', { fields: { name: 'Ann', policies: { rooms: {} }, isActive: true } });
    await step('access_tokens', 'create', null, { added: { first: 1, last: 2, count: 2, at: AT } });
    await step('access_tokens', 'update', 'mark', { rows: [{ id: 1, endpoint_id: 1, token: 'plain' }] });
    await migrate(db);
  });
  afterAll(() => end());

  const records = async (batch: 'change' | 'import') => {
    const query = db.selectFrom('change_rows').selectAll().where('batch', 'like', `${batch} %`).orderBy('id');
    return (await query.execute()).map(({ content, ...row }) => ({ ...row, content: JSON.parse(content) }));
  };

  test('the bin still restores: elements in the order of their tree, and other rows with what belonged to them', async () => {
    const entries = await records('change');
    const changes = await db.selectFrom('changes').select(['id', 'batch', 'is_restorable']).orderBy('id').execute();
    expect(changes.map(({ batch, is_restorable }) => [batch !== null, is_restorable])).toEqual([
      ...Array.from({ length: 5 }, () => [true, 1]),
      [false, 0],
    ]);
    expect(entries.every(({ at, action, mark }) => at === AT && action === 'delete' && mark === null)).toBe(true);
    expect(entries.map(({ kind, change_id }) => [kind, change_id! - changes[0]!.id])).toEqual([
      ['elements', 0],
      ['elements', 1],
      ['access_tokens', 2],
      ['access_tokens', 2],
      ['endpoints', 2],
      ['templates', 3],
      ['feed_items', 4],
    ]);
    const [branch, newer, tokens, more, endpoint, template, message] = entries.map(({ content }) => content);
    const elements: { id: number; index: string }[] = branch.elements;
    expect(elements.map(({ id }) => id)).toEqual([5, 7, 9, 8]);
    expect(elements.every((each) => !('order_rank' in each))).toBe(true);
    expect(elements[1]!.index < elements[3]!.index).toBe(true);
    expect(newer).toEqual({ elements: [{ id: 6, parent_element_id: null, index: 'a5' }], files: {} });
    expect([tokens.rows.length, more.rows.length]).toEqual([500, 100]);
    expect(tokens.rows[0]).toMatchObject({ token: 'Cafe\u0301', normal: 'Café' });
    expect(endpoint).toEqual({ rows: [{ id: 1, index: 'a1' }] });
    expect([template, message]).toEqual([{ rows: [{ id: 2, name: 'Shell' }] }, {}]);
  });

  test('imports can still be undone', async () => {
    const steps = await records('import');
    const [imported] = await db.selectFrom('imports').select('batch').execute();
    expect(steps.every(({ batch, change_id }) => batch === imported!.batch && change_id === null)).toBe(true);
    expect(steps.map(({ kind, action, mark, content }) => [`${kind} ${action} ${mark}`, content])).toEqual([
      ['rooms create mark', {}],
      ['rooms update mark', { room: { id: 1 }, elements: [{ id: 1, parent_element_id: null, index: 'a0' }] }],
      [
        'rooms delete null',
        { room: { id: 1 }, elements: [{ id: 1, parent_element_id: null, index: 'a0' }], files: {} },
      ],
      ['endpoints update mark', { rows: [{ id: 1, index: 'a1' }] }],
      ['users update mark', { rows: [{ name: 'Ann', policies: '{"rooms":{}}', is_active: 1 }] }],
      ['endpoint_tokens create null', { added: { first: 1, last: 2, count: 2, at: AT } }],
      ['endpoint_tokens update mark', { rows: [{ id: 1, endpoint_id: 1, token: 'plain', normal: null }] }],
    ]);
  });
});
