import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Beacon } from '../../../../src/contract/calls/statistics.ts';
import { VisitBuffer } from '../../../../src/server/features/statistics/count-visits.ts';
import { countInThread } from '../../../../src/server/features/statistics/jobs.ts';
import { OTHER_SITE } from '../../../../src/server/features/statistics/queries.ts';
import { MAX_SITES, rollUp, SLICE } from '../../../../src/server/features/statistics/roll-up.ts';
import { PUBLIC_WRITES } from '../../../../src/server/features/visits/limits.ts';
import { ApiApp, databases } from '../../../harness/api-app.ts';

/** Milliseconds for counting in a thread, on a busy machine. */
const PATIENCE = 120_000;
const AGENT = 'Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0';
const numbered = (number: number) => number.toString(16).padStart(16, '0');

describe.each(databases)('floods of messages about visits on %s', (kind) => {
  let api: ApiApp;
  let endpoint: number;
  let theirs: number;
  const elements: number[] = [];
  beforeAll(async () => {
    api = await ApiApp.start(kind);
    const client = api.client();
    const { id: room } = await client.rooms.create({ body: { title: 'Hall' } });
    for (let batch = 0; batch < 2; batch++) {
      const commands = Array.from({ length: 60 }, (_, index) => ({
        type: 'element.add' as const,
        element: { id: -1 - index, element: 'text', name: `Text ${index}` },
      }));
      const { ids } = await client.rooms.commit({
        params: { id: room },
        body: { client: 'seed', mutation: batch + 1, commands },
      });
      elements.push(...Object.values(ids));
    }
    endpoint = (await client.endpoints.create({ body: { name: 'Hall', room_id: room } })).id;
    const other = api.client(api.two.admin);
    const { id: otherRoom } = await other.rooms.create({ body: { title: 'Theirs' } });
    theirs = (await other.endpoints.create({ body: { name: 'Theirs', room_id: otherRoom } })).id;
  });
  afterAll(() => api.close());

  const send = (body: Beacon, address: string, host?: string) =>
    api.app.inject({
      method: 'POST',
      url: '/api/v1/statistics',
      remoteAddress: address,
      headers: { 'user-agent': AGENT, ...(host && { host }) },
      payload: body,
    });
  const events = () => api.services.db.selectFrom('statistics_events').select(['kind', 'other_id', 'amount', 'count']);
  /** Counts until nothing is left: another process may have its turn at first. */
  const allCounted = () =>
    expect
      .poll(
        async () => {
          await rollUp(api.services);
          return (await events().where('is_counted', '=', 0).execute()).length;
        },
        { timeout: PATIENCE },
      )
      .toBe(0);
  const settle = async () => {
    await api.services.visitCounting.buffer.flush();
    await allCounted();
  };
  const clear = async () => {
    await settle();
    await api.services.db.deleteFrom('statistics_events').execute();
    await api.services.db.deleteFrom('statistics_hours').execute();
    api.clock.advance(120_000);
  };

  it('security 73: an id counts once in a message, and no longer than the visit can have lasted', async () => {
    await clear();
    const visit = numbered(1);
    const id = elements[0]!;
    const begins = { endpoint_id: endpoint, visit, begins: true } as const;
    await send(begins, '203.0.113.1');
    api.clock.advance(10_000);
    const seen = Array.from({ length: 100 }, (): [number, number] => [id, 120]);
    const opened = Array.from({ length: 40 }, (): ['link', number, number] => ['link', id, 1]);
    await send({ endpoint_id: endpoint, visit, seconds: 120, seen, stood: seen, opened }, '203.0.113.1');
    await api.services.visitCounting.buffer.flush();
    const rows = await events().where('kind', 'in', ['time', 'element', 'view_point', 'opened']).execute();
    expect(rows.map((row) => [row.kind, row.amount, row.count]).toSorted()).toEqual([
      ['element', 15, 1],
      ['opened', 1, 1],
      ['time', 15, 1],
      ['view_point', 15, 1],
    ]);
  });

  it('security 73: a school of 500 visitors behind one address is counted completely', async () => {
    await clear();
    for (let number = 0; number < 500; number++)
      expect(
        (await send({ endpoint_id: endpoint, visit: numbered(number), begins: true }, '198.51.100.1')).statusCode,
      ).toBe(204);
    api.clock.advance(30_000);
    const seen = elements.slice(0, 100).map((id): [number, number] => [id, 20]);
    for (let number = 0; number < 500; number++)
      await send({ endpoint_id: endpoint, visit: numbered(number), seconds: 30, seen }, '198.51.100.1');
    await settle();
    const hours = await api.services.db
      .selectFrom('statistics_hours')
      .select(['kind'])
      .select(({ fn }) => [fn.sum<number>('count').as('count'), fn.sum<number>('amount').as('amount')])
      .where('kind', 'in', ['visit', 'time', 'element'])
      .groupBy('kind')
      .orderBy('kind')
      .execute();
    expect(hours.map((row) => [row.kind, Number(row.count), Number(row.amount)])).toEqual([
      ['element', 50_000, 1_000_000],
      ['time', 500, 15_000],
      ['visit', 500, 500],
    ]);
  });

  it('security 73: one network adds a bounded number of rows in a minute, and they are counted in bounded slices', async () => {
    await clear();
    const seen = elements.slice(0, 100).map((id): [number, number] => [id, 20]);
    for (let number = 0; number < 2900; number++)
      await send(
        { endpoint_id: endpoint, visit: numbered(number), begins: true, seconds: 30, seen, site: `s${number}.example` },
        '192.0.2.66',
      );
    await api.services.visitCounting.buffer.flush();
    const { length } = await events().execute();
    expect(length).toBeLessThanOrEqual(PUBLIC_WRITES.statistics.network.rows);
    const slices = await rollUp(api.services);
    expect(Math.max(0, ...slices)).toBeLessThanOrEqual(SLICE);
    await allCounted();
    const sites = await api.services.db
      .selectFrom('statistics_hours')
      .select('subject')
      .distinct()
      .where('kind', '=', 'site')
      .execute();
    expect(sites).toHaveLength(PUBLIC_WRITES.statistics.network.names + 1);
    expect(sites).toContainEqual({ subject: OTHER_SITE });
    expect(await rollUp(api.services)).toEqual([]);
  });

  it('security 73: an organization has a bounded number of embedding sites on a day, from however many networks', async () => {
    await clear();
    for (let number = 0; number < MAX_SITES + 50; number++)
      await send(
        { endpoint_id: endpoint, visit: numbered(number), begins: true, site: `s${number}.example` },
        `192.0.2.${number % 5}`,
      );
    await settle();
    const sites = await api.services.db
      .selectFrom('statistics_hours')
      .select('subject')
      .distinct()
      .where('kind', '=', 'site')
      .execute();
    expect(sites).toHaveLength(MAX_SITES + 1);
    expect(sites).toContainEqual({ subject: OTHER_SITE });
  });

  it('security 73: figures are counted in a thread of its own: the main thread computes next to nothing meanwhile', async () => {
    await clear();
    for (let number = 0; number < 2000; number++)
      await send({ endpoint_id: endpoint, visit: numbered(number), begins: true }, '192.0.2.67');
    await api.services.visitCounting.buffer.flush();
    const [all, main] = [process.cpuUsage(), process.threadCpuUsage()];
    const seconds = ({ user, system }: NodeJS.CpuUsage) => (user + system) / 1e6;
    await countInThread(api.services, new AbortController().signal);
    const [ofAll, ofMain] = [seconds(process.cpuUsage(all)), seconds(process.threadCpuUsage(main))];
    await allCounted();
    const visits = await api.services.db
      .selectFrom('statistics_hours')
      .select(({ fn }) => fn.sum<number>('count').as('count'))
      .where('kind', '=', 'visit')
      .executeTakeFirstOrThrow();
    expect(Number(visits.count)).toBe(2000);
    expect(ofMain).toBeLessThan(ofAll / 4);
  });

  it('security 73: while a thread counts, changes of the server are written; none fails, and none is lost', async () => {
    await clear();
    for (let number = 0; number < 2000; number++)
      await send({ endpoint_id: endpoint, visit: numbered(number), begins: true }, '192.0.2.68');
    await api.services.visitCounting.buffer.flush();
    let isCounting = true;
    const counting = countInThread(api.services, new AbortController().signal).finally(() => {
      isCounting = false;
    });
    let changes = 0;
    while (isCounting) {
      // Reads first, and writes then: such a transaction is the one that another writer can make fail.
      await api.client().endpoints.update({ params: { id: endpoint }, body: { name: `Hall ${++changes}` } });
    }
    await counting;
    expect((await api.client().endpoints.read({ params: { id: endpoint } })).name).toBe(`Hall ${changes}`);
    await allCounted();
  });

  it('security 73: a server that stops while it counts loses and doubles nothing', async () => {
    await clear();
    for (let number = 0; number < 2000; number++)
      await send({ endpoint_id: endpoint, visit: numbered(number), begins: true }, '192.0.2.69');
    await api.services.visitCounting.buffer.flush();
    const { db } = api.services;
    const counted = () => events().where('is_counted', '=', 1).execute();
    const stopping = new AbortController();
    const counting = countInThread(api.services, stopping.signal);
    await expect.poll(async () => (await counted()).length, { timeout: PATIENCE }).toBeGreaterThan(0);
    stopping.abort();
    await counting;
    await allCounted();
    const { count } = await db
      .selectFrom('statistics_hours')
      .select(({ fn }) => fn.sum<number>('count').as('count'))
      .where('kind', '=', 'visit')
      .executeTakeFirstOrThrow();
    expect(Number(count)).toBe(2000);
  });

  it('security 73: a flood against one organization leaves the rows of another complete', async () => {
    await clear();
    const { db, clock } = api.services;
    const buffer = new VisitBuffer(db, clock);
    const row = (organization_id: number, endpoint_id: number, number: number) => ({
      organization_id,
      endpoint_id,
      kind: 'time' as const,
      visitor: null,
      visit: numbered(number),
      subject: '',
      other_id: 0,
      amount: 1,
    });
    for (let number = 0; number < 120_000; number++) buffer.add([row(api.one.id, endpoint, number)], []);
    for (let number = 0; number < 5000; number++) expect(buffer.add([row(api.two.id, theirs, number)], [])).toBe(1);
    await buffer.flush();
    const { count } = await db
      .selectFrom('statistics_events')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('organization_id', '=', api.two.id)
      .executeTakeFirstOrThrow();
    expect(Number(count)).toBe(5000);
  });

  it('a network that sends far too much waits a minute', async () => {
    const send = async (remoteAddress: string) => {
      const payload = { endpoint_id: 999_999, visit: '0'.repeat(16) };
      const { statusCode, headers } = await api.app.inject({
        method: 'POST',
        url: '/api/v1/statistics',
        remoteAddress,
        payload,
      });
      return [statusCode, headers['retry-after']];
    };
    for (let count = 0; count < 3000; count++) expect(await send('192.0.2.200')).toEqual([204, undefined]);
    const left = String(60 - (Math.floor(api.clock.now() / 1000) % 60));
    expect(await send('192.0.2.200')).toEqual([429, left]);
    expect(await send('192.0.2.201')).toEqual([204, undefined]);
    api.clock.advance(60_000);
    expect(await send('192.0.2.200')).toEqual([204, undefined]);
  });
});
