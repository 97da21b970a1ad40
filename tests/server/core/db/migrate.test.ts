import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type KyselyPlugin, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Database, openDatabase } from '../../../../src/server/core/db/database.ts';
import { migrate, migrations, pendingMigrations } from '../../../../src/server/core/db/migrate.ts';
import { CommandLine } from '../../../harness/command-line.ts';
import { StartedServer } from '../../../harness/started-server.ts';
import { createDatabase, databases, dumpOf } from '../../../harness/test-database.ts';

/** Statements at which an update fails. */
const FAILURES = [1, 2, 5, 20, 60, 90];

/** Fails at one statement of those that are made through it. */
class FailAt implements KyselyPlugin {
  #left: number;
  constructor(statement: number) {
    this.#left = statement;
  }
  transformQuery: KyselyPlugin['transformQuery'] = ({ node }) => {
    if (--this.#left === 0) throw new Error('The disk is full.');
    return node;
  };
  transformResult: KyselyPlugin['transformResult'] = async ({ result }) => result;
}

const tablesOf = async (db: Database) => (await db.introspection.getTables()).map(({ name }) => name);

describe.each(databases)('bringing a database up to date, on %s', (kind) => {
  let folder: string;
  let url: string | undefined;
  let drop: () => Promise<void>;
  let db: Database;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'enfilade-migrate-'));
    ({ url, drop } = await createDatabase(kind));
    db = openDatabase({ url, folder });
  });
  afterAll(async () => {
    await db.destroy();
    await drop();
    await rm(folder, { recursive: true, force: true });
  });

  test('security 64: a statement that fails leaves nothing of what came before it, and the next try does all', async () => {
    for (const statement of FAILURES) {
      await expect(migrate(db.withPlugin(new FailAt(statement)))).rejects.toThrow('The disk is full.');
      expect(await tablesOf(db), `statement ${statement}`).toEqual([]);
    }
    expect(await migrate(db)).toEqual(Object.keys(migrations));
  });

  test('an update is listed by a dry run, which changes nothing, and logged with durations by the server', async () => {
    const last = Object.keys(migrations).at(-1)!;
    await sql`delete from kysely_migration where name = ${last}`.execute(db);
    const undo = await dumpOf(db);
    const environment = { DATA_DIR: folder, ...(url && { DATABASE_URL: url }) };
    const line = await CommandLine.here(environment);
    const plan = await line.run(['migrate', '--dry-run']);
    expect([plan.code, plan.out]).toEqual([0, expect.stringMatching(new RegExp(`would be migrated:\\n  ${last}\\n$`))]);
    expect(JSON.parse((await line.run(['migrate', '--dry-run', '--json'])).out)).toEqual({ pending: [last] });
    await line.close();
    expect([await pendingMigrations(db), await dumpOf(db)]).toEqual([[last], undo]);
    await sql`insert into kysely_migration (name, timestamp) values (${last}, '2098-01-01')`.execute(db);
    expect(await pendingMigrations(db)).toEqual([]);
  });

  test('security 64: a database of a newer version is refused by server and command line, and stays as it is', async () => {
    await migrate(db);
    await sql`insert into kysely_migration (name, timestamp) values ('9999-of-tomorrow', '2099-01-01')`.execute(db);
    const before = await dumpOf(db);
    const says = /^The database was created by a newer version of Enfilade, or is damaged: .*9999-of-tomorrow/;
    await expect(migrate(db)).rejects.toThrow(says);
    const server = new StartedServer({ DATA_DIR: folder, ...(url && { DATABASE_URL: url }) });
    expect(await server.ended).toBe(1);
    expect(server.lines()[0].msg).toMatch(says);
    const line = await CommandLine.here({ DATA_DIR: folder, ...(url && { DATABASE_URL: url }) });
    const run = await line.run(['migrate']);
    expect([run.code, run.out]).toEqual([1, '']);
    expect(run.error).toContain('was created by a newer version of Enfilade');
    await line.close();
    expect(await dumpOf(db)).toBe(before);
  });
});
