import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Client } from '../../src/contract/client.ts';
import { bareRoom } from '../../src/editor/session/file-catalog.ts';
import { readDocument } from '../../src/server/features/rooms/document-cache.ts';
import { findRoom } from '../../src/server/features/rooms/queries.ts';
import { ApiApp, databases } from '../harness/api-app.ts';
import { clientWith, endHeadless, type HeadlessEditor, openHeadless, saved } from '../harness/headless-editor.ts';
import { MemoryQueue } from '../harness/memory-queue.ts';
import { seeded } from '../harness/random-editor.ts';
import { editAtRandom } from '../harness/random-session.ts';

/** Editors at once, edits that each makes, and how many of them before it is loaded again. */
const [EDITORS, EDITS, RELOAD] = [5, 60, 25];

/** A line that at times fails before the server has heard it, after it has done it, or answers late. */
function badLine(client: Client, random: () => number): Client {
  return clientWith(client, (name, call) => async (input) => {
    if (name !== 'commit' && name !== 'log') return call(input);
    const chance = random();
    if (chance < 0.15) throw new TypeError('Failed to fetch');
    const answer = await call(input);
    if (chance < 0.3) throw new TypeError('Failed to fetch');
    // What is sent twice arrives twice.
    if (chance < 0.4) await call(input);
    if (chance < 0.5) await new Promise((resolve) => setTimeout(resolve, 5 + chance * 20));
    return answer;
  });
}

describe.each(databases)('five sessions at once on %s', (kind) => {
  let api: ApiApp;
  beforeAll(async () => {
    api = await ApiApp.start(kind);
  });
  afterAll(() => api.close());
  afterEach(endHeadless);

  test('on bad lines, one of them loaded again in the middle: all documents are what the rows have', async () => {
    const { id } = await api.client().rooms.create({ body: { title: 'Hall' } });
    const work = async (index: number): Promise<HeadlessEditor> => {
      const random = seeded(index + 1);
      const storage = new MemoryQueue();
      const line = badLine(api.client(), random);
      let editor = await openSteadily(line, id, storage);
      for (let edit = 0; edit < EDITS; edit++) {
        if (edit === RELOAD && index % 2 === 0) {
          editor.end();
          editor = await openSteadily(line, id, storage);
        }
        await editAtRandom(editor, random);
        if (random() < 0.3) await editor.saving.follow().catch(() => undefined);
        if (random() < 0.5) await new Promise((resolve) => setTimeout(resolve, random() * 5));
      }
      return editor;
    };
    const editors = await Promise.all(Array.from({ length: EDITORS }, (_, index) => work(index)));
    await Promise.all(editors.map((each) => saved(each)));
    const row = await findRoom(api.services.db, api.one.id, id);
    const rows = await readDocument(api.services.db, row!);
    expect(rows.elements.length).toBeGreaterThan(10);
    for (const editor of editors) {
      await followSteadily(editor);
      expect(bareRoom(editor.document.room)).toEqual(rows);
      expect(editor.saving.conflicts.next).toBeNull();
    }
  }, 120_000);
});

async function steadily<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 0; ; attempt++)
    try {
      return await work();
    } catch (error) {
      if (attempt > 20 || !(error instanceof TypeError)) throw error;
    }
}
const openSteadily = (client: Client, id: number, storage: MemoryQueue) =>
  steadily(() => openHeadless(client, id, storage));
const followSteadily = ({ saving }: HeadlessEditor) => steadily(() => saving.follow());
