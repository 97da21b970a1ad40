import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ApiApp, databases } from '../harness/api-app.ts';
import { CommandLine } from '../harness/command-line.ts';

/** Milliseconds that a test of many commands may take on a slow machine. */
const LONG = 600_000;
const LATER = 'This document has format version 99, but this program supports up to 2. Update Enfilade.';

const hall = (more: object = {}) => ({ title: 'Hall', elements: [{ id: 1, element: 'text', name: 'Sign' }], ...more });

describe('documents of rooms without a server', { timeout: LONG }, () => {
  let line: CommandLine;
  beforeAll(async () => {
    line = await CommandLine.here({});
  });
  afterAll(() => line.close());

  it("a budget is estimated from a file alone, and says what it can't count", async () => {
    const picture = { id: 2, element: 'image', name: 'Lake', file_id: 7 };
    const room = { id: 1, title: 'Hall', elements: [{ id: 1, element: 'text', name: 'Sign' }, picture] };
    const file = await line.file('hall.json', JSON.stringify(room));
    const text = await line.done('rooms', 'budget', file);
    expect(text).toMatch(/^measure +needs +phone/);
    expect(text).toMatch(/\ndraw calls +\d+ /);
    expect(text).toContain('Not counted, because nothing is known of their files: 2\n');
    const budget = await line.json('rooms', 'budget', file);
    expect(budget).toMatchObject({ over: [], unknown: [2] });
    expect(budget.totals.draw_calls).toBeGreaterThan(0);
    const missing = await line.run(['rooms', 'budget', 'nowhere.json']);
    expect(missing).toMatchObject({ code: expect.any(Number), out: '' });
    expect(missing.code).not.toBe(0);
  });

  it('a document of a later program is not merged, whichever side it is on', async () => {
    await line.file('known.json', JSON.stringify(hall()));
    await line.file('later.json', JSON.stringify(hall({ version: 99 })));
    for (const files of [
      ['later.json', 'known.json', 'known.json'],
      ['known.json', 'later.json', 'known.json'],
      ['known.json', 'known.json', 'later.json'],
    ]) {
      const run = await line.run(['rooms', 'merge', ...files]);
      expect(run).toMatchObject({ code: 1, out: '', error: expect.stringContaining(LATER) });
      expect(run.error).toContain('Or export the room again from a server of this version.');
    }
    expect(JSON.parse(await readFile(join(line.folder, 'known.json'), 'utf8'))).toEqual(hall());
  });
});

describe.each(databases)('documents of rooms of a server on %s', { timeout: LONG }, (kind) => {
  let api: ApiApp;
  let line: CommandLine;
  beforeAll(async () => {
    api = await ApiApp.start(kind);
    line = await CommandLine.here({ ENFILADE_URL: api.origin, ENFILADE_KEY: api.one.admin.token });
  });
  afterAll(async () => {
    await line.close();
    await api.close();
  });

  it('an export is the same document with --json and without it', async () => {
    await line.done('rooms', 'import', await line.file('hall.json', JSON.stringify(hall())));
    const exported = await line.json('rooms', 'export', 'Hall');
    expect(exported).toMatchObject({ title: 'Hall', elements: [{ element: 'text', name: 'Sign' }] });
    expect(exported).toEqual(JSON.parse(await line.done('rooms', 'export', 'Hall')));
  });

  it('a document of a later program is not imported, and nothing changes', async () => {
    const before = await api.dump();
    const file = await line.file('later.json', JSON.stringify(hall({ title: 'Later', version: 99 })));
    const run = await line.run(['rooms', 'import', file]);
    expect(run.code).toBe(1);
    expect(run.out + run.error).toContain(LATER);
    expect(await api.dump()).toBe(before);
  });
});
