import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { createClient } from '../../src/contract/client.ts';
import { DATABASE_FILE, openDatabase } from '../../src/server/core/db/database.ts';
import { ApiApp } from '../harness/api-app.ts';
import { StartedServer } from '../harness/started-server.ts';
import { halfMade } from './half-made.ts';
import { PowerCut } from './power-cut.ts';
import { picture } from './writing-load.ts';

const CUTS = 50;
/** Elements of a room, rooms that are acknowledged before a cut, and rooms that are being written then. */
const ELEMENTS = 6;
const SURE = 3;
const UNDER_WAY = 4;
const LOGIN = { email: 'admin@example.com', password: 'correct horse battery' };

const hasStrace = spawnSync('strace', ['-V']).status === 0;
if (!hasStrace) console.log('Skipped: what is synced of an upload; this machine has no strace.');

describe('a power cut', () => {
  it(`security 51: what was not synced is lost ${CUTS} times: nothing acknowledged is, and nothing is half there`, async () => {
    const api = await ApiApp.start('sqlite');
    const copies = await mkdtemp(join(tmpdir(), 'enfilade-power-'));
    const folder = api.services.settings.DATA_DIR;
    const client = api.client();
    const choose = (bound: number) => Math.floor(Math.random() * bound);
    const { id: original } = await client.rooms.create({ body: { title: 'Hall' } });
    for (let index = 0; index < ELEMENTS; index++)
      await client.rooms.addElement({ params: { id: original }, body: { element: 'group', name: `Wall ${index}` } });
    const written = new Set([original]);
    /** A room whose elements come in one transaction with it. */
    const write = async () => void written.add((await client.rooms.copy({ params: { id: original } })).id);
    let kept = 0;
    try {
      await write();
      const cut = new PowerCut(folder);
      for (let round = 0; round < CUTS; round++) {
        for (let index = 0; index < SURE; index++) await write();
        cut.acknowledge();
        const sure = [...written];
        const writing = Array.from({ length: UNDER_WAY }, write);
        // Some of these are there by now, acknowledged to nobody yet.
        await Promise.race(writing);
        const target = join(copies, String(round));
        cut.leave(target, choose);
        await Promise.all(writing);

        const database = new DatabaseSync(join(target, DATABASE_FILE));
        expect(database.prepare('pragma integrity_check').get()).toEqual({ integrity_check: 'ok' });
        expect(database.prepare('pragma foreign_key_check').all()).toEqual([]);
        database.close();
        const db = openDatabase({ folder: target });
        const rooms = await db
          .selectFrom('rooms')
          .leftJoin('elements', 'elements.room_id', 'rooms.id')
          .select(({ fn }) => ['rooms.id', fn.count<number>('elements.id').as('elements')])
          .groupBy('rooms.id')
          .execute();
        await db.destroy();
        const left = new Map(rooms.map((room) => [room.id, room.elements]));
        expect(sure.filter((id) => !left.has(id))).toEqual([]);
        expect([...left].filter(([, elements]) => elements !== ELEMENTS)).toEqual([]);
        expect(await halfMade(target, undefined)).toEqual([]);
        kept += left.size - sure.length;
        await rm(target, { recursive: true });
      }
      console.log(`Cut off ${CUTS} times: of ${CUTS * UNDER_WAY} rooms under way ${kept} were there, whole.`);
    } finally {
      await api.close();
      await rm(copies, { recursive: true, force: true });
    }
  });

  it.skipIf(!hasStrace)(
    'security 51: an uploaded file is on the disk, content and name, before its row is',
    async () => {
      const folder = await mkdtemp(join(tmpdir(), 'enfilade-power-'));
      const log = join(folder, 'calls.log');
      const server = new StartedServer({ DATA_DIR: folder, ADMIN_PASSWORD: LOGIN.password });
      try {
        const origin = await server.address();
        let token = '';
        const client = createClient({ origin, token: () => token, onToken: (value) => (token = value) });
        await client.users.login({ body: LOGIN });
        const calls = 'trace=fsync,fdatasync,rename,renameat,renameat2';
        const tracer = spawn('strace', ['-f', '-y', '-s', '400', '-e', calls, '-o', log, '-p', String(server.pid)], {
          stdio: ['ignore', 'ignore', 'pipe'],
        });
        // It says so when it has got hold of the process.
        await once(tracer.stderr, 'data');
        const { url } = await client.media.upload({ body: {}, files: { file: await picture() } });
        tracer.kill('SIGINT');
        await once(tracer, 'exit');
        const lines = (await readFile(log, 'utf8')).split('\n');
        const kept = join(folder, url.replace(/^\/media\/(..)/, 'media/$1/$1'));
        const renamed = lines.findIndex((line) => line.includes('rename') && line.includes(`, "${kept}"`));
        expect(renamed).toBeGreaterThan(0);
        const source = /"([^"]+)", /.exec(lines[renamed]!)![1]!;
        const synced = (path: string, from: number) =>
          lines.findIndex(
            (line, index) => index >= from && /f(?:data)?sync\(/.test(line) && line.includes(`<${path}>`),
          );
        expect(synced(source, 0)).toBeLessThan(renamed);
        expect(synced(source, 0)).toBeGreaterThanOrEqual(0);
        const shelf = synced(join(kept, '..'), renamed);
        expect(shelf).toBeGreaterThan(renamed);
        expect(synced(join(folder, `${DATABASE_FILE}-wal`), renamed)).toBeGreaterThan(shelf);
      } finally {
        await server.kill();
        await rm(folder, { recursive: true, force: true });
      }
    },
  );
});
