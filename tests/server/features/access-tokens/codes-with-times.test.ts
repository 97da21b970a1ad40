import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { calls } from '../../../../src/contract/calls.ts';
import type { Client } from '../../../../src/contract/client.ts';
import { ApiApp, databases, refused } from '../../../harness/api-app.ts';

const NONE = { valid_from: null, valid_till: null, valid_duration: null, first_used_at: null };
const USED = {
  valid_from: '2026-01-01T08:00:00.000Z',
  valid_till: '2031-01-01T00:00:00.000Z',
  valid_duration: 45,
  first_used_at: '2026-02-01T10:00:00.000Z',
};

describe.each(databases)('codes with their times as JSON on %s', (kind) => {
  let api: ApiApp;
  let client: Client;
  let room: number;
  let endpoint: number;
  let count = 0;
  beforeAll(async () => {
    api = await ApiApp.start(kind);
    client = api.client();
    room = (await client.rooms.create({ body: { title: 'Hall' } })).id;
  });
  beforeEach(async () => {
    const body = { name: `Members ${++count}`, room_id: room, access_token_duration: 60 };
    endpoint = (await client.endpoints.create({ body })).id;
  });
  afterAll(() => api.close());

  const send = (content: unknown, body: object = {}, as = client) =>
    as.accessTokens.importFile({
      params: { id: endpoint },
      body,
      files: {
        access_tokens_file: new File([typeof content === 'string' ? content : JSON.stringify(content)], 'codes'),
      },
    });
  const exported = async (id = endpoint): Promise<unknown[]> => {
    const answer = await api.call(
      calls.endpoints.exportTokens,
      { id },
      { query: 'format=json', token: api.one.admin.token },
    );
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(answer.headers.get('content-disposition')).toMatch(/\.json"$/);
    return JSON.parse(answer.text);
  };
  const texts = async (attempt: Promise<unknown>) => {
    const { code, msg } = await refused(attempt);
    return [code, ...(msg.access_tokens_file ?? [])];
  };

  it('come back as they were: durations, times and first uses', async () => {
    expect(await exported()).toEqual([]);
    const codes = [
      { token: 'used', ...USED },
      { token: '=1+"1\\', ...NONE },
      { token: '展示室', ...NONE, valid_duration: 5 },
    ];
    expect(await send(codes)).toMatchObject({ accepted: 3, duplicates: 0, updated: 0 });
    expect(await exported()).toEqual(codes);
    expect(await send(codes)).toMatchObject({ accepted: 0, duplicates: 3, updated: 0 });
    // One after another is read like a list; what is not said of a new code is as in its structure.
    expect(await send('{"token": "new"}\n{"token": "used"}', { dry_run: true })).toMatchObject({ accepted: 1 });
    expect(await exported()).toEqual(codes);
    await send('\ufeff{"token": "new"}\n');
    expect((await exported()).at(-1)).toEqual({ token: 'new', ...NONE, valid_duration: 60 });
  });

  it('are read from codes.json, and exported as they stand there', async () => {
    const text = await readFile(join(import.meta.dirname, '../../../../fixtures/tokens/codes.json'), 'utf8');
    expect(await send(text)).toMatchObject({ accepted: 3, duplicates: 0 });
    expect(await exported()).toEqual(JSON.parse(text));
  });

  it('change what they name of codes that are there; replace sets back the rest, prune takes the others away', async () => {
    await send([
      { token: 'a', ...USED },
      { token: 'b', ...USED },
      { token: 'c', ...NONE },
    ]);
    const some = [{ token: 'a', valid_till: '2032-01-01T00:00:00+01:00' }, { token: 'b' }, { token: 'd', ...USED }];
    expect(await send(some)).toMatchObject({ accepted: 1, duplicates: 2, updated: 1, duplicate_lines: [1, 1] });
    expect(await exported()).toEqual([
      { token: 'a', ...USED, valid_till: '2031-12-31T23:00:00.000Z' },
      { token: 'b', ...USED },
      { token: 'c', ...NONE },
      { token: 'd', ...USED },
    ]);
    const [code, ...lines] = await texts(send([{ token: 'x' }, { token: 'a' }], { mode: 'create' }));
    expect([code, lines]).toEqual(['invalid', ['Line 1: This token already exists, or is in the file twice.']]);
    const rest = [{ token: 'b', valid_from: USED.valid_from }, { token: 'c' }];
    expect(await send(rest, { mode: 'replace', prune: true })).toMatchObject({ updated: 2, removed: 2, accepted: 0 });
    expect(await exported()).toEqual([
      { token: 'b', ...NONE, valid_from: USED.valid_from, valid_duration: 60 },
      { token: 'c', ...NONE, valid_duration: 60 },
    ]);
  });

  it('are refused as a whole where one is wrong, cut off, or sent where a table is wanted', async () => {
    const before = await api.dump();
    const cases: [unknown, ...string[]][] = [
      [[{ token: 'a' }, { token: '' }], 'invalid', 'Line 1, token: Enter a token.'],
      [
        '[{"token": "a"},\n{"token": "b", "valid_till": "soon"}]',
        'invalid',
        expect.stringMatching(/^Line 2, valid_till: /),
      ],
      [
        [{ token: 'a', valid_from: '2030-01-01T00:00:00Z', valid_till: '2029-01-01T00:00:00Z' }],
        'invalid',
        'Line 1, valid_till: The end must be after the start.',
      ],
      [[{ token: 'a', valid_duration: 1 }], 'invalid', expect.stringMatching(/^Line 1, valid_duration: /)],
      ['{"title": "A room", "elements": []}', 'invalid', expect.stringMatching(/^Line 1, token: /)],
      ['[{"token": "a"},\n{"token"', 'bad_file', expect.stringMatching(/^Line 2, JSON: /)],
      ['[]', 'invalid', expect.stringContaining('The file contains no tokens')],
    ];
    for (const [content, ...said] of cases) expect(await texts(send(content)), String(content)).toEqual(said);
    const files = { access_tokens_file: new File(['[{"token": "a"}]'], 'codes.csv') };
    const [code, text] = await texts(client.endpoints.update({ params: { id: endpoint }, body: {}, files }));
    expect([code, text]).toEqual(['bad_file', expect.stringContaining('This is JSON.')]);
    expect(await api.dump()).toBe(before);
  });

  it('change nothing for whoever may only add codes', async () => {
    await send([{ token: 'a', ...NONE }]);
    const rights = { view_any: false, create: false, update: false, delete: false };
    const areas = ['endpoints', 'rooms', 'live_streams', 'settings', 'templates'].map((area) => [area, rights]);
    const policies = { ...Object.fromEntries(areas), access_tokens: { ...rights, create: true } };
    const { key } = await client.apiKeys.create({ body: { name: 'Door', policies } });
    const door = api.client({ ...api.one.admin, token: key });
    expect(await send([{ token: 'b' }, { token: 'a' }], {}, door)).toMatchObject({ accepted: 1, updated: 0 });
    expect((await refused(send([{ token: 'c' }, { token: 'a', ...USED }], {}, door))).code).toBe('forbidden');
    expect(await exported()).toEqual([
      { token: 'a', ...NONE },
      { token: 'b', ...NONE, valid_duration: 60 },
    ]);
  });
});
