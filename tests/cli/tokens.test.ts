import { readFile, truncate } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ApiApp, databases } from '../harness/api-app.ts';
import { CommandLine } from '../harness/command-line.ts';

/** Milliseconds that a test of many commands may take on a slow machine. */
const LONG = 600_000;

describe.each(databases)('access tokens from the command line on %s', { timeout: LONG }, (kind) => {
  let api: ApiApp;
  let line: CommandLine;
  let count = 0;
  let path: string;
  let endpoint: number;
  beforeAll(async () => {
    api = await ApiApp.start(kind);
    line = await CommandLine.here({ ENFILADE_URL: api.origin, ENFILADE_KEY: api.one.admin.token });
  });
  beforeEach(async () => {
    const client = api.client();
    const room = (await client.rooms.create({ body: { title: 'Hall' } })).id;
    const museum = (await client.endpoints.create({ body: { name: `Museum ${++count}`, room_id: room } })).id;
    const body = { name: 'Hall', room_id: room, parent_endpoint_id: museum };
    endpoint = (await client.endpoints.create({ body })).id;
    path = `museum-${count}/hall`;
  });
  afterAll(async () => {
    await line.close();
    await api.close();
  });

  const importFile = (file: string, ...more: string[]) =>
    line.run(['tokens', 'import', file, '--endpoint', path, ...more]);
  const listed = async (): Promise<string[]> =>
    (await line.json('tokens', 'list', '--endpoint', path)).map(({ token }: { token: string }) => token);

  it('imports, lists, exports and removes them; the export imports again', async () => {
    const file = await line.file('codes.csv', '\ufeffabc,1\r\n=1+1\r\n\r\n"d,e"\r\nabc\r\n');
    const dry = await importFile(file, '--dry-run');
    expect(dry).toMatchObject({ code: 0, out: expect.stringContaining('would create 3, unchanged 1') });
    expect(await listed()).toEqual([]);
    const done = await importFile(file);
    expect(done).toMatchObject({ code: 0, error: '' });
    expect(done.out).toContain(`${file}: created 3, unchanged 1\n  existing, or duplicate in the file: line 5\n`);
    expect((await listed()).toSorted()).toEqual(['=1+1', 'abc', 'd,e']);
    const sorted = await line.json('tokens', 'list', '--endpoint', path, '--sort', '-token');
    expect(sorted.map(({ token }: { token: string }) => token)).toEqual(['d,e', 'abc', '=1+1']);
    const again = JSON.parse((await importFile(file, '--json')).out);
    expect(again).toMatchObject([{ file, dry_run: false, accepted: 0, duplicates: 4, removed: 0 }]);

    const exported = await line.done('tokens', 'export', '--endpoint', `/${path}/`);
    expect(exported).toBe('"abc"\r\n"\'=1+1"\r\n"d,e"\r\n');
    await line.done('tokens', 'export', '--endpoint', path, '--out', 'out.csv');
    expect(await readFile(join(line.folder, 'out.csv'), 'utf8')).toBe(exported);
    const piped = await line.run(['tokens', 'import', '-', '--endpoint', String(endpoint), '--json'], {
      input: exported,
    });
    expect(JSON.parse(piped.out)).toMatchObject([{ file: 'standard input', accepted: 0, duplicates: 3 }]);

    const found = await line.done('tokens', 'export', '--endpoint', path, '--search', 'ab', '--state', 'unused');
    const [heading, ...matches] = found.trim().split('\r\n');
    expect(heading).toContain('"link"');
    expect(matches).toEqual([expect.stringMatching(/^"abc",".*#access_token=abc"/)]);

    const unknown = await line.run(['tokens', 'remove', 'abc', 'nobody', '--endpoint', path]);
    expect(unknown).toMatchObject({ code: 1, error: expect.stringContaining('nobody') });
    expect(await line.done('tokens', 'remove', 'abc', '=1+1', '--endpoint', path)).toMatch(/^remove 2\n/);
    expect(await listed()).toEqual(['d,e']);
    expect(await line.done('tokens', 'list', '--endpoint', path, '--csv')).toMatch(/^"id","token",.*\r\n"\d+","d,e",/);
  });

  it('refuses what is there with create, lets it begin anew with replace, and prunes only when told', async () => {
    const file = await line.file('modes.csv', 'abc\ndef\n');
    await importFile(file);
    const { db } = api.services;
    const of = () => db.selectFrom('access_tokens').selectAll().where('endpoint_id', '=', endpoint).orderBy('id');
    await db.updateTable('access_tokens').set({ first_used_at: '2026-01-01T00:00:00.000Z' }).execute();
    const other = await line.file('other.csv', 'new\nabc\n');
    const created = await importFile(other, '--mode', 'create');
    expect(created).toMatchObject({ code: 1, out: '' });
    expect(created.error).toContain('line 2, column 1: This token already exists');
    expect(await listed()).toEqual(['def', 'abc']);
    await importFile(other, '--mode', 'replace');
    expect((await of().execute()).map(({ token, first_used_at }) => [token, first_used_at === null])).toEqual([
      ['abc', true],
      ['def', false],
      ['new', true],
    ]);
    expect((await importFile(other, '--prune')).out).toContain('created 0, unchanged 2, removed 1');
    expect(await listed()).toEqual(['new', 'abc']);
  });

  it('a wrong file changes nothing, and is named with line and reason (check 61)', async () => {
    const cases: [string, string | Uint8Array, RegExp][] = [
      ['long.csv', `abc\n${'x'.repeat(256)}\n`, /long\.csv, line 2, column 1: Use at most 255 characters\./],
      ['latin.csv', new Uint8Array([0x61, 0x0a, 0xe9]), /latin\.csv: The file isn't encoded as UTF-8/],
      ['open.csv', 'abc\n"def\n', /open\.csv, line 2, column 1: unclosed quotation mark/],
      [
        'listed.csv',
        'id,name,title\n1,Hall,Hall\n',
        /First rows \(token column unclear, the first line is a heading\):\n {2}1: id \| name \| title\n[\s\S]*--column/,
      ],
      [
        'unlike.csv',
        'Eintritt\nQW8ER7\nAS5DF4\n',
        /First rows \(tokens in column 1, heading unclear\):[\s\S]*--heading/,
      ],
      ['damaged.csv', '8.7E+12\n#N/A\n', /damaged\.csv, line 1, column 1: A spreadsheet has abbreviated/],
      ['quotes.csv', 'abc\nde"f\n', /quotes\.csv, line 2, column 1: quotation mark in an unquoted cell/],
      ['behind.csv', 'abc\n"de"f\n', /behind\.csv, line 2, column 1: text after a closing quotation mark/],
      ['second.csv', 'abc,1\ndef,2\n,3\n', /token column or the heading is ambiguous/],
      ['empty.csv', '', /The file contains no tokens/],
    ];
    await Promise.all(
      cases.map(async ([name, content, reason]) => {
        const run = await importFile(await line.file(name, content));
        expect(run).toMatchObject({ code: 1, out: '', error: expect.stringMatching(reason) });
      }),
    );
    const [none, pattern, folder, nowhere] = await Promise.all([
      importFile('none.csv'),
      importFile('*.none'),
      importFile('.'),
      line.run(['tokens', 'list', '--endpoint', 'nowhere', '--json']),
    ]);
    expect(none).toMatchObject({ code: 2, error: expect.stringContaining('[no_file]') });
    expect(pattern).toMatchObject({ code: 2, error: expect.stringContaining('[no_file]') });
    expect(folder).toMatchObject({ code: 2 });
    expect([nowhere.code, JSON.parse(nowhere.error).error.code]).toEqual([1, 'wrong']);
    expect(await listed()).toEqual([]);
  });

  it('a connection that is lost in the middle leaves nothing, and Ctrl-C neither (check 61)', async () => {
    const codes = Array.from({ length: 100_000 }, (_, index) => `code-${index}-${(index * 7919).toString(36)}`);
    const file = await line.file('many.csv', codes.join('\n'));
    const { hostname, port } = new URL(api.origin);
    // Passes on what comes in until a megabyte has gone, then does what it is told.
    const through = async (then: 'cut' | 'stop') => {
      let sent = 0;
      let stop = () => {};
      const relay = createServer((socket) => {
        const server = connect(Number(port), hostname);
        server.pipe(socket);
        socket.on('data', (chunk) => {
          sent += chunk.length;
          if (sent < 1024 * 1024) server.write(chunk);
          else if (then === 'cut') socket.destroy();
          else stop();
        });
        for (const end of [socket, server]) end.on('error', () => {});
        socket.on('close', () => server.destroy());
      });
      const own = await new Promise<number>((resolve) =>
        relay.listen(0, '127.0.0.1', () => resolve((relay.address() as { port: number }).port)),
      );
      const run = await line.run(['tokens', 'import', file, '--endpoint', path], {
        environment: { ENFILADE_URL: `http://127.0.0.1:${own}` },
        onStart: (child) => {
          stop = () => child.kill('SIGINT');
        },
      });
      relay.close();
      return run;
    };
    expect(await through('cut')).toMatchObject({ code: 3, error: expect.stringContaining('[unreachable]') });
    expect(await through('stop')).toMatchObject({ code: 130, error: expect.stringContaining('[stopped]') });
    expect(await listed()).toEqual([]);
    expect((await importFile(file)).out).toContain('created 100,000');
  });

  it('reads tables as other programs write them', async () => {
    const tables = {
      'marked.csv': '\ufefffoo,bar\n1,2\n4,5\n',
      'semicolons.csv': '"CHANNEL";"VALUE"\r\n27;"24,1"\r\n',
      'quoted.csv': 'a,b\r\n"Once upon \r\na time",5\r\n3,"ha ""ha"" ha"\r\n',
    };
    for (const [name, content] of Object.entries(tables))
      expect((await importFile(await line.file(name, content), '--column', '1', '--heading', 'no')).code, name).toBe(0);
    expect((await listed()).toSorted()).toEqual(['1', '27', '3', '4', 'CHANNEL', 'Once upon a time', 'a', 'foo']);
  });

  it('recognizes exports of ticketing systems, shows their first rows, and reads columns by name', async () => {
    const tickets = await line.file(
      'tickets.csv',
      'Order #;Attendee name;E-mail;Barcode #\n10023456;Ann;ann@example.com;87123\u00ad456\n',
    );
    const dry = await importFile(tickets, '--dry-run');
    expect(dry.out).toContain('First rows (tokens in column 4 (Barcode #), the first line is a heading):');
    const done = await importFile(tickets);
    expect(done.out).toContain('normalized invisible characters, spaces or dashes in line 2');
    const [row] = await line.json('tokens', 'list', '--endpoint', path);
    expect(row).toMatchObject({ token: '87123456', holder_name: 'Ann', holder_email: 'ann@example.com' });
    const csv = await line
      .done('tokens', 'list', '--endpoint', path, '--csv', '--out', 'list.csv')
      .then(() => readFile(join(line.folder, 'list.csv'), 'utf8'));
    expect(csv).toContain('ann@example.com');
    expect((await importFile(join(line.folder, 'list.csv'))).out).toContain('nothing changed');
    const orders = await line.file('orders.csv', 'Order,Reference\n10023457,ABC-1\n');
    expect((await importFile(orders)).code).toBe(1);
    expect((await importFile(orders, '--column', 'reference')).out).toContain('created 1');
    expect(await listed()).toContain('ABC-1');
    const removed = await line.run(['tokens', 'remove', 'ABC\u20111', '--endpoint', path, '--yes']);
    expect([removed.code, await listed()]).toEqual([0, ['87123456']]);
  });

  it('refuses files over the limit before sending them, and long lines early, without repeating long names', async () => {
    const large = await line.file('large.csv', 'token\nabc\n');
    await truncate(large, 1024 * 1024 * 1024);
    const tokens = await importFile(large);
    expect(tokens).toMatchObject({ code: 1, error: expect.stringContaining('is larger than 400 MB') });
    await truncate(large, 70 * 1024 * 1024);
    expect(await importFile(large)).toMatchObject({
      code: 1,
      error: expect.stringContaining('large.csv is larger than 64 MB'),
    });
    await truncate(large, 1024 * 1024 * 1024);
    const items = await line.run(['endpoints', 'import', large]);
    expect(items).toMatchObject({ code: 1, error: expect.stringContaining('is larger than 400 MB') });

    const long = await line.file('long.csv', `name,path\n${'x'.repeat(8 * 1024 * 1024)}`);
    const began = performance.now();
    const refused = await line.run(['endpoints', 'import', long]);
    expect(refused.error).toContain('line 2: the row is longer than 1 MB');
    expect(performance.now() - began).toBeLessThan(5000);
    const wide = await line.file('wide.csv', `name,${'c'.repeat(500_000)}\nHall,1\n`);
    const unknown = await line.run(['endpoints', 'import', wide]);
    expect(unknown.error).toContain(`unknown column "${'c'.repeat(80)}…"`);
    const keys = await line.file('keys.json', JSON.stringify({ path: 'hall', ['k'.repeat(500_000)]: 1 }));
    const field = await line.run(['endpoints', 'import', keys]);
    expect([field.code, field.error.length < 1000]).toEqual([1, true]);
    expect(unknown.error.length).toBeLessThan(1000);
  });

  it('asks on a terminal which column holds the tokens and whether there is a heading, and goes by the answers', async () => {
    const bare = await line.file('bare.csv', 'Wert\r\nAAA111\r\nBBB222\r\n');
    const importing = (file: string) => ['tokens', 'import', file, '--endpoint', path];
    const heading = 'Is the first line a heading? [y/n] ';
    const yes = await line.onTerminal(importing(bare), [[heading, 'y\r']]);
    expect(yes.shown).toContain('First rows (tokens in column 1, heading unclear):');
    expect([yes.code, yes.shown]).toEqual([0, expect.stringContaining('created 2, unchanged 0')]);
    expect((await listed()).toSorted()).toEqual(['AAA111', 'BBB222']);

    const orders = await line.file('orders.csv', 'id,name,title\r\nX1A2B3,Y4C5D6,Z7E8F9\r\nX2A2B3,Y5C5D6,Z8E8F9\r\n');
    const column = 'Which column holds the tokens? [1-3] ';
    const second = await line.onTerminal(importing(orders), [[column, '2\r']]);
    expect([second.code, second.shown]).toEqual([0, expect.stringContaining('created 2, unchanged 0')]);
    expect(await listed()).toContain('Y4C5D6');

    const before = await listed();
    const other = await line.file('other.csv', 'Wert\r\nCCC111\r\nDDD222\r\n');
    for (const [answer, code] of [
      ['perhaps\r', 1],
      ['\u0003', 130],
    ] as const) {
      const run = await line.onTerminal(importing(other), [[heading, answer]]);
      expect([answer, run.code]).toEqual([answer, code]);
    }
    expect(await listed()).toEqual(before);
  });
});
