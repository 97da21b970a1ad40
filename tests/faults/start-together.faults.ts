import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openDatabase } from '../../src/server/core/db/database.ts';
import { StartedServer } from '../harness/started-server.ts';
import { createDatabase } from '../harness/test-database.ts';

const SERVERS = 5;
const ROUNDS = Number(process.env.FAULT_ROUNDS ?? 10);

it.each(Array.from({ length: ROUNDS }, (_, round) => round + 1))(
  'five servers that start at once on an empty PostgreSQL all come up, with one organization: round %i',
  async (round) => {
    const { url, drop } = await createDatabase('postgres');
    const folders = await Promise.all(
      Array.from({ length: SERVERS }, () => mkdtemp(join(tmpdir(), 'enfilade-faults-'))),
    );
    const servers = folders.map(
      (folder) =>
        new StartedServer({
          DATA_DIR: folder,
          HOST: '127.0.0.1',
          DATABASE_URL: url!,
          DATABASE_CONNECTIONS: '4',
          SECRET_KEY: 'f'.repeat(64),
          // The demo rooms are made once, too.
          DEMO: round === 1 ? '1' : '0',
        }),
    );
    try {
      const origins = await Promise.all(servers.map((server) => server.address()));
      for (const origin of origins) expect((await fetch(`${origin}/healthz`)).status).toBe(200);
      expect(servers.filter(({ greeting }) => greeting?.password)).toHaveLength(1);
      const db = openDatabase({ url: url!, folder: folders[0]!, connections: 1 });
      const count = async (table: 'organizations' | 'users') =>
        Number(
          (
            await db
              .selectFrom(table)
              .select(({ fn }) => fn.countAll().as('count'))
              .executeTakeFirstOrThrow()
          ).count,
        );
      const paths = (await db.selectFrom('endpoints').select('slug').execute()).map(({ slug }) => slug);
      expect([await count('organizations'), await count('users')]).toEqual([1, 1]);
      expect(paths).toHaveLength(new Set(paths).size);
      expect(paths.length > 0).toBe(round === 1);
      await db.destroy();
    } finally {
      await Promise.all(servers.map((server) => server.kill()));
      await Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true })));
      await drop();
    }
  },
);
