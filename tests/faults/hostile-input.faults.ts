import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as passed } from 'node:timers/promises';
import fc, { type Arbitrary } from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROOM_LINKS } from '../../engine/document/remap.ts';
import type { Call } from '../../src/contract/call.ts';
import { API_PREFIX, calls } from '../../src/contract/calls.ts';
import { ApiApp, formOf } from '../harness/api-app.ts';
import { METRICS_HEADERS } from '../harness/metrics-token.ts';
import { FeedSource, rss } from '../harness/stand-ins/feed-source.ts';
import { VisitorSocket } from '../server/pages/realtime/visitor-socket.ts';
import {
  archives,
  binaries,
  documents,
  type HostileFile,
  hostileHtml,
  hostileJson,
  KILOBYTE,
  MEGABYTE,
  nestedHtml,
  repeated,
  texts,
  wideArchives,
} from './hostile-bodies.ts';
import { type Installation, startInstallation, withSlack } from './installation.ts';
import { Probe } from './probe.ts';

/** Milliseconds within which others are answered while the server reads what somebody sent. */
const WITHIN = 250;
/** Bodies that are made up of each kind, and the number that they follow from. */
const RUNS = Number(process.env.HOSTILE_RUNS ?? 30);
const SEED = Number(process.env.HOSTILE_SEED ?? 1);
/** Requests at once. */
const AT_ONCE = 3;
/**
 * Megabytes by which the server may have grown when it rests after the same was sent a second time. The first time loads the
 * programs that read each kind, and native libraries keep pieces of memory for the next picture, which is no fault as long as
 * it ends: what leaks grows again.
 */
const GROWTH = 100;
/** Milliseconds after which threads without work have ended. */
const REST = 25_000;

/** Has the server collect its garbage when it is told to, so that what it keeps can be told from what it has not got to. */
const COLLECT = `import v8 from 'node:v8';
import vm from 'node:vm';
v8.setFlagsFromString('--expose-gc');
process.on('SIGUSR2', vm.runInNewContext('() => gc()'));`;

/** A request, ready to be sent; gives the status. */
type Send = () => Promise<number>;

const made = <T>(arbitrary: Arbitrary<T>, runs = RUNS): T[] => fc.sample(arbitrary, { numRuns: runs, seed: SEED });

let server: Installation;
let probe: Probe;
let visitors = 0;

async function request(method: string, path: string, body: string | FormData | undefined, headers: object = {}) {
  const isJson = typeof body === 'string';
  const answer = await fetch(server.origin + path, {
    method,
    redirect: 'manual',
    headers: {
      authorization: `Bearer ${server.token()}`,
      ...(isJson && { 'content-type': 'application/json' }),
      ...headers,
    },
    body,
  });
  const text = await answer.text();
  return { status: answer.status, text };
}

const json = (method: string, path: string, body: string): Send => {
  return async () => (await request(method, `${API_PREFIX}${path}`, body)).status;
};

const form = (
  path: string,
  field: string,
  { name, content }: HostileFile,
  fields: Record<string, string> = {},
): Send => {
  const body = formOf(fields, { field, name, content: new Blob([new Uint8Array(content)]) });
  // Each comes from another visitor: what one of them may share is bounded.
  const from = { 'x-forwarded-for': `198.51.${++visitors >> 8}.${visitors & 255}` };
  return async () => (await request('POST', `${API_PREFIX}${path}`, body, from)).status;
};

/** Sends everything, some at once, while others look whether the server lives. */
async function attack(name: string, sends: Send[], watched = probe): Promise<void> {
  const statuses: number[] = [];
  const waiting = sends.entries();
  const work = async () => {
    for (const [index, send] of waiting) statuses[index] = await send();
  };
  const longest = await watched.during(() => Promise.all(Array.from({ length: AT_ONCE }, work)));
  const counts = Map.groupBy(statuses, (status) => status);
  const told = [...counts].map(([status, list]) => `${list.length} × ${status}`).join(', ');
  console.log(`${name}: ${sends.length} requests (${told}); /healthz took ${longest.toFixed(0)} ms at most.`);
  expect(statuses.filter((status) => status >= 500)).toEqual([]);
  expect(longest).toBeLessThan(withSlack(WITHIN));
}

/** Megabytes that the server takes. */
async function memory(): Promise<number> {
  const { text } = await request('GET', '/metrics', undefined, METRICS_HEADERS);
  return Number(/^process_resident_memory_bytes (\S+)$/m.exec(text)![1]) / MEGABYTE;
}

