import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createClient } from '../../src/contract/client.ts';
import { CommandLine } from '../harness/command-line.ts';
import { StartedServer } from '../harness/started-server.ts';
import { createDatabase, databases } from '../harness/test-database.ts';
import { halfMade } from './half-made.ts';
import { withSlack } from './installation.ts';
import { Acknowledged, picture, writeUntilGone } from './writing-load.ts';

const LOGIN = { email: 'admin@example.com', password: 'correct horse battery' };
/** Backups in a row, and pictures for each that are there when it begins and are removed while it runs. */
const BACKUPS = 2;
const PICTURES = 40;
/** Milliseconds without an answer to any of several writers that a backup may cause. */
const MAX_STALL = 250;

interface Manifest {
  tables: { name: string; columns: string[]; rows: number; hash: string }[];
  files: { path: string; hash: string }[];
}

const hashOf = async (path: string) =>
  createHash('sha256')
    .update(await readFile(path))
    .digest('hex');

/** What of a backup is not what its manifest says, and media whose file is not in it. */
async function wrongIn(backup: string): Promise<string[]> {
  const { tables, files } = JSON.parse(await readFile(join(backup, 'manifest.json'), 'utf8')) as Manifest;
  const wrong: string[] = [];
  for (const { path, hash } of files)
    if ((await hashOf(join(backup, path))) !== hash) wrong.push(`${path} is another one`);
  for (const { name, hash } of tables)
    if ((await hashOf(join(backup, `tables/${name}.jsonl`))) !== hash) wrong.push(`${name} is another one`);
  const { columns } = tables.find(({ name }) => name === 'media')!;
  const lines = (await readFile(join(backup, 'tables/media.jsonl'), 'utf8')).split('\n').filter(Boolean);
  const known = new Map(files.map(({ path, hash }) => [path, hash]));
  for (const line of lines) {
    const row = JSON.parse(line) as string[];
    const [hash, entry] = ['hash', 'entry'].map((name) => row[columns.indexOf(name)]!);
    // A file is kept under the hash of its content.
    if (known.get(`media/${hash!.slice(0, 2)}/${hash}/${entry}`) !== hash)
      wrong.push(`the file of ${entry} is missing`);
  }
  return wrong;
}

describe.each(databases)('a backup of a server that is written to, on %s', (kind) => {
  it('security 63: is whole and of one moment, has the file of every row, and holds no writer up', async () => {
    const line = await CommandLine.in({});
    const folder = await mkdtemp(join(tmpdir(), 'enfilade-backup-'));
    const { url, drop } = await createDatabase(kind);
    const place = ['--data', folder, ...(url ? ['--database', url] : [])];
    const server = new StartedServer({
      DATA_DIR: folder,
      ADMIN_PASSWORD: LOGIN.password,
      ...(url && { DATABASE_URL: url }),
    });
    try {
      const origin = await server.address();
      let token = '';
      const client = createClient({ origin, token: () => token, onToken: (value) => (token = value) });
      await client.users.login({ body: LOGIN });
      const room = await client.rooms.create({ body: { title: 'Hall' } });
      const endpoint = (await client.endpoints.create({ body: { name: 'Door', room_id: room.id } })).id;
      const done = new Acknowledged();
      const writing = writeUntilGone(origin, token, endpoint, done);
      const upload = async () => (await client.media.upload({ body: {}, files: { file: await picture() } })).id;
      const uploads = async () => Promise.all(Array.from({ length: PICTURES }, upload));
      let leaving = await uploads();
      done.watch();
      await uploads();
      const usual = done.stall;
      for (let index = 0; index < BACKUPS; index++) {
        done.watch();
        const before = done.writes;
        const name = `backup-${index}`;
        const backUp = async () => {
          expect(await line.run(['backup', name, ...place])).toMatchObject({ code: 0 });
          return { stall: done.stall, writes: done.writes - before };
        };
        const remove = async () => {
          // It begins under a name that says so; on a slow machine it may be done by the time we look.
          const hasBegun = async () => (await readdir(line.folder)).some((entry) => entry.startsWith(name));
          await expect.poll(hasBegun, { interval: 5, timeout: 60_000 }).toBe(true);
          for (const id of leaving) await client.media.remove({ params: { id }, query: {} });
        };
        const [{ stall, writes }] = await Promise.all([backUp(), remove()]);
        expect(await wrongIn(join(line.folder, name))).toEqual([]);
        const elsewhere = await createDatabase(kind);
        const data = join(line.folder, `again-${index}`);
        try {
          const other = ['--data', data, ...(elsewhere.url ? ['--database', elsewhere.url] : [])];
          // References are checked when it comes back.
          await line.done('restore', name, ...other);
          expect(await halfMade(data, elsewhere.url)).toEqual([]);
        } finally {
          await elsewhere.drop();
        }
        console.log(
          `Backup on ${kind} under ${writes} writes: no answer for at most ${Math.round(stall)} ms, ${Math.round(usual)} ms without one.`,
        );
        expect(writes).toBeGreaterThan(0);
        expect(stall).toBeLessThan(withSlack(MAX_STALL));
        leaving = await uploads();
      }
      await server.kill();
      await writing;
    } finally {
      await server.kill();
      await drop();
      await line.close();
      await rm(folder, { recursive: true, force: true });
    }
  });
});
