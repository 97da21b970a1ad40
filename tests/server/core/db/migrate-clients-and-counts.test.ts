import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { openDatabase } from '../../../../src/server/core/db/database.ts';
import { migrate } from '../../../../src/server/core/db/migrate.ts';
import { claimClient } from '../../../../src/server/features/rooms/client-claims.ts';
import { rollUp } from '../../../../src/server/features/statistics/roll-up.ts';
import { createDatabase, databases } from '../../../harness/test-database.ts';

const NOW = Date.UTC(2026, 2, 10, 12, 30);
const clock = { now: () => NOW };

describe.each(databases)('an installation of 0.14 that is updated, on %s', (kind) => {
  test('security 74: client numbers of its logs belong to who used them; visits are counted once, also those of the present hour', async () => {
    const { url, drop } = await createDatabase(kind);
    const folder = await mkdtemp(join(tmpdir(), 'enfilade-update-'));
    const db = openDatabase({ url, folder });
    try {
      await migrate(db, '0031-baseline');
      const at = new Date(NOW).toISOString();
      await sql`
        insert into organizations (id, name, meta_title, meta_description, embed_domains, realtime_api_key, created_at, updated_at)
        values (1, 'X', '', '', '[]', 'key', ${at}, ${at})
      `.execute(db);
      for (const id of [1, 2])
        await sql`
          insert into users (id, organization_id, name, email, password_hash, policies, is_active, created_at, updated_at)
          values (${id}, 1, 'U', ${`u${id}@example.com`}, '', '{}', 1, ${at}, ${at})
        `.execute(db);
      await sql`
        insert into rooms (id, organization_id, version, name, title, description, width, height, depth, config, created_at, updated_at)
        values (1, 1, 1, '', 'R', '', 1, 1, 1, '{}', ${at}, ${at})
      `.execute(db);
      await sql`
        insert into room_commands (room_id, organization_id, seq, client, mutation, origin, user_id, at, commands, inverses, ids)
        values (1, 1, 1, 'desk', 1, 'editor', 1, ${at}, '[]', '[]', '{}')
      `.execute(db);
      await sql`
        insert into endpoints (id, organization_id, name, slug, order_rank, is_visible, is_timed, is_protected, created_at, updated_at)
        values (1, 1, 'E', 'e', 0, 1, 0, 0, ${at}, ${at})
      `.execute(db);
      for (const hour of ['11', '12'])
        await sql`
          insert into statistics_events (organization_id, endpoint_id, at, kind, visitor, visit, subject, other_id, amount)
          values (1, 1, ${`2026-03-10T${hour}:05:00.000Z`}, 'visit', ${hour}, 'a', '', 0, 1)
        `.execute(db);
      for (const hour of ['11', '12'])
        await sql`
          insert into statistics_hours (organization_id, endpoint_id, hour, kind, subject, other_id, count, amount)
          values (1, 1, ${`2026-03-10T${hour}`}, 'visit', '', 0, 1, 1)
        `.execute(db);
      const note = JSON.stringify({ last: 2, till: '2026-03-10T12', at });
      await sql`
        insert into installation_notes (name, value, updated_at) values ('statistics', ${note}, ${at})
      `.execute(db);
      await migrate(db);
      const claim = { clock, organizationId: 1, roomId: 1, client: 'desk' };
      await claimClient(db, { ...claim, userId: 1 });
      await expect(claimClient(db, { ...claim, userId: 2 })).rejects.toMatchObject({ code: 'client_taken' });
      await rollUp({ db });
      const hours = await db
        .selectFrom('statistics_hours')
        .select(['hour', 'count'])
        .where('kind', '=', 'visit')
        .orderBy('hour')
        .execute();
      expect(hours).toEqual([
        { hour: '2026-03-10T11', count: 1 },
        { hour: '2026-03-10T12', count: 1 },
      ]);
    } finally {
      await db.destroy();
      await drop();
      await rm(folder, { recursive: true, force: true });
    }
  });
});
