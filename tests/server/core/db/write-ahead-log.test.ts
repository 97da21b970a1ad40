import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { atOneMoment } from '../../../../src/server/app/backup/stored-rows.ts';
import { DATABASE_FILE, type Database, openDatabase } from '../../../../src/server/core/db/database.ts';
import { migrate } from '../../../../src/server/core/db/migrate.ts';
import { cutLog } from '../../../../src/server/core/db/write-ahead-log.ts';

const MEGABYTE = 1024 * 1024;
const LATER = 60_000;

let folder: string;
let db: Database;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'enfilade-log-'));
  db = openDatabase({ folder });
  await migrate(db);
});
afterAll(async () => {
  await db.destroy();
  await rm(folder, { recursive: true });
});

const logSize = async () => (await stat(join(folder, `${DATABASE_FILE}-wal`))).size;
const fill = () =>
  db.transaction().execute(async (trx) => {
    for (let index = 0; index < 200; index++)
      await trx
        .insertInto('attempts')
        .values({ subject: 'x'.repeat(100_000), at: '' })
        .execute();
  });

test('the log of a large change is cut once nothing is written, and not before', async () => {
  await fill();
  const { mtimeMs: written } = await stat(join(folder, `${DATABASE_FILE}-wal`));
  expect(await logSize()).toBeGreaterThan(16 * MEGABYTE);
  await cutLog(folder, written + 1);
  expect(await logSize()).toBeGreaterThan(16 * MEGABYTE);
  await cutLog(folder, written + LATER);
  expect(await logSize()).toBe(0);
  const { total } = await db
    .selectFrom('attempts')
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  expect(total).toBe(200);
});

test('the log is left alone while somebody reads from it, and what it holds stays', async () => {
  await fill();
  const reader = openDatabase({ folder });
  await atOneMoment(reader, async (trx) => {
    const count = async () => (await sql<{ total: number }>`select count(*) as total from attempts`.execute(trx)).rows;
    const before = await count();
    await fill();
    const { mtimeMs: written } = await stat(join(folder, `${DATABASE_FILE}-wal`));
    await cutLog(folder, written + LATER);
    expect(await logSize()).toBeGreaterThan(MEGABYTE);
    expect(await count()).toEqual(before);
  });
  await reader.destroy();
});