describe(`hostile input of 40 kB to 20 MB, seed ${SEED}: others are answered within ${WITHIN} ms, and nothing is our fault`, () => {
  let element: number;
  let wall: number;
  beforeAll(async () => {
    server = await startInstallation({
      TRUSTED_PROXIES: '127.0.0.1',
      // As the image of the container has it.
      MALLOC_ARENA_MAX: '2',
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(COLLECT)}`,
    });
    probe = new Probe(server.origin);
    const { client, room } = server;
    element = (await client.rooms.addElement({ params: { id: room }, body: { element: 'html' } })).id;
    wall = (await client.feeds.create({ body: { name: 'Wall', type: 'local' } })).id;
    await client.rooms.addElement({
      params: { id: room },
      body: { element: 'group', config: { feed_enabled: true, feed_id: wall } },
    });
  });
  afterAll(async () => {
    await probe?.stop();
    await server?.close();
  });

  const upload = (file: HostileFile, accept?: string) =>
    form('/backend/media', 'file', file, accept === undefined ? {} : { accept });
  const share = (file: HostileFile) =>
    form('/share', 'file', file, { name: 'Eva', message: '', feed_id: String(wall) });

  it('texts', async () => {
    const breaks = { name: 'file.bvh', content: Buffer.from(repeated('HIERARCHY\n', '\n', 40 * KILOBYTE)) };
    await attack('texts', [share(breaks), upload(breaks), ...made(texts).map((file) => upload(file))]);
  });

  it('archives, and archives of archives', async () => {
    const files = [...wideArchives(), ...made(archives, 3 * RUNS)];
    await attack('archives', [
      ...files.map((file) => upload(file)),
      ...files.slice(0, 20).flatMap((file) => [upload(file, 'image'), upload(file, 'object'), share(file)]),
    ]);
  });

  it('pictures, models, fonts, sounds and films', async () => {
    const files = binaries();
    await attack('binaries', [
      ...files.map((file) => upload(file)),
      ...files.map((file) => share(file)),
      ...files.map((file) => form('/backend/videos/local', 'file', file)),
    ]);
  });

  it('HTML in every place that takes it', async () => {
    const htmls = [...hostileHtml(195_000), ...made(nestedHtml).map((html) => html.slice(0, 195_000))];
    const linkOf = (content: string) => ({ navigation: { type: 'modal_content', type_config: { content } } });
    const room = `/backend/rooms/${server.room}`;
    const sends = htmls.flatMap((html) => {
      const links = Object.fromEntries(ROOM_LINKS.map((name) => [name, linkOf(html)]));
      const config = { timed_popup_text: html, ...links };
      const elements = Array.from({ length: 20 }, (_, index) => ({
        id: index + 1,
        element: index % 2 ? 'html' : 'rich_text',
        config: { body: html },
      }));
      const item = JSON.stringify({ title: 'Room', description: html, elements });
      return [
        json('PUT', room, JSON.stringify({ description: html, config })),
        json('POST', '/backend/rooms', JSON.stringify({ title: 'Room', description: html, config })),
        json('POST', `${room}/element`, JSON.stringify({ element: 'rich_text', config: { body: html } })),
        json('PUT', `/backend/elements/${element}`, JSON.stringify({ config: { body: html } })),
        json('POST', '/backend/imports/rooms', `{"dry_run":true,"items":[${item}]}`),
        form(
          '/backend/imports/rooms/file',
          'items_file',
          { name: 'a.jsonl', content: Buffer.from(item) },
          { dry_run: '1' },
        ),
      ];
    });
    await attack('HTML', sends);
  });

  it('JSON, deep and wide, to every call that takes it', async () => {
    const table: Call[] = Object.values(calls).flatMap((area) => Object.values(area));
    const takers = table.filter(({ body, files }) => body && !files);
    const small = hostileJson(300 * KILOBYTE);
    const large = hostileJson(7 * MEGABYTE);
    const path = (call: Call) => call.path.replace(/:\w+/g, '1');
    await attack('JSON', [
      ...takers.flatMap((call) => small.map((body) => json(call.method, path(call), body))),
      ...large.flatMap((body) => [
        json('POST', '/backend/imports/rooms', body),
        json('PUT', `/backend/rooms/${server.room}`, body),
        json('POST', '/backend/users/login', body),
      ]),
    ]);
  });

  it('imported documents', async () => {
    const items = made(documents);
    const lines = [
      ...hostileJson(15 * MEGABYTE),
      repeated('', '{}\n', 10 * MEGABYTE),
      repeated('', '\n', 19 * MEGABYTE),
    ];
    const kinds = ['rooms', 'templates', 'endpoints', 'users'];
    await attack('imports', [
      ...items.map((item) => json('POST', '/backend/imports/rooms', `{"dry_run":true,"items":[${item}]}`)),
      ...[...items, ...lines].flatMap((text, index) =>
        form(
          `/backend/imports/${kinds[index % 4]}/file`,
          'items_file',
          { name: 'a.jsonl', content: Buffer.from(text) },
          {
            dry_run: '1',
          },
        ),
      ),
    ]);
  });

  it('tables and documents of codes', async () => {
    const { id } = await server.client.endpoints.create({ body: { name: 'Codes', room_id: server.room } });
    const bodies = [
      repeated('', '"', 5 * MEGABYTE),
      repeated('"', '""', 19 * MEGABYTE),
      repeated('', ',', 19 * MEGABYTE),
      repeated('', '\n', 19 * MEGABYTE),
      repeated('', 'a', 19 * MEGABYTE),
      repeated('', '\0\n', 5 * MEGABYTE),
      repeated('', '"a\n', 5 * MEGABYTE),
      repeated('[', '{"token":"a"},', 19 * MEGABYTE, '{}]'),
      repeated('[', '[', 5 * MEGABYTE),
      ...hostileJson(5 * MEGABYTE),
    ];
    await attack(
      'codes',
      bodies.map((text) =>
        form(
          `/backend/endpoints/${id}/import-tokens`,
          'access_tokens_file',
          { name: 'codes.csv', content: Buffer.from(text) },
          { dry_run: '1' },
        ),
      ),
    );
  });

  it('addresses, queries and headers, which make no folders', async () => {
    const folders = async () => {
      const entries = await readdir(join(server.folder, 'media'), { recursive: true, withFileTypes: true });
      return entries.filter((entry) => entry.isDirectory()).length;
    };
    const here = await folders();
    const get = (path: string, headers: object = {}): Send => {
      return async () => (await request('GET', path, undefined, headers).catch(() => ({ status: 431 }))).status;
    };
    const hash = (index: number) => index.toString(16).padStart(64, 'a');
    const long = 'a'.repeat(7000);
    await attack('addresses', [
      ...Array.from({ length: 100 }, (_, index) => get(`/media/${hash(index)}/${'a/'.repeat(900)}x.png?width=200`)),
      ...Array.from({ length: 20 }, (_, index) => get(`/media/${hash(index)}/x.png?tile=whole`)),
      get(`/api/v1/backend/rooms?${'a[]=1&'.repeat(1000)}`),
      get(`/api/v1/backend/rooms?search=${long}`),
      get(`/api/v1/backend/media?filters=${btoa('['.repeat(4000))}`),
      get(`/api/v1/endpoints/${long}`),
      get('/', { cookie: `a=${';'.repeat(7000)}` }),
      get('/', { 'accept-language': ','.repeat(7000) }),
      get('/', { 'x-forwarded-for': '1,'.repeat(3000) }),
      get('/', { 'if-none-match': ','.repeat(7000) }),
      get('/', { range: `bytes=${'0-1,'.repeat(1700)}` }),
    ]);
    expect(await folders()).toBe(here);
  });

  it('messages of sockets', async () => {
    const messages = [
      ...hostileJson(40 * KILOBYTE),
      ...hostileJson(900),
      repeated('', '\0', 20 * MEGABYTE),
      Buffer.alloc(20 * MEGABYTE),
      Buffer.alloc(500, 0xff),
    ];
    const send = (message: string | Buffer): Send => {
      return async () => {
        const socket = await VisitorSocket.open(server.origin, { key: server.key, room: server.room });
        for (let count = 0; count < 20; count++) socket.ws.send(message);
        await Promise.race([socket.closed, passed(500)]);
        socket.ws.terminate();
        return 101;
      };
    };
    await attack('sockets', messages.map(send));
  });

  it('gives back the memory that it took', async () => {
    const atRest = async () => {
      await passed(REST);
      process.kill(server.pid, 'SIGUSR2');
      return Math.round(await memory());
    };
    const files = [...binaries(), ...wideArchives(), ...made(texts)];
    await attack(
      'everything again',
      files.map((file) => upload(file)),
    );
    const first = await atRest();
    await attack(
      'and again',
      files.map((file) => upload(file)),
    );
    const taken = Math.round(await memory());
    const second = await atRest();
    console.log(
      `The server takes ${first} MB at rest, ${taken} MB when the last was read, and ${second} MB at rest again.`,
    );
    expect(second - first).toBeLessThan(GROWTH);
  });
});

describe('hostile feeds', () => {
  let api: ApiApp;
  let source: FeedSource;
  let watch: Probe;
  beforeAll(async () => {
    source = await new FeedSource().start();
    // Only a server in this process may reach one on this machine.
    api = await ApiApp.start('sqlite', {}, { allowed: [new URL(source.url).host] });
    watch = new Probe(api.origin);
  });
  afterAll(async () => {
    await watch?.stop();
    await api?.close();
    await source?.stop();
  });

  it('of 9.9 MB', async () => {
    const names = Array.from({ length: 700_000 }, (_, index) => `a${index}="1"`).join(' ');
    const bodies = [
      rss(`<item ${names.slice(0, 9.8 * MEGABYTE)}/>`),
      rss('<item><title>a</title></item>'.repeat(340_000)),
      rss(`<item><description><![CDATA[${'<img src='.repeat(11_000)}]]></description></item>`.repeat(90)),
      repeated('<rss><channel>', '<item>', 9 * MEGABYTE),
      repeated('<?xml ', ' ', 9 * MEGABYTE),
      ...hostileJson(9 * MEGABYTE),
    ];
    const sends = bodies.map((text, index): Send => {
      const feed_url = source.put(`/${index}`, text);
      return async () => {
        const body = { name: 'Feed', type: 'picdrop', config: { feed_url } };
        return (await api.send('POST', `${API_PREFIX}/backend/feeds`, { token: api.one.admin.token, body })).status;
      };
    });
    await attack('feeds', sends, watch);
  });
});
