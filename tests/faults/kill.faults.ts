import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as passed } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createClient } from '../../src/contract/client.ts';
import { DATABASE_FILE } from '../../src/server/core/db/database.ts';
import { StartedServer } from '../harness/started-server.ts';
import { createDatabase, databases } from '../harness/test-database.ts';
import { halfMade } from './half-made.ts';
import { Acknowledged, lostOf, writeUntilGone } from './writing-load.ts';

const KILLS = Number(process.env.FAULT_KILLS ?? 30);
/** Milliseconds after which no further kill is begun, so that the run ends on a slow machine too. */
const LONGEST = 80_000;
/** Writes that are acknowledged before a kill, and milliseconds for which the load may go on after them. */
const MIN_WRITES = 5;
const MORE_LOAD = 300;
const LOGIN = { email: 'admin@example.com', password: 'correct horse battery' };

const median = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1]!;

describe.each(databases)('a server that is killed while it writes, on %s', (kind) => {
  it(`security 50: of ${KILLS} kills none loses what was acknowledged, none leaves a half-made room`, async () => {
    const folder = await mkdtemp(join(tmpdir(), 'enfilade-faults-'));
    const { url, drop } = await createDatabase(kind);
    const start = () =>
      new StartedServer({
        DATA_DIR: folder,
        ADMIN_PASSWORD: LOGIN.password,
        ...(url && { DATABASE_URL: url }),
      });
    const done = new Acknowledged();
    const restarts: number[] = [];
    const begun = performance.now();
    let server = start();
    try {
      let origin = await server.address();
      let token = '';
      const client = createClient({
        origin,
        token: () => token,
        onToken: (value) => {
          token = value;
        },
      });
      await client.users.login({ body: LOGIN });
      const room = await client.rooms.create({ body: { title: 'Hall' } });
      const endpoint = (await client.endpoints.create({ body: { name: 'Door', room_id: room.id } })).id;
      let kills = 0;
      for (; kills < KILLS && performance.now() - begun < LONGEST; kills++) {
        const writing = writeUntilGone(origin, token, endpoint, done);
        const before = done.writes;
        while (done.writes < before + MIN_WRITES) await passed(10);
        await passed(Math.random() * MORE_LOAD);
        await server.kill();
        await writing;
        const restart = performance.now();
        server = start();
        origin = await server.address();
        restarts.push(performance.now() - restart);
        // The session goes on as well: nobody has to sign in again.
        expect(await lostOf(origin, token, endpoint, done)).toEqual([]);
        expect(await halfMade(folder, url)).toEqual([]);
        done.forget();
      }
      await server.kill();
      if (kind === 'sqlite') {
        const database = new DatabaseSync(join(folder, DATABASE_FILE));
        expect(database.prepare('pragma integrity_check').get()).toEqual({ integrity_check: 'ok' });
        expect(database.prepare('pragma foreign_key_check').all()).toEqual([]);
        database.close();
      }
      const [middle, longest] = [median(restarts), Math.max(...restarts)].map((time) => `${Math.round(time)} ms`);
      console.log(
        `Killed ${kills} times on ${kind} under ${done.writes} acknowledged writes; started again in ${middle}, at most ${longest}.`,
      );
      expect(done.writes).toBeGreaterThan(kills);
    } finally {
      await server.kill();
      await drop();
      await rm(folder, { recursive: true, force: true });
    }
  });
});
