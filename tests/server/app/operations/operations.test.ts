import { pbkdf2 } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BACKUP_NOTE, writeNote } from '../../../../src/server/core/db/notes.ts';
import { updateFeed } from '../../../../src/server/features/feeds/queries.ts';
import { insertDeliveries, setFailing } from '../../../../src/server/features/webhooks/queries.ts';
import { ApiApp, assertError, databases, PASSWORD, refused } from '../../../harness/api-app.ts';
import { METRICS_TOKEN } from '../../../harness/metrics-token.ts';

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

  it('says that it lives, that it is ready, and how everything is that it stands on', async () => {
    for (const path of ['/healthz', '/readyz']) {
      const { status, headers } = await api.send('GET', path);
      expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
    }
    const { body } = await api.send('GET', '/readyz');
    const well = { state: 'ok', problem: null, since: '2026-03-10T12:00:00.000Z' };
    expect(body).toMatchObject({ status: 'ready', parts: { database: well, disk: well, key: well } });
  });

  it('security 72: says that it is stuck when the thread pool does not respond', async () => {
    const hash = promisify(pbkdf2);
    const began = performance.now();
    await hash('a', 'b', 100_000, 64, 'sha512');
    // As long as it takes until the pool counts as stuck, and half as long again, for each of its threads.
    const rounds = Math.ceil((100_000 * 4500) / (performance.now() - began));
    const filling = Promise.all(Array.from({ length: 4 }, () => hash('a', 'b', rounds, 64, 'sha512')));
    const { status, body } = await api.send('GET', '/healthz');
    expect([status, body.code, body.msg.error]).toEqual([503, 'unavailable', ['The thread pool does not respond.']]);
    await filling;
    expect((await api.send('GET', '/healthz')).status).toBe(200);
  });

  it('measures what it stands on, and the imports that it did', async () => {
    const client = api.client();
    await client.imports.templates({ body: { items: [{ name: 'Imported' }] } });
    await client.imports.templates({ body: { items: [{ name: 'Imported' }], dry_run: true } });
    const wrong = client.imports.templates({ body: { items: [{ name: 7 }] } as never });
    await wrong.catch(() => undefined);
    const samples = samplesOf((await api.metrics()).text);
    const at = (name: string) => samples.get(name);
    expect(at('enfilade_imports_total{kind="templates",outcome="done"}')).toBe(1);
    expect(at('enfilade_import_dry_runs_total{kind="templates"}')).toBe(1);
    expect(at('enfilade_imports_total{kind="templates",outcome="refused"}')).toBe(1);
    expect(at('enfilade_imports_total{kind="templates",outcome="failed"}')).toBe(0);
    expect(at('enfilade_import_rows_total{kind="templates"}')).toBe(1);
    expect(at('enfilade_imports_running{kind="templates"}')).toBe(0);
    for (const part of ['database', 'disk', 'key']) expect(at(`enfilade_part_up{part="${part}"}`)).toBe(1);
    expect(at('enfilade_disk_free_bytes')).toBeGreaterThan(0);
    expect(at('enfilade_disk_size_bytes')).toBeGreaterThan(at('enfilade_disk_free_bytes')!);
    expect(at('enfilade_database_errors_total{kind="away"}')).toBe(0);
    expect([...samples.keys()].some((name) => name.startsWith('enfilade_build_info{version="'))).toBe(true);
    const own = kind === 'postgres' ? 'enfilade_database_pool_connections' : 'enfilade_database_wal_bytes';
    expect(at(own)).toBeGreaterThan(0);
    // Nothing has been backed up yet.
    expect([...samples.keys()].filter((name) => name.startsWith('enfilade_backup_'))).toEqual([]);
    const note = { done: '2026-03-10T11:00:00.000Z', failed: null };
    await writeNote(api.services.db, api.clock, BACKUP_NOTE, note);
    const later = samplesOf((await api.metrics()).text);
    expect(later.get('enfilade_backup_last_timestamp_seconds{outcome="done"}')).toBe(Date.parse(note.done) / 1000);
    expect(later.has('enfilade_backup_last_timestamp_seconds{outcome="failed"}')).toBe(false);
  });

  it('serves exactly the metrics that OPERATING.md lists, named by the conventions of Prometheus', async () => {
    const { text } = await api.metrics();
    const about = [...text.matchAll(/^# HELP (\S+) (.+)\n# TYPE \1 (\S+)$/gm)].map(([, name, help, type]) => ({
      name: name!,
      help,
      type,
    }));
    const own = about.filter(({ name }) => !/^(?:process|nodejs)_/.test(name));
    const rows = own.map(({ name, type, help }) => `| \`${name}\` | ${type} | ${help} |`).sort();
    const listed = /<!-- metrics -->\n([\s\S]*?)\n<!-- \/metrics -->/.exec(await readFile('OPERATING.md', 'utf8'))![1];
    expect(['| name | type | meaning |', '| --- | --- | --- |', ...rows].join('\n')).toBe(listed);
    expect(own.filter(({ name }) => !name.startsWith('enfilade_'))).toEqual([]);
    expect(own.filter(({ name, type }) => name.endsWith('_total') !== (type === 'counter'))).toEqual([]);
  });

  it('counts sign-ins, emails, webhooks and feeds', async () => {
    const before = samplesOf((await api.metrics()).text);
    const { email } = api.one.admin;
    const anybody = api.client({ token: null });
    await anybody.users.login({ body: { email, password: PASSWORD } });
    await refused(anybody.users.login({ body: { email, password: `${PASSWORD}!` } }));
    await anybody.users.forgot({ body: { email } });
    const client = api.client();
    const [hook, broken] = await Promise.all(
      ['A', 'B'].map((name) =>
        client.webhooks.create({ body: { name, url: `https://${name}.example/`, events: ['share.received'] } }),
      ),
    );
    const { db } = api.services;
    const at = new Date(api.clock.now() - 90_000).toISOString();
    await insertDeliveries(db, [
      {
        organization_id: api.one.id,
        webhook_id: hook!.id,
        message_id: 'm',
        event: 'test',
        payload: '{}',
        created_at: at,
        state: 'waiting',
        attempts: 0,
        // Not due while the test runs.
        next_at: '2040-01-01T00:00:00.000Z',
        status: null,
        answer: '',
      },
    ]);
    await setFailing(db, broken!.id, { failing_since: at, disabled_at: at });
    const grown = async (name: string) =>
      (samplesOf((await api.metrics()).text).get(name) ?? 0) - (before.get(name) ?? 0);
    expect(await grown('enfilade_sign_ins_total{outcome="succeeded"}')).toBe(1);
    expect(await grown('enfilade_sign_ins_total{outcome="failed"}')).toBe(1);
    await expect.poll(() => grown('enfilade_emails_total{outcome="sent"}')).toBe(1);
    expect(await grown('enfilade_emails_queued')).toBe(0);
    expect(await grown('enfilade_webhook_deliveries_waiting')).toBe(1);
    expect(await grown('enfilade_webhook_oldest_delivery_seconds')).toBe(90);
    expect(await grown('enfilade_webhooks_failing')).toBe(1);
    expect(await grown('enfilade_webhooks_disabled')).toBe(1);
    const feed = await client.feeds.create({ body: { name: 'F', type: 'local', config: {} } as never });
    await updateFeed(db, feed.id, { problem: 'It does not answer.' });
    expect(await grown('enfilade_feeds_failing')).toBe(1);
  });

  it('counts requests by route, method and status, and how long they took', async () => {
    const before = samplesOf((await api.metrics()).text);
    await api.send('GET', '/api/v1/settings');
    await api.send('GET', '/api/v1/settings?x=1');
    await api.send('GET', '/api/v1/backend/rooms/7');
    await api.send('GET', '/api/nothing"here');
    const { text, headers } = await api.metrics();
    expect(headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
    const after = samplesOf(text);
    const grown = (name: string) => (after.get(name) ?? 0) - (before.get(name) ?? 0);
    expect(grown('enfilade_http_requests_total{route="/api/v1/settings",method="GET",status="200"}')).toBe(1);
    expect(grown('enfilade_http_requests_total{route="/api/v1/settings",method="GET",status="400"}')).toBe(1);
    expect(grown('enfilade_http_requests_total{route="/api/v1/backend/rooms/:id",method="GET",status="401"}')).toBe(1);
    expect(grown('enfilade_http_requests_total{route="none",method="GET",status="404"}')).toBe(1);
    const histogram = (part: string) => grown(`enfilade_http_request_duration_seconds_${part}`);
    expect(histogram('count{route="/api/v1/settings",method="GET"}')).toBe(2);
    expect(histogram('bucket{le="+Inf",route="/api/v1/settings",method="GET"}')).toBe(2);
    expect(histogram('bucket{le="0.001",route="/api/v1/settings",method="GET"}')).toBeLessThanOrEqual(2);
    expect(histogram('sum{route="/api/v1/settings",method="GET"}')).toBeGreaterThan(0);
    expect(after.get('process_resident_memory_bytes')).toBeGreaterThan(1e6);
    expect(after.get('nodejs_eventloop_lag_p99_seconds')).toBeGreaterThanOrEqual(0);
    // The library's own measure of the event loop has no mean where nothing was measured since it was last asked for.
    const measured = [...after].filter(([name]) => !name.startsWith('nodejs_eventloop_lag'));
    for (const [name, value] of measured) expect(value, name).not.toBeNaN();
  });

  it('security 81: shows measures for the token only: a proxy that says nothing of itself looks like this machine', async () => {
    const bearer = { authorization: `Bearer ${METRICS_TOKEN}` };
    expect((await ask(bearer, '203.0.113.9')).statusCode).toBe(200);
    const closed: [Record<string, string>, string][] = [
      [{}, '127.0.0.1'],
      [{}, '::1'],
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

  it('shows measures to nobody without the token where there is a public address', async () => {
    const open = await ApiApp.start(kind, { METRICS_TOKEN, PUBLIC_URL: 'https://rooms.example.com' });
    // A proxy of this machine that says nothing of itself looks like this machine.
    expect((await open.send('GET', '/metrics')).status).toBe(403);
    const headers = { authorization: `Bearer ${METRICS_TOKEN}` };
    expect((await open.send('GET', '/metrics', { headers })).status).toBe(200);
    await open.close();
  });

  it('shows measures to this machine where PUBLIC_URL says that nobody else reaches it', async () => {
    const own = await ApiApp.start(kind, { PUBLIC_URL: 'http://localhost:8080' });
    expect((await own.send('GET', '/metrics')).status).toBe(200);
    await own.close();
  });

  it('is not ready while a migration is missing, or the database is away; it lives all the same', async () => {
    const { db } = api.services;
    await sql`update kysely_migration set name = 'x' where name = '0040-bulk-jobs'`.execute(db);
    const ready = () => api.send('GET', '/readyz');
    const status = async () => (await ready()).status;
    await expect.poll(status).toBe(503);
    const answer = await ready();
    assertError(answer, ['unavailable']);
    expect(answer.headers.get('retry-after')).toBe('5');
    expect(answer.body.parts.database).toMatchObject({
      state: 'failed',
      problem: 'The database lacks migrations of this version (0040-bulk-jobs). Run `enfilade migrate`.',
    });
    await sql`update kysely_migration set name = '0040-bulk-jobs' where name = 'x'`.execute(db);
    await expect.poll(status).toBe(200);
    if (kind !== 'postgres') return;
    await api.loseDatabase();
    await expect.poll(status).toBe(503);
    expect((await ready()).body.parts.database.problem).toMatch(/^The database can't be reached \(\w+\)\.$/);
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
