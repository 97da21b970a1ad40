import { randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Client } from '../../../../src/contract/client.ts';
import { ApiApp, databases, refused } from '../../../harness/api-app.ts';

describe.each(databases)('imports from files on %s', (kind) => {
  let api: ApiApp;
  let client: Client;
  beforeAll(async () => {
    api = await ApiApp.start(kind, { MEDIA_MAX_MB: '40' });
    client = api.client();
  });
  afterAll(() => api.close());

  const fileOf = (content: string | Uint8Array<ArrayBuffer>) => ({ items_file: new File([content], 'items.ndjson') });
  const lines = (items: readonly object[]) => items.map((item) => JSON.stringify(item)).join('\n');
  const rooms = (content: string | Uint8Array<ArrayBuffer>, body = {}, idempotencyKey?: string) =>
    client.imports.roomsFile({ body, files: fileOf(content), idempotencyKey });

  it('do what requests of JSON do, and are taken back like them', async () => {
    const before = await api.dump();
    const items = [
      { title: 'Hall', endpoint: { path: 'hall', name: 'The hall' } },
      { title: 'Lobby', width: 700 },
    ];
    const tried = await rooms(lines(items), { dry_run: true });
    expect(tried).toMatchObject({ applied: false, job: null, counts: { create: 3 } });
    expect(await api.dump()).toBe(before);
    const done = await rooms(`\ufeff${lines(items)}\r\n\n`);
    expect(done).toMatchObject({ applied: true, counts: { create: 3, wrong: 0 } });
    expect((await client.imports.rooms({ body: { items } })).counts).toMatchObject({ unchanged: 3 });
    const templates = await client.imports.templatesFile({ body: {}, files: fileOf('{"name": "White"}') });
    expect(templates.counts).toMatchObject({ create: 1 });
    const more = [
      { path: 'museum', room: 'Lobby' },
      { path: 'museum/hall', room: 'Hall' },
      { path: 'none/below' },
      { path: 5 },
    ];
    const wrong = await client.imports.endpointsFile({ body: {}, files: fileOf(lines(more)) });
    expect(wrong.counts).toMatchObject({ create: 2, wrong: 2 });
    expect(wrong.entries.slice(2).map(({ index, problems }) => [index, problems[0]!.path])).toEqual([
      [2, 'path'],
      [3, 'path'],
    ]);
    const paths = await client.imports.endpointsFile({ body: {}, files: fileOf(lines(more.slice(0, 2))) });
    const pruned = await rooms('{"title": "Lobby"}', { prune: true });
    expect(pruned).toMatchObject({ applied: true, counts: { unchanged: 1, remove: 1 } });
    for (const job of [pruned.job, paths.job, templates.job, done.job])
      await client.imports.undo({ params: { id: job! }, body: { force: true } });
    expect((await client.rooms.list()).meta.total).toBe(0);
    expect(await client.endpoints.list()).toEqual([]);
  });

  it('are done once when they are sent again with the same key', async () => {
    const key = randomUUID();
    const answers = await Promise.all([1, 2, 3].map(() => rooms('{"title": "Once"}', { mode: 'create' }, key)));
    expect(new Set(answers.map(({ job }) => job)).size).toBe(1);
    expect((await refused(rooms('{"title": "Other"}', { mode: 'create' }, key))).code).toBe('key_reused');
    expect(await readdir(join(api.services.settings.DATA_DIR, 'media/arriving'))).toEqual([]);
  });

  // Files are refused before any statement, and counted by the statements above.
  if (kind === databases[0]) {
    it('change nothing when a line is wrong, or the file is too much', async () => {
      const before = await api.dump();
      const refusal = async (content: string | Uint8Array<ArrayBuffer>) => {
        const { code, msg } = await refused(rooms(content));
        return [code, msg.items_file?.[0]];
      };
      expect(await refusal('{"title": "A"}\n\n{"title": "B"')).toEqual([
        'bad_file',
        "Line 3 isn't valid JSON. The file may be truncated.",
      ]);
      expect(await refusal('{"title": "A"}\n[]')).toEqual(['bad_file', "Line 2 isn't an object."]);
      expect((await refusal(new Uint8Array([0x7b, 0xff, 0x7d])))[0]).toBe('bad_file');
      for (const poison of ['{"title": "A", "config": {"__proto__": {}}}', '{"title": "A", "\\u005f_proto__": {}}'])
        expect((await refusal(poison))[0]).toBe('bad_file');
      expect(await refusal('{}\n'.repeat(100_001))).toEqual([
        'too_large',
        'Import at most 100000 items per file. Split the file.',
      ]);
      expect(await refusal(`{"title": "${'x'.repeat(33 * 1024 * 1024)}"}`)).toEqual([
        'too_large',
        'Use at most 32 MB per line.',
      ]);
      expect((await refusal(`{"title": "A"}\n${' '.repeat(41 * 1024 * 1024)}`))[0]).toBe('too_large');
      expect((await refused(client.imports.roomsFile({ body: {} }))).code).toBe('invalid');
      expect(await api.dump()).toBe(before);
      expect(await readdir(join(api.services.settings.DATA_DIR, 'media/arriving'))).toEqual([]);
    });

    it('count everything, and tell the first and what is wrong', async () => {
      const items = Array.from({ length: 10_010 }, (_, index) => ({ name: `Template ${index}` }));
      const body = { dry_run: true };
      const plan = await client.imports.templatesFile({ body, files: fileOf(lines([...items, { name: '' }])) });
      expect(plan.counts).toMatchObject({ create: 10_010, wrong: 1 });
      expect(plan.entries).toHaveLength(10_001);
      expect(plan.entries.at(-1)).toMatchObject({ index: 10_010, action: 'wrong' });
    }, 240_000);
  }
});
