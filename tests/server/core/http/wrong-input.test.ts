import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { calls } from '../../../../src/contract/calls.ts';
import { ApiApp, assertError, databases, formOf } from '../../../harness/api-app.ts';

const PREFIX = '/api/v1';
const LONE = '\\ud800';

/** Sends bytes as they are and gives what comes back until the server ends the connection. */
function exchange(origin: string, text: string): Promise<string> {
  const { hostname, port } = new URL(origin);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname, () => socket.write(text));
    let answer = '';
    const done = () => resolve(answer);
    socket.on('data', (data) => {
      answer += data.toString();
      if (/\r\n\r\n[\s\S]*\}$/.test(answer)) socket.end();
    });
    socket.on('close', done);
    socket.on('error', done);
  });
}

describe.each(databases)('wrong input on %s', (kind) => {
  let api: ApiApp;
  let room: number;
  let element: number;
  beforeAll(async () => {
    api = await ApiApp.start(kind);
    room = (await api.client().rooms.create({ body: { title: 'Hall' } })).id;
    element = (await api.client().rooms.addElement({ params: { id: room }, body: { element: 'group' } })).id;
  });
  afterAll(() => api.close());

  const send = async (method: string, path: string, body?: unknown, headers?: Record<string, string>) => {
    const answer = await api.send(method, PREFIX + path, { token: api.one.admin.token, body, headers });
    if (answer.status >= 400) assertError(answer);
    return answer;
  };

  it("security 12: refuses fields that can't be set, and changes nothing", async () => {
    const before = await api.dump();
    const bodies = [
      '{"title":"B","id":7}',
      '{"title":"B","policies":{"update":true}}',
      '{"title":"B","organization_id":1}',
      '{"title":"B","elements":[]}',
      '{"title":"B","config":{"surprise":1}}',
      '{"title":"B","__proto__":{"a":1}}',
      '{"title":"B","constructor":{"prototype":{"a":1}}}',
    ];
    for (const body of bodies) {
      expect((await send('PUT', `/backend/rooms/${room}`, body)).status, body).toBe(400);
      expect((await send('POST', '/backend/rooms', body)).status, body).toBe(400);
    }
    const elementBodies = [
      { id: 9 },
      { element: 'image' },
      { children: [{ id: 9 }] },
      { room_id: 99 },
      { config: { body: 'x' } },
    ];
    for (const body of elementBodies)
      expect((await send('PUT', `/backend/elements/${element}`, body)).status, JSON.stringify(body)).toBe(400);
    const forms: Record<string, string>[] = [{ access_tokens_count: '5' }, { policies: '1' }, { id: '3' }];
    for (const fields of forms) {
      const form = formOf({ name: 'X', room_id: String(room), ...fields });
      const answer = await api.send('POST', `${PREFIX}/backend/endpoints`, { token: api.one.admin.token, form });
      expect(answer.status).toBe(400);
    }
    expect(({} as Record<string, unknown>).a).toBeUndefined();
    expect(await api.dump()).toBe(before);
  });

  it('security 13: a hostile search finds nothing or is refused; unknown keys are refused', async () => {
    const searches = [
      `' or 1=1 --`,
      '%',
      '_',
      '\\',
      '%25',
      '"',
      "';drop table rooms;--",
      '\0',
      'a\nb',
      `${'a'.repeat(201)}`,
      '🌍',
    ];
    for (const words of searches)
      for (const path of ['/backend/rooms', '/backend/templates', '/backend/endpoints', '/backend/media']) {
        const { status, body } = await send('GET', `${path}?search=${encodeURIComponent(words)}`);
        const list = Array.isArray(body.data) ? body.data : body.data?.data;
        if (status === 200) expect(list, words).toEqual([]);
        else expect(status, words).toBe(400);
      }
    for (const path of [
      '/backend/rooms?sort=1',
      '/backend/rooms?search[]=x&search[]=y',
      '/settings?x=1',
      '/backend/rooms?page=0',
    ])
      expect((await send('GET', path)).status, path).toBe(400);
    for (const filters of ['x', 'bnVsbA==', '%00', btoa('[{"type":"nothing"}]'), btoa('{"type":"image"}')])
      expect((await send('GET', `/backend/media?filters=${encodeURIComponent(filters)}`)).status, filters).toBe(400);
  });

  it("names every field that can't be set, whatever it is called", async () => {
    for (const name of ['__proto__', 'constructor', 'toString', '__proto__.x']) {
      const { status, body } = await send('GET', `/backend/rooms?${encodeURIComponent(name)}=1`);
      expect([status, Object.entries(body.msg)]).toEqual([400, [[name, ["This field can't be set."]]]]);
    }
    const { status, text } = await send('POST', '/backend/rooms', '{"title":"Hall","__proto__":{"a":1}}');
    expect([status, text]).toEqual([400, expect.stringMatching(/"msg":\{"\w/)]);
  });

  it("security 48: gives the same refusal to NUL, half characters and ids that can't be, on every database", async () => {
    const requests: [string, string, string | undefined, number][] = [
      ['PUT', `/backend/rooms/${room}`, '{"title":"a\\u0000b"}', 422],
      ['PUT', `/backend/rooms/${room}`, `{"title":"a${LONE}b"}`, 422],
      ['PUT', `/backend/rooms/${room}`, `{"description":"a${LONE}b"}`, 422],
      ['PUT', `/backend/rooms/${room}`, '{"description":"a\\u0000b"}', 422],
      ['PUT', `/backend/elements/${element}`, '{"name":"a\\u0000b"}', 422],
      ['POST', '/backend/users/login', '{"email":"a\\u0000@example.com","password":"x"}', 422],
      ['POST', '/backend/users/login', `{"email":"a@example.com","password":"\\u0000${LONE}"}`, 422],
      ['GET', '/endpoints/%00', undefined, 404],
      ['GET', '/endpoints/a/%00', undefined, 404],
      ['GET', '/endpoints/%ED%A0%80', undefined, 400],
      ['GET', '/backend/rooms?search=%00', undefined, 400],
      ...['0', '-1', '1.5', '1e3x', 'abc', '%00', '9007199254740992', '1e300', '99999999999999999999', ' '].map(
        (id): [string, string, undefined, number] => [
          'GET',
          `/backend/rooms/${encodeURIComponent(id)}`,
          undefined,
          404,
        ],
      ),
      ['GET', '/backend/rooms/9007199254740991', undefined, 404],
      ['PUT', `/backend/rooms/${room}`, '{"template_id":1e300}', 422],
      ['PUT', `/backend/rooms/${room}`, '{"template_id":9007199254740991}', 422],
      ['POST', '/backend/elements/reorder', '{"sort":[9007199254740991]}', 422],
      ['POST', '/backend/elements/reorder', '{"sort":[9007199254740992]}', 422],
      ['GET', '/backend/elements?room_id=9007199254740991', undefined, 404],
      ['GET', '/backend/elements?room_id=9007199254740992', undefined, 400],
      ['PUT', `/backend/rooms/${room}`, '{"updated_at":"\\u0000"}', 409],
      ['PUT', `/backend/rooms/${room}`, 'null', 422],
      ['PUT', `/backend/rooms/${room}`, '[]', 422],
      ['PUT', `/backend/rooms/${room}`, '{', 400],
      ['POST', '/backend/rooms', '', 400],
    ];
    for (const [method, path, body, status] of requests)
      expect((await send(method, path, body)).status, `${method} ${path} ${body}`).toBe(status);
  });

  it('security 32: a form without boundary, cut off or of another kind is the sender’s fault', async () => {
    const type = (boundary: string) => ({ 'content-type': `multipart/form-data${boundary}` });
    const part = '--x\r\ncontent-disposition: form-data; name="name"\r\n\r\nA';
    const requests: [string, Record<string, string>][] = [
      [part, type('')],
      [part, type('; boundary=x')],
      ['', type('; boundary=x')],
      ['{"name":"A"}', {}],
      [`${`${part}\r\n`.repeat(201)}--x--`, type('; boundary=x')],
    ];
    for (const [body, headers] of requests) {
      const { status } = await send('POST', '/backend/endpoints', body, headers);
      expect(status).toBeGreaterThanOrEqual(400);
      expect(status).toBeLessThan(500);
    }
  });

  it('security 47: bytes that are no request, and requests without measure, are refused', async () => {
    const head = `POST ${PREFIX}/backend/users/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nConnection: close\r\n`;
    const requests = {
      'two lengths': `${head}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`,
      'length and chunks': `${head}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      'a long address': `GET /${'a'.repeat(9000)} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
      'a long address of a call': `GET ${PREFIX}/settings?${'a'.repeat(9000)} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
      'a long header': `GET / HTTP/1.1\r\nHost: x\r\nX: ${'a'.repeat(20_000)}\r\nConnection: close\r\n\r\n`,
      'no request': 'hello\r\n\r\n',
      'a bad path': 'GET /%zz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    };
    for (const [name, text] of Object.entries(requests)) {
      const answer = await exchange(api.origin, text);
      expect(answer, name).toMatch(/^HTTP\/1\.1 4\d\d /);
      expect(answer, name).toContain('"suggestion"');
    }
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    for (const body of [deep, `{"title":"A","config":${deep}}`, `{"title":"A","angle":${deep}}`]) {
      const { status } = await send('POST', '/backend/rooms', body);
      expect(status).toBeGreaterThanOrEqual(400);
      expect(status).toBeLessThan(500);
    }
    const body = `{"element":"group","config":{"feed_id":${deep}}}`;
    expect((await send('POST', `/backend/rooms/${room}/element`, body)).status).toBe(400);
    expect((await api.call(calls.visit.settings)).status).toBe(200);
  });

  it('security 47: refuses JSON of 5,000 levels by its depth, wherever JSON comes in', async () => {
    const deep = `${'['.repeat(5000)}${']'.repeat(5000)}`;
    const { token } = api.one.admin;
    for (const area of ['rooms', 'templates', 'endpoints', 'users'] as const) {
      const { status, body } = await send('POST', `/backend/imports/${area}`, `{"items":[{"title":${deep}}]}`);
      expect([status, body.msg.error?.[0]], area).toEqual([400, expect.stringContaining('more than 100 levels deep')]);
    }
    const lines = new Blob([`{"title":"A"}\n{"title":${deep}}\n`]);
    const form = formOf({ dry_run: '1' }, { field: 'items_file', name: 'rooms.ndjson', content: lines });
    const { status, body } = await api.send('POST', `${PREFIX}/backend/imports/rooms/file`, { token, form });
    expect([status, body.msg.items_file?.[0]]).toEqual([
      422,
      expect.stringMatching(/^Line 2: .*more than 100 levels deep/),
    ]);
    // Brackets in texts are none, and elements in all the levels that there may be are read.
    const nested = (levels: number): object =>
      levels === 0
        ? { id: 1, element: 'group', name: '[{"\\'.repeat(20) }
        : { id: levels + 1, element: 'group', children: [nested(levels - 1)] };
    const room = { title: `Deep ${kind}`, elements: [nested(31)] };
    const imported = await send('POST', '/backend/imports/rooms', { items: [room] });
    expect(imported.body.data.entries).toMatchObject([{ action: 'create', problems: [] }]);
  });

  it('security 48: refuses things to import whose names no row can hold, on every database alike', async () => {
    const named = { title: `Named ${kind}` };
    const cases: [string, object][] = [
      ['rooms', { title: 'a\0b' }],
      ['rooms', { ...named, name: '\0' }],
      ['rooms', { ...named, template_name: 'a\0b' }],
      ['rooms', { ...named, endpoint: 'a\0b' }],
      ['templates', { name: 'a\0b' }],
      ['endpoints', { path: 'a\0b', room: 'Hall' }],
      ['endpoints', { path: `named-${kind}`, room: 'a\0b' }],
      ['users', { email: 'a\0b@example.com', name: 'Kim' }],
      ['users', { email: `kim-${kind}@example.com`, name: 'a\0b' }],
    ];
    for (const [area, item] of cases) {
      const { status, body } = await send('POST', `/backend/imports/${area}`, { items: [item] });
      const refusals =
        status === 200 ? body.data.entries.flatMap((entry: { problems: string[] }) => entry.problems) : [status];
      expect([200, 400, 422], `${area} ${JSON.stringify(item)}`).toContain(status);
      expect(refusals, `${area} ${JSON.stringify(item)}`).not.toEqual([]);
    }
  });

  it('refuses what is too large with 413, and what is no JSON with 415', async () => {
    expect((await send('POST', '/backend/rooms', `{"title":"${'a'.repeat(9 * 1024 * 1024)}"}`)).status).toBe(413);
    expect((await send('POST', '/backend/rooms', '<a/>', { 'content-type': 'text/xml' })).status).toBe(415);
  });
});
