import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { METRICS_HEADERS } from '../harness/metrics-token.ts';
import { type Installation, share, startInstallation, timeOf, withSlack } from './installation.ts';
import { picture } from './writing-load.ts';

/**
 * Turns of requests that warm the server up, until the threads that read files have taken their share of memory, and that are
 * measured in each of some rounds; clients at once.
 */
const WARM_UP = 520;
const TURNS = 80;
const ROUNDS = 5;
const CLIENTS = 4;
/** Milliseconds within which 99 of 100 requests are answered, and megabytes that may stay taken from round to round. */
const WITHIN = 250;
const GROWTH = 8;

let server: Installation;
beforeAll(async () => {
  server = await startInstallation();
});
afterAll(() => server.close());

/** What people do all day: visitors come, editors save, add and remove, somebody sends a picture. */
async function turn(times: number[]): Promise<void> {
  const { client, origin, slug, room } = server;
  const page = async (path: string) => {
    const answer = await fetch(origin + path);
    expect(answer.status).toBe(200);
    await answer.arrayBuffer();
  };
  const params = { id: room };
  let element = 0;
  let media = 0;
  const requests: (() => Promise<unknown>)[] = [
    () => page(`/${slug}`),
    () => page(`/api/v1/endpoints/${slug}`),
    () => page('/healthz'),
    () => client.rooms.read({ params }),
    () => client.rooms.list({ query: {} }),
    async () => {
      element = (await client.rooms.addElement({ params, body: { element: 'text', name: 'Note' } })).id;
    },
    () => client.elements.position({ params: { id: element }, body: { position_x: 5 } }),
    () => client.elements.remove({ params: { id: element } }),
    async () => {
      media = (await client.media.upload({ body: {}, files: { file: await picture() } })).id;
    },
    () => client.media.remove({ params: { id: media }, query: { force: '1' } }),
  ];
  for (const request of requests) times.push(await timeOf(request));
}

async function turns(count: number): Promise<number[]> {
  const times: number[] = [];
  const work = async () => {
    for (let index = 0; index < count / CLIENTS; index++) await turn(times);
  };
  await Promise.all(Array.from({ length: CLIENTS }, work));
  return times;
}

/** Megabytes that the server takes. */
async function memory(): Promise<number> {
  const text = await (await fetch(`${server.origin}/metrics`, { headers: METRICS_HEADERS })).text();
  return Number(/^process_resident_memory_bytes (\S+)$/m.exec(text)![1]) / 1024 / 1024;
}

describe('a server that is used for long', () => {
  it(`security 57: keeps no memory from round to round, and answers 99 of 100 within ${WITHIN} ms`, async () => {
    await turns(WARM_UP);
    const sizes = [await memory()];
    const times: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      times.push(...(await turns(TURNS)));
      sizes.push(await memory());
    }
    const slowest = share(times, 0.99);
    const list = sizes.map((size) => size.toFixed(0)).join(', ');
    console.log(
      `${times.length} requests: 99 of 100 within ${slowest.toFixed(0)} ms; memory after each round ${list} MB.`,
    );
    expect(slowest).toBeLessThan(withSlack(WITHIN));
    // What the collector has not got to yet comes and goes; what is never given back grows in every round.
    const growths = sizes.slice(1).map((size, index) => size - sizes[index]!);
    expect(share(growths, 0.5)).toBeLessThan(GROWTH);
  });
});
