import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { copyFile, mkdir, mkdtemp, readdir, rm, stat, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Client, createClient } from '../../src/contract/client.ts';
import { databases } from '../harness/api-app.ts';
import { CommandLine, type RunOptions } from '../harness/command-line.ts';
import { type Loss, Relay } from '../harness/relay.ts';
import { StartedServer } from '../harness/started-server.ts';
import { createDatabase } from '../harness/test-database.ts';

const ADMIN = { email: 'admin@example.com', password: 'correct horse battery' };

/** What limits the memory of objects, in megabytes; new ones have 24 more, which would be hundreds unless told. */
const atMost = (megabytes: number) => ({ NODE_OPTIONS: `--max-old-space-size=${megabytes} --max-semi-space-size=8` });
/** 50 of the server and 22 of the command line are taken before either does anything: neither holds a file and its things besides. */
const limitedServer = atMost(92);
const limited = atMost(56);

const MEGABYTE = 1024 * 1024;
/** Rooms of 200 kB each: 24 MB of them, and 2 MB on PostgreSQL, where all but the writing is the same. */
const ROOMS = { sqlite: 120, postgres: 10 } as const;
/** Codes of 237 bytes each: 24 MB of them, and 1 MB on PostgreSQL. */
const CODES = { sqlite: 100_000, postgres: 5000 } as const;
/** Bytes of a file after which what goes wrong does. */
const LOSS = MEGABYTE;
/** Rooms of a file that never arrives: it is larger than what is lost, and its size proves nothing. */
const FEW = 10;
const ELEMENTS = 10;
/** Characters of the text of an element, and of the description of a room: few long ones are read sooner than many short ones. */
const TEXT = 10_000;
const DESCRIPTION = 100_000;

const textOf = (length: number): string => randomBytes(length / 2).toString('hex');

/** A list of rooms, a few at a time. */
async function* manyRooms(count: number): AsyncGenerator<string> {
  yield '[\n';
  for (let room = 0; room < count; room++) {
    const elements = Array.from({ length: ELEMENTS }, (_, id) => ({
      id: id + 1,
      element: 'image',
      name: `Picture ${id}`,
      config: { text: textOf(TEXT) },
    }));
    const given = { title: `Room ${room}`, description: textOf(DESCRIPTION), elements };
    yield `${room > 0 ? ',\n' : ''}${JSON.stringify(given, null, 1)}`;
  }
  yield '\n]\n';
}

