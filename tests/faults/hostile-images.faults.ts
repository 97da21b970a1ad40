import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bombs, webpOf } from '../harness/image-bombs.ts';
import { type Installation, isBusy, share, startInstallation, timeOf } from './installation.ts';

const SENDERS = 80;
/** Milliseconds within which 95 of 100 requests of others are answered. */
const WITHIN = 1000;
/** Milliseconds after which memory is back. */
const BACK_WITHIN = 60_000;
/** Requests of each kind before memory is measured. */
const WARM_UP = 200;

let server: Installation;
let wall: number;
let images: [string, Buffer][];

beforeAll(async () => {
  server = await startInstallation({ TRUSTED_PROXIES: '127.0.0.1', MALLOC_ARENA_MAX: '2' });
  wall = (await server.client.feeds.create({ body: { name: 'Wall', type: 'local' } })).id;
  const room = (await server.client.endpoints.list({ query: {} })).find(({ slug }) => slug === server.slug)!.room_id!;
  const config = { feed_enabled: true, feed_id: wall };
  await server.client.rooms.addElement({ params: { id: room }, body: { element: 'group', config } });
  const plain = (width: number, height: number) =>
    sharp({ create: { width, height, channels: 3, background: '#b7822f' } });
  const avif = await plain(6500, 4900).avif({ effort: 0 }).toBuffer();
  // One that says of itself that it is small.
  const lying = Buffer.from(avif);
  lying.writeUInt32BE(64, lying.indexOf('ispe') + 8);
  lying.writeUInt32BE(64, lying.indexOf('ispe') + 12);
  images = [
    ...Object.entries(await bombs()),
    ['AVIF within limits', avif],
    ['AVIF with another size', lying],
    [
      'JPEG within limits',
      await plain(8000, 6200).withMetadata({ orientation: 6 }).jpeg({ progressive: true }).toBuffer(),
    ],
    ['WebP within limits', webpOf(5000, 5000)],
  ];
}, 300_000);
afterAll(() => server?.close());

const send = async (content: Buffer, address: string): Promise<number> => {
  const form = new FormData();
  for (const [name, value] of Object.entries({ name: 'Eva', message: 'Look', feed_id: `${wall}` }))
    form.append(name, value);
  form.append('file', new Blob([Uint8Array.from(content)]), 'image');
  const headers = { 'x-forwarded-for': address };
  const answer = await fetch(`${server.origin}/api/v1/share`, { method: 'POST', body: form, headers });
  await answer.arrayBuffer();
  return answer.status;
};

/** Megabytes that the server and all processes that it started hold. */
async function memory(): Promise<number> {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,ppid=,rss=']);
  const rows = stdout
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number));
  const family = new Set([server.pid]);
  // A process comes after the one that started it only as a rule: looked through until nothing is added.
  for (let before = 0; before < family.size; ) {
    before = family.size;
    for (const [pid, parent] of rows) if (family.has(parent!)) family.add(pid!);
  }
  return rows.reduce((sum, [pid, , kilobytes]) => (family.has(pid!) ? sum + kilobytes! / 1024 : sum), 0);
}

describe('a flood of hostile images', () => {
  it(`security 72: ${SENDERS} from as many addresses delay others by less than ${WITHIN} ms, and leave no memory behind`, async () => {
    const times: Record<string, number[]> = { page: [], 'sign-in': [], '/healthz': [] };
    const ask = async (name: string, path: string, init?: RequestInit) => {
      const time = await timeOf(async () => {
        const answer = await fetch(server.origin + path, init);
        await answer.arrayBuffer();
        expect(answer.status, path).toBe(200);
      });
      times[name]!.push(time);
    };
    let asked = 0;
    const login = JSON.stringify({ email: 'admin@example.com', password: 'correct horse battery' });
    const askAll = async () => {
      await ask('page', `/${server.slug}`);
      await ask('/healthz', '/healthz');
      await ask('sign-in', '/api/v1/backend/users/login', {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-forwarded-for': `203.0.113.${asked++ % 250}` },
        body: login,
      });
    };
    // A server that has worked keeps its compiled code and caches: that is no leak.
    for (const [index, [, content]] of images.entries()) await send(content, `192.0.2.${index}`);
    for (let round = 0; round < WARM_UP; round++) await askAll();
    const readings: number[] = [];
    const read = async () => {
      readings.push(await memory());
      return readings.at(-1)!;
    };
    // Decoders without work end.
    await new Promise((resolve) => setTimeout(resolve, 30_000));
    const before = await read();

    for (const list of Object.values(times)) list.length = 0;
    const statuses = new Map<string, number>();
    let isOver = false;
    const flooding = Promise.all(
      Array.from({ length: SENDERS }, async (_, index) => {
        const [name, content] = images[index % images.length]!;
        const status = await send(content, `198.51.100.${index}`);
        const key = `${name} ${status}`;
        statuses.set(key, (statuses.get(key) ?? 0) + 1);
      }),
    ).finally(() => (isOver = true));
    let most = 0;
    while (!isOver) {
      await askAll();
      most = Math.max(most, await read());
    }
    await flooding;
    console.log(
      `${[...statuses].map(([key, count]) => `${count} × ${key}`).join(', ')}; ` +
        Object.entries(times)
          .map(([name, list]) => `${name} ${share(list, 0.95).toFixed(0)} ms of ${list.length}`)
          .join(', '),
    );
    const refusedOr = /(?:201|422|429|503)$/;
    expect([...statuses.keys()].filter((key) => !refusedOr.test(key))).toEqual([]);
    if (!isBusy())
      for (const [name, list] of Object.entries(times)) expect(share(list, 0.95), name).toBeLessThan(WITHIN);
    await expect.poll(read, { timeout: BACK_WITHIN, interval: 2000 }).toBeLessThan(before * 1.1);
    console.log(
      `${before.toFixed(0)} MB before, ${most.toFixed(0)} MB at most, ${readings.at(-1)!.toFixed(0)} MB after.`,
    );
  });
});
