import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { calls } from '../../../../src/contract/calls.ts';
import type { Client } from '../../../../src/contract/client.ts';
import type { ImportReport } from '../../../../src/contract/entities.ts';
import { ApiApp, databases, formOf, refused } from '../../../harness/api-app.ts';

const FIXTURES = join(import.meta.dirname, '../../../../fixtures/tokens');

const csv = (content: string | Uint8Array<ArrayBuffer>, name = 'codes.csv') => new File([content], name);
const bytes = (...parts: number[]) => new Uint8Array(parts);

describe.each(databases)('codes from a CSV on %s', (kind) => {
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
    endpoint = (await client.endpoints.create({ body: { name: `Members ${++count}`, room_id: room } })).id;
  });
  afterAll(() => api.close());

  const FIRST = { access_tokens_column: '1', access_tokens_heading: false };
  const send = (content: string | Uint8Array<ArrayBuffer>, body = {}) =>
    client.endpoints.update({ params: { id: endpoint }, body, files: { access_tokens_file: csv(content) } });
  const stored = async (): Promise<string[]> => {
    const { db } = api.services;
    const rows = await db
      .selectFrom('access_tokens')
      .select('token')
      .where('endpoint_id', '=', endpoint)
      .orderBy('id')
      .execute();
    return rows.map(({ token }) => token);
  };
  const exported = (id = endpoint) => client.endpoints.exportTokens({ params: { id } });
  const texts = async (attempt: Promise<unknown>) => {
    const { code, msg } = await refused(attempt);
    return [code, ...msg.access_tokens_file!];
  };

  it.each([
    ['a byte order mark', '\ufeffabc\ndef', ['abc', 'def']],
    ['Windows line ends', 'abc\r\ndef\r\n', ['abc', 'def']],
    ['old line ends', 'abc\rdef\r', ['abc', 'def']],
    ['more columns', 'abc,1,x\ndef\nghi,,', ['abc', 'def', 'ghi']],
    ['semicolons', '"abc";"1,2"\ndef;3,4', ['abc', 'def']],
    ['tabs', 'a,b\tx\nc,d\ty\ne\tz', ['a,b', 'c,d', 'e']],
    ['quotation marks', '"a""b"\n"c,d"\n"e;f"\n"g\nh"', ['a"b', 'c,d', 'e;f', 'g h']],
    ['spaces around', '  abc  , 1\n\t\n" def "\n\u00a0ghi', ['abc', 'def', 'ghi']],
    ['empty lines', '\n\nabc\n  \n,,\ndef\n\n', ['abc', 'def']],
    ['letters of the world', 'Straße\n日本\n🙂', ['Straße', '日本', '🙂']],
    ['signs that a database could take for its own', '\\N\n\\.\na\\b\\t\n\\\\', ['\\N', '\\.', 'a\\b\\t', '\\\\']],
    ['formulas made harmless', "'=1+1\n'+a\n'-b\n'@c\n''=d\n'e\n=f", ['=1+1', '+a', '-b', '@c', "'=d", "'e", '=f']],
  ])('reads a file with %s', async (_, content, codes) => {
    const { report, access_tokens_count } = await send(content, FIRST);
    expect(await stored()).toEqual(codes);
    expect(access_tokens_count).toBe(codes.length);
    expect(report).toMatchObject({ accepted: codes.length, duplicates: 0, duplicate_lines: [] });
    const again = await send(`${content}\nnew\n`, FIRST);
    expect(again.report).toMatchObject({ accepted: 1, duplicates: codes.length });
    expect(await stored()).toEqual([...codes, 'new']);
  });

  it.each([
    ['codes.csv', ['A1B2C3D4E5', 'F6G7H8J9K2'], 0],
    ['codes-excel.csv', ['A1B2C3D4E5', 'F6G7H8J9K2'], 1],
  ])('reads %s', async (name, codes, duplicates) => {
    const { report } = await send(new Uint8Array(await readFile(join(FIXTURES, name))));
    expect(await stored()).toEqual(codes);
    expect(report).toMatchObject({ accepted: 2, duplicates });
  });

  it('refuses wrong.csv, naming its line', async () => {
    const refusal = await texts(send(new Uint8Array(await readFile(join(FIXTURES, 'wrong.csv')))));
    expect(refusal).toEqual(['invalid', 'Line 2: Remove the control characters.']);
  });

  it('counts codes that are there twice, or were there before, with their lines', async () => {
    await send('abc\ndef');
    const before = (await client.accessTokens.list({ query: { search: 'abc' } })).data;
    const { report } = await send('ghi\n\nabc\n"x\n y"\nABC\nghi\n abc'.replace('"x\n y"\n', ''));
    expect(report).toMatchObject({ accepted: 2, duplicates: 3, duplicate_lines: [3, 5, 6] });
    expect(await stored()).toEqual(['abc', 'def', 'ghi', 'ABC']);
    expect((await client.accessTokens.list({ query: { search: 'abc' } })).data).toEqual(expect.arrayContaining(before));
    const again = await client.endpoints.create({
      body: { name: `Again ${count}`, room_id: room },
      files: { access_tokens_file: csv('abc\ndef') },
    });
    expect(again.report).toMatchObject({ accepted: 2, duplicates: 0 });
  });

  it('security 61: refuses a file with a bad row as a whole, naming the lines, and changes nothing', async () => {
    await send('abc');
    const before = await api.dump();
    const long = 'x'.repeat(256);
    expect(await texts(send(`a\n${long}\n\n"b\nc",1\nd\u0007\n,only second`, { name: 'Changed', ...FIRST }))).toEqual([
      'invalid',
      'Line 2: Use at most 255 characters.',
      'Line 6: Remove the control characters.',
      'Line 7: Enter a token.',
    ]);
    const many = await texts(send(`${long}\n`.repeat(25)));
    expect(many).toHaveLength(22);
    expect(many.at(-1)).toBe('5 more lines contain no token.');
    expect(await texts(send('a\n"b\nc'))).toEqual(['bad_file', 'Line 2: unclosed quotation mark.']);
    expect((await texts(send(bytes(0x61, 0x0a, 0xe9))))[0]).toBe('bad_file');
    expect((await texts(send(bytes(0xff, 0xfe, 0x61, 0x00, 0x0a, 0x00))))[0]).toBe('bad_file');
    expect((await texts(send('a\0b')))[0]).toBe('invalid');
    for (const empty of ['', '\n\n', ',,\n']) expect((await texts(send(empty)))[0]).toBe('invalid');
    expect(await api.dump()).toBe(before);
  });

  it("a structure that can't be added leaves no codes, and bad codes leave no structure", async () => {
    const before = await api.dump();
    const create = (name: string, content: string) =>
      client.endpoints.create({ body: { name, room_id: room }, files: { access_tokens_file: csv(content) } });
    expect((await refused(create(`Members ${count}`, 'abc'))).status).toBe(422);
    expect((await refused(create('New', '"'))).status).toBe(422);
    expect(await api.dump()).toBe(before);
  });

  it('needs the right to add codes, besides that to change or add structures', async () => {
    const right = { view_any: false, create: false, update: false, delete: false };
    const endpoints = { ...right, view_any: true, create: true, update: true };
    const [without, having] = await Promise.all([
      api.addUser(api.one, { endpoints, access_tokens: { ...right, view_any: true, update: true } }),
      api.addUser(api.one, { endpoints, access_tokens: { ...right, create: true } }),
    ]);
    const ways = (as: Client) => [
      () => as.endpoints.update({ params: { id: endpoint }, body: {}, files: { access_tokens_file: csv('alpha') } }),
      () =>
        as.endpoints.create({
          body: { name: `With codes ${++count}`, room_id: room },
          files: { access_tokens_file: csv('alpha') },
        }),
    ];
    const before = await api.dump();
    for (const way of ways(api.client(without))) {
      const { code, message } = await refused(way());
      expect([code, message]).toEqual(['forbidden', expect.stringContaining('create for access tokens')]);
    }
    expect(await api.dump()).toBe(before);
    expect(
      (await api.client(without).endpoints.update({ params: { id: endpoint }, body: { name: 'Renamed' } })).name,
    ).toBe('Renamed');
    for (const way of ways(api.client(having))) expect((await way()).report).toMatchObject({ accepted: 1 });
  });

  it('takes no file for none: a browser sends an empty one without a name', async () => {
    const form = formOf({ name: 'Changed' }, { field: 'access_tokens_file', name: '', content: new Blob([]) });
    const { status, body } = await api.call(
      calls.endpoints.update,
      { id: endpoint },
      { form, token: api.one.admin.token },
    );
    expect([status, body.data.name, body.report]).toEqual([200, 'Changed', undefined]);
    const elsewhere = formOf({}, { field: 'file', name: 'a.csv', content: new Blob(['a']) });
    const refusal = await api.call(
      calls.endpoints.update,
      { id: endpoint },
      { form: elsewhere, token: api.one.admin.token },
    );
    expect(refusal.body.code).toBe('unknown_field');
  });

  it('gives new codes the duration of the structure, also one that comes with them', async () => {
    const durations = async () =>
      (await client.accessTokens.list()).data
        .filter((row) => row.endpoint_id === endpoint)
        .map((row) => row.valid_duration);
    await send('abc');
    await send('def', { access_token_duration: 45 });
    await send('ghi');
    expect(await durations()).toEqual([45, 45, null]);
    const made = await client.endpoints.create({
      body: { name: `Timed ${count}`, room_id: room, access_token_duration: 60 },
      files: { access_tokens_file: csv('abc') },
    });
    const [token] = (await client.accessTokens.list()).data;
    expect(token).toMatchObject({ endpoint_id: made.id, valid_duration: 60 });
  });

  it('adds codes to those that are there, wherever the known ones stand among them', async () => {
    await send('late\n');
    const codes = Array.from({ length: 3000 }, (_, index) => `code-${index}`);
    const { report } = await send([...codes, 'late', 'last'].join('\n'));
    expect(report).toMatchObject({ accepted: 3001, duplicates: 1, duplicate_lines: [3001] });
    expect(await stored()).toEqual(['late', ...codes, 'last']);
    expect((await send('other\nmore\n')).report).toMatchObject({ accepted: 2, duplicates: 0 });
  });

  it('takes 100,000 codes at once', async () => {
    const codes = Array.from(
      { length: 100_000 },
      (_, index) => `code-${index.toString(36)}-${(index * 7919).toString(36)}`,
    );
    const { report } = await send(codes.join('\n'));
    expect(report!.accepted).toBe(100_000);
    expect((await exported()).split('\r\n')).toHaveLength(100_001);
    expect((await send(codes.join('\n'))).report).toMatchObject({ accepted: 0, duplicates: 100_000 });
    expect((await client.endpoints.read({ params: { id: endpoint } })).access_tokens_count).toBe(100_000);
  }, 120_000);

  // They are refused before any statement.
  if (kind === databases[0])
    it('takes no files of more than 64 MB or two million lines', async () => {
      expect((await texts(send(`"${'a'.repeat(64 * 1024 * 1024)}"`)))[0]).toBe('too_large');
      expect((await texts(send('a\n'.repeat(2_000_001))))[0]).toBe('too_large');
      expect(await stored()).toEqual([]);
    }, 120_000);

  it('security 19: warns of codes that can be guessed, with the figure', async () => {
    const reportOf = async (codes: string[]): Promise<ImportReport> => (await send(codes.join('\n'))).report!;
    const numbered = await reportOf(
      Array.from({ length: 500 }, (_, index) => `EVENT-${String(index * 17).padStart(4, '0')}`),
    );
    expect(numbered.possibilities_per_code).toBe(18);
    expect(numbered.warnings).toEqual([expect.stringContaining('about one in 18 similar tokens is valid')]);
    await api.services.db.deleteFrom('access_tokens').execute();
    const short = await reportOf(['1234', '5678']);
    expect([short.possibilities_per_code, short.warnings.length]).toEqual([5000, 1]);
    await api.services.db.deleteFrom('access_tokens').execute();
    const { token } = await client.accessTokens.create({ body: { endpoint_id: endpoint } });
    await client.accessTokens.remove({ params: { id: (await client.accessTokens.list()).data[0]!.id } });
    const strong = await reportOf([token, `${token.slice(5)}-wxyz`, 'k7dp-9wzt-hbqa-3xme']);
    expect(strong.possibilities_per_code).toBeGreaterThan(1e6);
    expect(strong.warnings).toEqual([]);
  });

  it('security 62: the export computes nothing in a spreadsheet, and gives back the same codes', async () => {
    const codes = ['=1+1', '+49', '-5', '@sum', "'=x", "''-y", "'z", 'a"b', 'c,d', 'e;f', '＝full', 'plain', 'Straße'];
    for (const token of codes) await client.accessTokens.create({ body: { endpoint_id: endpoint, token } });
    const text = await exported();
    for (const line of text.trim().split('\r\n')) expect(line).not.toMatch(/^"?[=+\-@\t\r＝]/);
    const other = await client.endpoints.create({
      body: { name: `Copy ${count}`, room_id: room },
      files: { access_tokens_file: csv(text) },
    });
    expect(other.report).toMatchObject({ accepted: codes.length, duplicates: 0 });
    const all = (await client.accessTokens.list()).data;
    expect(all.filter((row) => row.endpoint_id === other.id).map(({ token }) => token)).toEqual(codes.toReversed());
    expect(await exported(other.id)).toBe(text);
  });

  it('security 66: a link downloads once, within a minute, with a ticket and never with the session', async () => {
    await send('abc\ndef');
    const download = (query: string, id = endpoint) => api.call(calls.endpoints.exportTokens, { id }, { query });
    const ticket = async () => (await client.endpoints.createExportTicket({ params: { id: endpoint } })).token;
    const first = await ticket();
    expect(await api.dump()).not.toContain(first);
    const path = `/api/v1/backend/endpoints/${endpoint}/export-tokens?token=${first}`;
    expect((await fetch(api.origin + path, { method: 'HEAD' })).status).toBe(401);
    const answers = await Promise.all(Array.from({ length: 10 }, () => download(`token=${first}`)));
    const [good] = answers.filter(({ status }) => status === 200);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(401)]);
    expect(good!.text).toBe('"abc"\r\n"def"\r\n');
    expect(good!.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(good!.headers.get('content-disposition')).toBe(`attachment; filename="codes-members-${count}.csv"`);
    expect((await download(`token=${api.one.admin.token}`)).status).toBe(401);
    const late = await ticket();
    api.clock.advance(60_000);
    expect((await download(`token=${late}`)).status).toBe(401);
    const other = (await client.endpoints.create({ body: { name: `Other ${count}`, room_id: room } })).id;
    expect((await download(`token=${await ticket()}`, other)).status).toBe(401);
    const leaver = await api.addUser(api.one, {
      access_tokens: { view_any: true, create: false, update: false, delete: false },
    });
    const { token } = await api.client(leaver).endpoints.createExportTicket({ params: { id: endpoint } });
    await api.client(leaver).users.logout();
    expect((await download(`token=${token}`)).status).toBe(401);
  });

  it.each([
    ['with a byte order mark and a head', '\ufefffoo,bar,baz\n1,2,3\n4,5,ʤ\n', ['foo', '1', '4']],
    ['with semicolons and a decimal comma', '"CHANNEL";"VALUE"\r\n27;"24,1"\r\n', ['CHANNEL', '27']],
    ['with line ends and quotation marks within fields', 'a,b\n1,"ha \n""ha"" \nha"\n3,4\n', ['a', '1', '3']],
    [
      'with Windows line ends within fields',
      'a,b\r\n1,2\r\n"Once upon \r\na time",5\r\n7,8\r\n',
      ['a', '1', 'Once upon a time', '7'],
    ],
  ])('reads a table %s', async (_, content, codes) => {
    await send(content, FIRST);
    expect(await stored()).toEqual(codes);
  });

  it('refuses a table that is not UTF-8', async () => {
    const latin = Uint8Array.from(Buffer.from('Grüße\n', 'latin1'));
    const sentence = 'The file isn\'t encoded as UTF-8. Save it as "CSV UTF-8" and send it again.';
    expect(await texts(send(latin))).toEqual(['bad_file', sentence]);
  });
});
