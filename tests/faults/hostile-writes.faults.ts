import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Beacon } from '../../src/contract/calls/statistics.ts';
import { createClient } from '../../src/contract/client.ts';
import type { Clock } from '../../src/server/core/clock.ts';
import { type Database, openDatabase } from '../../src/server/core/db/database.ts';
import { allPolicies } from '../../src/server/features/organizations/service.ts';
import { beginSession } from '../../src/server/features/users/sessions.ts';
import { METRICS_HEADERS } from '../harness/metrics-token.ts';
import { insertOrganization, insertUser } from '../harness/test-organizations.ts';
import { type Installation, isBusy, share, startInstallation, timeOf } from './installation.ts';

/** Ten times what froze an installation: addresses, and what each sends in a minute. */
const ADDRESSES = 10;
const CALLS = 3000;
/** Messages of the same kind before memory is measured. */
const WARM_UP = 3000;
/** Requests of the flood under way at once. */
const AT_ONCE = 30;
/** Milliseconds within which 95 of 100 requests of others are answered. */
const WITHIN = 1000;
const VISITS = 200;
const ELEMENTS = 100;
const HOST = 'flooded.example';
const AGENT = 'Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0';

const clock: Clock = { now: () => Date.now() };
const numbered = (number: number) => number.toString(16).padStart(16, '0');

let server: Installation;
let db: Database;
let flooded: number;
let own: number;
const elements: number[] = [];

beforeAll(async () => {
  server = await startInstallation({ TRUSTED_PROXIES: '127.0.0.1', MALLOC_ARENA_MAX: '2' });
  own = (await server.client.endpoints.list({ query: {} })).find(({ slug }) => slug === server.slug)!.id;
  db = openDatabase({ folder: server.folder });
  const organization = await insertOrganization(db, clock, HOST);
  const user = await insertUser(db, clock, organization, allPolicies());
  const token = await beginSession(db, clock, user.id);
  const client = createClient({ origin: server.origin, token: () => token });
  const { id: room } = await client.rooms.create({ body: { title: 'Flooded' } });
  const commands = Array.from({ length: ELEMENTS }, (_, index) => ({
    type: 'element.add' as const,
    element: { id: -1 - index, element: 'text', name: `Text ${index}` },
  }));
  const body = { client: 'seed', mutation: 1, commands };
  elements.push(...Object.values((await client.rooms.commit({ params: { id: room }, body })).ids));
  flooded = (await client.endpoints.create({ body: { name: 'Flooded', room_id: room } })).id;
});
afterAll(async () => {
  await db?.destroy();
  await server?.close();
});

const count = async (body: Beacon, address: string, host?: string): Promise<number> => {
  const { status } = await fetch(`${server.origin}/api/v1/statistics`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'user-agent': AGENT,
      'x-forwarded-for': address,
      ...(host && { 'x-forwarded-host': host }),
    },
    body: JSON.stringify(body),
  });
  return status;
};

/** Megabytes that the server takes. */
async function memory(): Promise<number> {
  const text = await (await fetch(`${server.origin}/metrics`, { headers: METRICS_HEADERS })).text();
  return Number(/^process_resident_memory_bytes (\S+)$/m.exec(text)![1]) / 1024 / 1024;
}

/** Waits until nothing of statistics waits to be written or counted. */
const settled = () =>
  expect
    .poll(
      async () =>
        (await db.selectFrom('statistics_events').select('id').where('is_counted', '=', 0).limit(1).execute()).length,
      { timeout: 120_000, interval: 1000 },
    )
    .toBe(0);

describe('a flood of public writes', () => {
  it(`security 73: ${ADDRESSES} addresses with ${CALLS} messages of 241 rows delay others by less than ${WITHIN} ms, and lose nothing of another organization`, async () => {
    const named = elements.map((id): [number, number] => [id, 120]);
    const opened = Array.from({ length: 40 }, (_, index): ['link', number, number] => ['link', elements[index]!, 1]);
    const statuses = new Map<number, number>();
    let sent = 0;
    const flood = async (till: number) => {
      for (let number = sent++; number < till; number = sent++) {
        const body = {
          endpoint_id: flooded,
          visit: numbered(number),
          begins: true,
          seconds: 120,
          site: `s${number}.example`,
        };
        const status = await count(
          { ...body, seen: named, stood: named, opened },
          `198.51.100.${number % ADDRESSES}`,
          HOST,
        );
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      }
    };
    const floodTill = (till: number) => Promise.all(Array.from({ length: AT_ONCE }, () => flood(till)));
    // A server that has worked keeps its compiled code and caches: that is no leak.
    await floodTill(WARM_UP);
    await settled();
    const before = await memory();
    let isOver = false;
    sent = WARM_UP;
    const flooding = floodTill(WARM_UP + ADDRESSES * CALLS).finally(() => (isOver = true));
    const times: Record<string, number[]> = { page: [], 'sign-in': [], '/healthz': [] };
    const ask = async (name: string, path: string, init?: RequestInit) => {
      const time = await timeOf(async () => {
        const answer = await fetch(server.origin + path, init);
        await answer.arrayBuffer();
        expect(answer.status, path).toBe(200);
      });
      times[name]!.push(time);
    };
    const login = JSON.stringify({ email: 'admin@example.com', password: 'correct horse battery' });
    let visits = 0;
    while (!isOver) {
      await ask('page', `/${server.slug}`);
      await ask('/healthz', '/healthz');
      await ask('sign-in', '/api/v1/backend/users/login', {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-forwarded-for': `203.0.113.${times.page!.length % 250}` },
        body: login,
      });
      if (visits >= VISITS) continue;
      const visit = { endpoint_id: own, visit: numbered(++visits), begins: true } as const;
      expect(await count(visit, `192.0.2.${visits % 250}`)).toBe(204);
    }
    await flooding;
    console.log(
      `${[...statuses].map(([status, times]) => `${times} × ${status}`).join(', ')}; ` +
        Object.entries(times)
          .map(([name, list]) => `${name} ${share(list, 0.95).toFixed(0)} ms of ${list.length}`)
          .join(', '),
    );
    expect([...statuses.keys()].filter((status) => status !== 204 && status !== 429)).toEqual([]);
    if (!isBusy())
      for (const [name, list] of Object.entries(times)) expect(share(list, 0.95), name).toBeLessThan(WITHIN);
    await expect
      .poll(async () => (await server.client.statistics.read({ query: {} })).totals.visits, {
        timeout: 120_000,
        interval: 1000,
      })
      .toBe(visits);
    await settled();
    const readings: number[] = [];
    const read = async () => {
      readings.push(await memory());
      return readings.at(-1)!;
    };
    await expect.poll(read, { timeout: 60_000, interval: 2000 }).toBeLessThan(before * 1.1);
    console.log(
      `${before.toFixed(0)} MB before, ${readings.map((reading) => reading.toFixed(0)).join(', ')} MB after.`,
    );
  });
});
