import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as passed } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { applyCommand, readCommand } from '../../engine/document/commands.ts';
import type { Room } from '../../engine/document/room.ts';
import { type Client, createClient } from '../../src/contract/client.ts';
import { newElement } from '../../src/editor/canvas/add-at.ts';
import { roomOf } from '../../src/editor/saving/log-follower.ts';
import { freePort } from '../harness/free-port.ts';
import { endHeadless, type HeadlessEditor, openHeadless, saved } from '../harness/headless-editor.ts';
import { RandomEditor, seeded } from '../harness/random-editor.ts';
import { StartedServer } from '../harness/started-server.ts';
import { createDatabase, databases } from '../harness/test-database.ts';

const KILLS = Number(process.env.FAULT_KILLS ?? 50);
const EDITORS = 5;
/** Calls of each editor at random: 2.5 commands on average. */
const CALLS = Number(process.env.FAULT_EDITS ?? 10_000) / 2.5;
const LOGIN = { email: 'admin@example.com', password: 'correct horse battery' };
const HOUR = 3_600_000;

interface Place {
  client: Client;
  start(): StartedServer;
  server: StartedServer;
  close(): Promise<void>;
}

/** A server on a data folder and a database of its own, which comes back under the same address. */
async function place(kind: (typeof databases)[number]): Promise<Place> {
  const folder = await mkdtemp(join(tmpdir(), 'enfilade-faults-'));
  const { url, drop } = await createDatabase(kind);
  const port = await freePort();
  const start = () =>
    new StartedServer({
      DATA_DIR: folder,
      PORT: String(port),
      ADMIN_PASSWORD: LOGIN.password,
      ...(url && { DATABASE_URL: url }),
    });
  const server = start();
  const origin = await server.address();
  let token = '';
  const client = createClient({ origin, token: () => token, onToken: (value) => (token = value) });
  await client.users.login({ body: LOGIN });
  const made: Place = {
    client,
    start,
    server,
    close: async () => {
      await made.server.kill();
      await drop();
      await rm(folder, { recursive: true, force: true });
    },
  };
  return made;
}

describe.each(databases)('editors of one space, on %s', (kind) => {
  it(
    `of ${KILLS} kills of the server none loses what was acknowledged, and none does anything twice`,
    async () => {
      const at = await place(kind);
      try {
        const { id } = await at.client.rooms.create({ body: { title: 'Hall' } });
        const editors: HeadlessEditor[] = [];
        for (let index = 0; index < EDITORS; index++) editors.push(await openHeadless(at.client, id));
        const names: string[] = [];
        let isEnded = false;
        const edit = async (editor: HeadlessEditor, index: number) => {
          for (let turn = 0; !isEnded; turn++) {
            const [element] = (await editor.ids.taken(1)) ?? [];
            if (element === undefined) {
              await passed(50);
              continue;
            }
            const name = `${index}.${turn}`;
            const added = { ...newElement('text', element), name: 'new' };
            editor.document.run({ type: 'element.add', elements: [added], parent: null }, { label: 'Add' });
            editor.document.run({ type: 'element.update', id: element, fields: { name } }, { label: 'Name' });
            names.push(name);
            await passed(20 + Math.random() * 60);
          }
        };
        const working = Promise.all(editors.map(edit));
        let kills = 0;
        for (; kills < KILLS; kills++) {
          await passed(100 + Math.random() * 300);
          await at.server.kill();
          at.server = at.start();
          await at.server.address();
        }
        isEnded = true;
        await working;
        // On a busy machine a server takes seconds to come back, and thousands of edits wait at the end.
        for (const editor of editors) await saved(editor, HOUR);
        for (const editor of editors) await editor.saving.log.follow();
        const room = roomOf(await at.client.rooms.read({ params: { id } }));
        const found = room.elements.map(({ name }) => name);
        expect(found.toSorted()).toEqual(names.toSorted());
        for (const { document } of editors) expect(document.room.elements).toEqual(room.elements);
        console.log(
          `Killed ${kills} times on ${kind} under ${EDITORS} editors, who added and named ${names.length} elements.`,
        );
      } finally {
        endHeadless();
        await at.close();
      }
    },
    HOUR,
  );

  it(
    `${EDITORS} of them with ${CALLS * 2.5} commands each at random have the same document, as rows and as log, too`,
    async () => {
      const at = await place(kind);
      try {
        const { id } = await at.client.rooms.create({ body: { title: 'Hall' } });
        const editors = Array.from(
          { length: EDITORS },
          (_, index) => new RandomEditor(at.client, id, `editor ${index}`, seeded(index)),
        );
        const begun = performance.now();
        await Promise.all(editors.map((editor) => editor.edit(CALLS)));
        await Promise.all(editors.map((editor) => editor.follow()));
        const room = roomOf(await at.client.rooms.read({ params: { id } }));
        for (const editor of editors) expect(editor.room.elements).toEqual(room.elements);
        const entries = await editors[0]!.wholeLog();
        const inverses = entries.toReversed().flatMap((entry) => entry.inverses.map(readCommand));
        const first = inverses.reduce<Room>((now, command) => applyCommand(now, command).room, room);
        expect(first.elements).toEqual([]);
        const again = entries
          .flatMap(({ commands }) => commands.map(readCommand))
          .reduce<Room>((now, command) => applyCommand(now, command).room, first);
        expect(again).toEqual(room);
        const commands = entries.reduce((sum, entry) => sum + entry.commands.length, 0);
        const twice = editors.reduce((sum, { sentTwice }) => sum + sentTwice, 0);
        const unanswered = editors.reduce((sum, editor) => sum + editor.unanswered, 0);
        console.log(
          `On ${kind}: ${entries.length} calls with ${commands} commands in ${Math.round((performance.now() - begun) / 1000)} s, ${twice} of them sent twice, ${unanswered} without an answer; ${room.elements.length} elements at the end.`,
        );
      } finally {
        await at.close();
      }
    },
    HOUR,
  );
});
