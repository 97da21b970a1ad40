import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ApiApp } from '../../../harness/api-app.ts';
import { zipOf } from '../../../harness/zip.ts';

const MEDIA = '/api/v1/backend/media';
const KILOBYTE = 1024;
/** The connection ends with this request. */
const LAST = 'connection: close';
const SIZES = [KILOBYTE, 500 * KILOBYTE, 5 * KILOBYTE * KILOBYTE, 50 * KILOBYTE * KILOBYTE];

/** A form with a file of a size, which begins as another file does. */
function formOf(bytes: number, { field = 'file', head = '', accept = '' } = {}): Buffer {
  const part = (name: string) => `--x\r\ncontent-disposition: form-data; name="${name}"`;
  return Buffer.concat([
    Buffer.from(accept && `${part('accept')}\r\n\r\n${accept}\r\n`),
    Buffer.from(`${part(field)}; filename="a.bin"\r\n\r\n`),
    Buffer.from(head, 'latin1'),
    Buffer.alloc(bytes, 'x'),
    Buffer.from('\r\n--x--\r\n'),
  ]);
}

/** How an upload is refused. */
interface Refusal {
  status: number;
  path?: string;
  isSignedIn?: boolean;
  type?: string;
  body(bytes: number): Buffer;
}

const ZIP = zipOf([{ name: 'a.txt', content: 'x' }]).toString('latin1');
const refusals: Record<string, Refusal> = {
  'nobody is signed in': { status: 401, isSignedIn: false, body: (bytes) => formOf(bytes) },
  'the file comes in another field': { status: 400, body: (bytes) => formOf(bytes, { field: 'other' }) },
  'the kind of file is not wanted': { status: 415, body: (bytes) => formOf(bytes, { head: ZIP, accept: 'image' }) },
  'a field is not right': { status: 422, body: (bytes) => formOf(bytes, { accept: 'nothing' }) },
  'it is no form': { status: 415, type: 'image/png', body: (bytes) => Buffer.alloc(bytes, 'x') },
  'the form has no boundary': { status: 400, type: 'multipart/form-data', body: (bytes) => formOf(bytes) },
  'the boundary is another one': {
    status: 400,
    type: 'multipart/form-data; boundary=y',
    body: (bytes) => formOf(bytes),
  },
  'nothing is there': { status: 404, path: '/api/v1/backend/nothing', body: (bytes) => formOf(bytes) },
};

