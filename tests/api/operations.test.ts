import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ApiApp, assertError, databases } from '../harness/api-app.ts';

const METRICS_TOKEN = 'a token of sixteen signs';

/** Values by name and labels. */
const samplesOf = (text: string) =>
  new Map(
    text
      .split('\n')
      .filter((line) => line && !line.startsWith('#'))
      .map((line): [string, number] => [line.slice(0, line.lastIndexOf(' ')), Number(line.split(' ').at(-1))]),
  );

describe.each(databases)('operations on %s', (kind) => {
  let api: ApiApp;
  beforeAll(async () => {
    api = await ApiApp.start(kind, { METRICS_TOKEN });
  });
  afterAll(() => api.close());

  const ask = (headers: Record<string, string>, remoteAddress?: string) =>
    api.app.inject({ url: '/metrics', headers, remoteAddress });

  it('says that it lives, and that it is ready', async () => {
    for (const path of ['/healthz', '/readyz']) {
      const { status, headers } = await api.send('GET', path);
      expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
    }
  });

  it('counts requests by route, method and status, and how long they took', async () => {
    const before = samplesOf((await api.send('GET', '/metrics')).text);
    await api.send('GET', '/api/v1/settings');
    await api.send('GET', '/api/v1/settings?x=1');
    await api.send('GET', '/api/v1/backend/rooms/7');
    await api.send('GET', '/api/nothing"here');
    const { text, headers } = await api.send('GET', '/metrics');
    expect(headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
    const after = samplesOf(text);
    const grown = (name: string) => (after.get(name) ?? 0) - (before.get(name) ?? 0);
    expect(grown('http_requests_total{route="/api/v1/settings",method="GET",status="200"}')).toBe(1);
    expect(grown('http_requests_total{route="/api/v1/settings",method="GET",status="400"}')).toBe(1);
    expect(grown('http_requests_total{route="/api/v1/backend/rooms/:id",method="GET",status="401"}')).toBe(1);
    expect(grown('http_requests_total{route="none",method="GET",status="404"}')).toBe(1);
    const histogram = (part: string) => grown(`http_request_duration_seconds_${part}`);
    expect(histogram('count{route="/api/v1/settings",method="GET"}')).toBe(2);
    expect(histogram('bucket{route="/api/v1/settings",method="GET",le="+Inf"}')).toBe(2);
    expect(histogram('bucket{route="/api/v1/settings",method="GET",le="0.001"}')).toBeLessThanOrEqual(2);
    expect(histogram('sum{route="/api/v1/settings",method="GET"}')).toBeGreaterThan(0);
    expect(after.get('process_resident_memory_bytes')).toBeGreaterThan(1e6);
    expect(after.get('nodejs_eventloop_lag_seconds{quantile="0.99"}')).toBeGreaterThanOrEqual(0);
    for (const [name, value] of after) expect(value, name).not.toBeNaN();
  });

  it('shows measures to this machine, and elsewhere for the token only', async () => {
    const bearer = { authorization: `Bearer ${METRICS_TOKEN}` };
    expect((await ask({}, '127.0.0.1')).statusCode).toBe(200);
    expect((await ask({}, '::1')).statusCode).toBe(200);
    expect((await ask(bearer, '203.0.113.9')).statusCode).toBe(200);
    const closed: [Record<string, string>, string][] = [
      [{}, '203.0.113.9'],
      [{ authorization: 'Bearer ' }, '203.0.113.9'],
      [{ authorization: `Bearer ${METRICS_TOKEN}x` }, '203.0.113.9'],
      [{ authorization: `Bearer ${api.one.admin.token}` }, '203.0.113.9'],
      [{ 'x-forwarded-for': '127.0.0.1' }, '203.0.113.9'],
      [{ 'x-forwarded-for': '203.0.113.9' }, '127.0.0.1'],
      [{ forwarded: 'for=203.0.113.9' }, '127.0.0.1'],
      [{ host: 'rooms.example.com' }, '127.0.0.1'],
    ];
    for (const [headers, address] of closed) {
      const { statusCode, body } = await ask(headers, address);
      expect(statusCode, JSON.stringify(headers)).toBe(403);
      expect(JSON.parse(body).code).toBe('forbidden');
    }
  });

  it('shows measures to nobody without the token where there is a public address (finding 31)', async () => {
    const open = await ApiApp.start(kind, { METRICS_TOKEN, PUBLIC_URL: 'https://rooms.example.com' });
    // A proxy of this machine that says nothing of itself looks like this machine.
    expect((await open.send('GET', '/metrics')).status).toBe(403);
    const headers = { authorization: `Bearer ${METRICS_TOKEN}` };
    expect((await open.send('GET', '/metrics', { headers })).status).toBe(200);
    await open.close();
  });

  it('is not ready while a migration is missing, or the database is away; it lives all the same', async () => {
    const { db } = api.services;
    await sql`update kysely_migration set name = 'x' where name = '0002-access-tokens'`.execute(db);
    const answer = await api.send('GET', '/readyz');
    assertError(answer, ['unavailable']);
    await sql`update kysely_migration set name = '0002-access-tokens' where name = 'x'`.execute(db);
    expect((await api.send('GET', '/readyz')).status).toBe(200);
    if (kind !== 'postgres') return;
    await api.loseDatabase();
    expect((await api.send('GET', '/readyz')).status).toBe(503);
    expect((await api.send('GET', '/healthz')).status).toBe(200);
  });
});

describe('without a token for measures', () => {
  it('nobody elsewhere sees them', async () => {
    const api = await ApiApp.start('sqlite');
    for (const authorization of ['Bearer ', 'Bearer undefined', '']) {
      const { statusCode } = await api.app.inject({
        url: '/metrics',
        headers: { authorization },
        remoteAddress: '203.0.113.9',
      });
      expect(statusCode).toBe(403);
    }
    await api.close();
  });
});