describe.each(databases)('imports that are larger than memory on %s', (kind) => {
  let data: string;
  let line: CommandLine;
  /** The same where only the server's memory is limited. */
  let here: CommandLine;
  let server: StartedServer;
  let client: Client;
  let origin: string;
  let drop: () => Promise<void>;
  let file: string;
  let small: string;
  const rooms = ROOMS[kind];
  beforeAll(async () => {
    const made = await createDatabase(kind);
    drop = made.drop;
    data = await mkdtemp(join(tmpdir(), 'enfilade-large-'));
    server = new StartedServer({
      DATA_DIR: data,
      ADMIN_PASSWORD: ADMIN.password,
      ...limitedServer,
      ...(made.url && { DATABASE_URL: made.url }),
    });
    origin = await server.address();
    let token = '';
    client = createClient({
      origin,
      token: () => token,
      onToken: (given) => {
        token = given;
      },
      timeout: 60_000,
    });
    await client.users.login({ body: ADMIN });
    line = await CommandLine.in({ ENFILADE_URL: origin, ENFILADE_KEY: token, TMPDIR: join(data, 'temporary') });
    here = await CommandLine.here({ ENFILADE_URL: origin, ENFILADE_KEY: token });
    await mkdir(join(data, 'temporary'));
    file = join(line.folder, 'rooms.json');
    await pipeline(Readable.from(manyRooms(rooms)), createWriteStream(file));
    small = join(line.folder, 'few.json');
    await pipeline(Readable.from(manyRooms(FEW)), createWriteStream(small));
  });
  afterAll(async () => {
    await server.stop();
    await Promise.all([line.close(), here.close()]);
    await drop();
    await rm(data, { recursive: true });
  });

  const countRooms = async () => (await client.rooms.list({ query: { search: 'Room' } })).meta.total;
  const leftovers = async () => [
    ...(await readdir(join(data, 'temporary'))),
    ...(await readdir(join(data, 'media/arriving')).catch(() => [])),
  ];
  const through = async (loss: Loss, given: string[], options: RunOptions = {}) => {
    const relay = await Relay.before(origin, loss);
    const environment = { ...limited, ENFILADE_URL: relay.origin, ...options.environment };
    const run = await line.run(['rooms', 'import', ...given, '--json'], { ...options, environment });
    relay.close();
    return run;
  };

  it('brings in tens of megabytes of rooms once, although the first answer is lost, or nothing at all', async () => {
    const { size } = await stat(file);
    expect(size).toBeGreaterThan(rooms * 0.19 * MEGABYTE);
    expect((await stat(small)).size).toBeGreaterThan(LOSS);
    // Of a file that does not arrive, no database hears.
    if (kind === databases[0]) {
      const cut = await line.file('cut.json', '');
      await copyFile(small, cut);
      await truncate(cut, Math.floor((await stat(small)).size * 0.8));
      const wrong = await line.run(['rooms', 'import', cut], { environment: limited });
      expect(wrong).toMatchObject({ code: 1, error: expect.stringContaining('it may be truncated') });

      const lost = await through({ after: LOSS, how: 'cut' }, [small]);
      expect([lost.code, JSON.parse(lost.error).error.code]).toEqual([3, 'unreachable']);
      let stop = () => {};
      const stopped = await through({ after: LOSS, how: 'hold', onLoss: () => stop() }, [small], {
        onStart: (child) => {
          stop = () => child.kill('SIGINT');
        },
      });
      expect(stopped).toMatchObject({ code: 130, error: expect.stringContaining('[stopped]') });
      expect(await countRooms()).toBe(0);
    }

    // What is done twice would be refused here: it is there already.
    let losses = 0;
    const done = await through({ after: LOSS, how: 'deafen', onLoss: () => losses++ }, [file, '--mode', 'create'], {
      environment: { ENFILADE_WAIT: '75' },
    });
    expect([done.code, losses], done.error).toEqual([0, 1]);
    expect(JSON.parse(done.out)).toMatchObject({ applied: true, counts: { create: rooms, wrong: 0 } });
    expect(await countRooms()).toBe(rooms);
    const exported = await line.run(['rooms', 'export', '--all', '--out', 'all.json'], { environment: limited });
    expect(exported).toMatchObject({ code: 0, error: '' });
    const again = await line.run(['rooms', 'import', 'all.json', '--json'], { environment: limited });
    expect(JSON.parse(again.out).counts).toMatchObject({ unchanged: rooms, create: 0, update: 0 });
    expect(await leftovers()).toEqual([]);
  }, 900_000);

  it('keeps the codes of a file and removes all others', async () => {
    const room = (await client.rooms.create({ body: { title: 'Hall' } })).id;
    await client.endpoints.create({ body: { name: 'Hall', room_id: room } });
    const long = 'x'.repeat(230);
    const count = CODES[kind];
    const codes = (from: number) => Array.from({ length: count }, (_, index) => `${from + index}-${long}`).join('\n');
    const importFile = async (name: string, content: string, ...more: string[]) => {
      const file = await line.file(name, content);
      const [report] = await here.json('tokens', 'import', file, '--endpoint', 'hall', ...more);
      return [report.accepted, report.duplicates, report.removed];
    };
    // Without a terminal, a line now and then says how far it has come.
    const first = await here.run(['tokens', 'import', await line.file('first.csv', codes(0)), '--endpoint', 'hall']);
    expect(first).toMatchObject({
      code: 0,
      out: expect.stringContaining(`created ${count.toLocaleString('en')}, unchanged 0\n`),
    });
    // A small file is there before there is anything to say.
    if (kind === databases[0])
      expect(first.error).toMatch(/^\d\d % {2}[\d.]+ MB\/s {2}.* left\n(?:.*\n)*100 % .* waiting for the server\n$/);
    expect(await importFile('second.csv', codes(1000), '--prune')).toEqual([1000, count - 1000, 1000]);
    expect(await importFile('one.csv', `1000-${long}`, '--prune')).toEqual([0, 1, count - 1]);
  }, 900_000);
});