describe('a refused upload', () => {
  let api: ApiApp;
  beforeAll(async () => {
    api = await ApiApp.start('sqlite', { MEDIA_MAX_MB: '40' });
  });
  afterAll(() => api?.close());

  /** Sends everything before it looks at what came back, and gives that. */
  async function sendAll(head: string[], body: Buffer, behind = ''): Promise<string> {
    const { hostname, port } = new URL(api.origin);
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const socket = connect(Number(port), hostname);
    let answer = '';
    socket.once('error', reject);
    socket.once('close', () => resolve(answer));
    const lines = [...head, 'host: localhost', `content-length: ${body.length}`];
    socket.write(`${lines.join('\r\n')}\r\n\r\n`);
    socket.write(body);
    socket.write(behind, () =>
      socket.on('data', (chunk) => {
        answer += chunk.toString('latin1');
      }),
    );
    return promise;
  }

  const headOf = ({ path = MEDIA, isSignedIn = true, type = 'multipart/form-data; boundary=x' }: Refusal): string[] => [
    `POST ${path} HTTP/1.1`,
    `content-type: ${type}`,
    ...(isSignedIn ? [`authorization: Bearer ${api.one.admin.token}`] : []),
  ];

  for (const [name, refusal] of Object.entries(refusals))
    test.each(SIZES)(`says so to who sends all before looking: ${name}, %i bytes`, async (bytes) => {
      const answer = await sendAll([...headOf(refusal), LAST], refusal.body(bytes));
      expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${refusal.status} `));
      const { code, suggestion } = JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')));
      expect([code, suggestion]).toEqual([expect.any(String), expect.any(String)]);
    });

  test('says so where the file is larger than uploads may be, and where JSON is', async () => {
    const large = 50 * KILOBYTE * KILOBYTE;
    const form = await sendAll([...headOf({ status: 413, body: formOf }), LAST], formOf(large));
    expect(form).toMatch(/^HTTP\/1\.1 413 [\s\S]*\r\n\r\n\{.*"suggestion"/);
    const json = { status: 413, path: '/api/v1/backend/rooms', type: 'application/json', body: formOf };
    const answer = await sendAll([...headOf(json), LAST], Buffer.alloc(large, ' '));
    expect(answer).toMatch(/^HTTP\/1\.1 413 [\s\S]*\r\n\r\n\{.*"suggestion"/);
  });

  test('refuses a token list as soon as it passes its limit, not when it has arrived', async () => {
    const client = api.client();
    const room_id = (await client.rooms.create({ body: { title: 'Hall' } })).id;
    const { id } = await client.endpoints.create({ body: { name: 'Hall', room_id } });
    const { port } = new URL(api.origin);
    const socket = connect(Number(port), '127.0.0.1');
    await once(socket, 'connect');
    const total = 1024 * KILOBYTE * KILOBYTE;
    const head = headOf({ status: 413, path: `/api/v1/backend/endpoints/${id}/import-tokens`, body: formOf });
    const part = 'content-disposition: form-data; name="access_tokens_file"; filename="tokens.csv"';
    const field = (name: string) => `--x\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n`;
    socket.write(`${[...head, 'host: localhost', `content-length: ${total}`].join('\r\n')}\r\n\r\n`);
    socket.write(`${field('mode')}upsert\r\n--x\r\n${part}\r\n\r\n`);
    let answer = '';
    socket.on('data', (text: Buffer) => {
      answer += text;
    });
    const rows = Buffer.from('ABCDEFGHIJKLMNO\n'.repeat(64 * 1024));
    let sent = 0;
    while (!answer && sent < total) {
      sent += rows.length;
      if (!socket.write(rows)) await once(socket, 'drain');
    }
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    // What the sockets of both sides hold may be sent before the answer arrives.
    expect(sent).toBeLessThan(60 * KILOBYTE * KILOBYTE);
    socket.destroy();
  });

  test('says so where somebody sends a file who may not', async () => {
    const { token } = await api.addUser(api.one, {});
    const head = ['POST /api/v1/backend/endpoints HTTP/1.1', LAST, 'content-type: multipart/form-data; boundary=x'];
    const answer = await sendAll([...head, `authorization: Bearer ${token}`], formOf(5 * KILOBYTE * KILOBYTE));
    expect(answer).toMatch(/^HTTP\/1\.1 403 [\s\S]*\r\n\r\n\{.*"suggestion"/);
  });

  test.each(SIZES)('is not taken for other requests: %i bytes', async (bytes) => {
    const hidden = Buffer.from('GET /nothing HTTP/1.1\r\nhost: localhost\r\n\r\n'.repeat(100));
    const body = Buffer.concat([formOf(bytes).subarray(0, bytes), hidden]);
    const next = `GET /healthz HTTP/1.1\r\nhost: localhost\r\n${LAST}\r\n\r\n`;
    const answer = await sendAll(headOf(refusals['nobody is signed in']!), body, next);
    const statuses = answer.match(/HTTP\/1\.1 \d{3} /g)?.join('');
    // The next request is answered only where nothing of the body was left.
    expect(statuses).toMatch(/^HTTP\/1\.1 401 (?:HTTP\/1\.1 200 )?$/);
  });

  test('leaves the server with a connection for the next request', async () => {
    const client = api.client();
    for (let round = 0; round < 20; round++) {
      const file = new File([`PK\x03\x04${'x'.repeat(round * 10_000)}`], 'a.zip');
      await expect(client.media.upload({ body: { accept: 'image' }, files: { file } })).rejects.toMatchObject({
        status: 415,
      });
      expect((await api.send('GET', '/healthz')).status).toBe(200);
    }
  });
});
