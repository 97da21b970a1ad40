import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { systemClock } from '../../../../src/server/core/clock.ts';
import { openDatabase } from '../../../../src/server/core/db/database.ts';
import { migrate } from '../../../../src/server/core/db/migrate.ts';
import { hasTokenSearch } from '../../../../src/server/core/db/token-search/token-search.ts';
import { runOn } from '../../../harness/postgres.ts';
import { createDatabase, databases } from '../../../harness/test-database.ts';
import { insertOrganization } from '../../../harness/test-organizations.ts';

const AT = '2026-01-01T00:00:00.000Z';

describe.each(databases)('tokens of an older version on %s', (kind) => {
  test('get their normal form where it differs, and stay as they were issued', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'enfilade-forms-'));
    const { url, drop } = await createDatabase(kind);
    const db = openDatabase({ url, folder });
    await migrate(db, '0036-time-zones');
    const organization = await insertOrganization(db, systemClock, null);
    const { rows: endpoints } = await sql<{ id: number }>`
      insert into endpoints
        (organization_id, name, slug, order_rank, is_visible, is_timed, show_countdown, is_protected, created_at, updated_at)
      values (${organization}, 'Hall', 'hall', 0, 1, 0, 0, 1, ${AT}, ${AT}) returning id
    `.execute(db);
    const tokens = ['plain', 'no\u2011break', 'Cafe\u0301', 'in side', '日本'];
    for (const token of tokens)
      await sql`
        insert into access_tokens (organization_id, endpoint_id, token, created_at, updated_at) values (${organization}, ${endpoints[0]!.id}, ${token}, ${AT}, ${AT})
      `.execute(db);
    await migrate(db);
    const rows = await db
      .selectFrom('access_tokens')
      .select(['token', 'normal', 'holder_email'])
      .orderBy('id')
      .execute();
    const normals = [null, 'no-break', 'Café', null, null];
    expect(rows).toEqual(tokens.map((token, index) => ({ token, normal: normals[index], holder_email: null })));
    await db.destroy();
    await drop();
    await rm(folder, { recursive: true, force: true });
  });

  test.runIf(kind === 'postgres')(
    'are searched by their beginning where the role may not add the extension',
    async () => {
      const { url, drop } = await createDatabase(kind);
      const name = new URL(url!).pathname.slice(1);
      const role = `${name}_guest`;
      await runOn(url!, `create role ${role} login; grant create, usage on schema public to ${role}`);
      const as = new URL(url!);
      as.searchParams.set('options', `-c role=${role}`);
      const db = openDatabase({ url: as.href, folder: tmpdir() });
      await migrate(db);
      expect(await hasTokenSearch(db)).toBe(false);
      await db.destroy();
      await runOn(url!, `drop owned by ${role}; drop role ${role}`);
      await drop();
    },
  );
});
