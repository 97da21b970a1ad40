import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { createClient } from '../../../src/contract/client.ts';
import { newVisitor, sharedBrowser } from '../../harness/browser.ts';
import { runOn } from '../../harness/postgres.ts';
import { serveHere } from '../../harness/serve-here.ts';
import { createDatabase } from '../../harness/test-database.ts';
import { ADMIN } from '../../harness/web-app.ts';

const SENTENCE = 'access tokens can only be searched by their beginning';

describe.runIf(inject('postgres'))('access tokens in a PostgreSQL that may not have the extension pg_trgm', () => {
  const role = `enfilade_${randomUUID().slice(0, 8)}`;
  let database: Awaited<ReturnType<typeof createDatabase>>;
  let server: Awaited<ReturnType<typeof serveHere>>;
  let folder: string;
  let token: string | null = null;
  beforeAll(async () => {
    database = await createDatabase('postgres');
    // Who may make tables and no extensions.
    await runOn(database.url!, `create role ${role} login; grant all on schema public to ${role}`);
    const url = new URL(database.url!);
    url.username = role;
    url.password = '';
    folder = await mkdtemp(join(tmpdir(), 'enfilade-web-'));
    server = await serveHere({
      DATA_DIR: folder,
      DATABASE_URL: url.href,
      ADMIN_EMAIL: ADMIN.email,
      ADMIN_PASSWORD: ADMIN.password,
    });
    const client = createClient({ origin: server.origin, token: () => token, onToken: (value) => (token = value) });
    await client.users.login({ body: ADMIN });
    const room = await client.rooms.create({ body: { title: 'Hall' } });
    const endpoint = await client.endpoints.create({ body: { name: 'Hall', room_id: room.id, is_protected: true } });
    for (const text of ['EVENT-0001', 'EVENT-0002'])
      await client.accessTokens.create({ body: { endpoint_id: endpoint.id, token: text } });
  });
  afterAll(async () => {
    await server.stop();
    await database.drop();
    await runOn(inject('postgres')!, `drop role ${role}`);
    await rm(folder, { recursive: true, force: true });
  });

  it('are found by their beginning, as lists say, and /readyz how to change that', async () => {
    const client = createClient({ origin: server.origin, token: () => token });
    const found = async (search: string) => {
      const { data, meta } = await client.accessTokens.list({ query: { search } });
      return [data.length, meta.is_prefix_only];
    };
    expect([await found('EVENT-000'), await found('vent-0001')]).toEqual([
      [2, true],
      [0, true],
    ]);
    const ready = await fetch(`${server.origin}/readyz`);
    const body = await ready.text();
    expect([ready.status, body]).toEqual([200, expect.stringContaining(SENTENCE)]);
    expect(body).toContain('create extension pg_trgm');
  });

  it('are listed with a sentence that says so', async () => {
    const { page, close } = await newVisitor(await sharedBrowser(), {
      viewport: { width: 1280, height: 800 },
      kept: { origin: server.origin, entries: { 'enfilade.editor-token': token! } },
    });
    await page.goto(`${server.origin}/admin/access-tokens?search=EVENT-0001`);
    await page.getByText('EVENT-0001', { exact: true }).first().waitFor();
    await page
      .getByText('Only the beginnings of tokens are searched: the database lacks the extension pg_trgm.')
      .waitFor();
    await page.goto(`${server.origin}/admin/access-tokens`);
    await page.getByText('EVENT-0002', { exact: true }).first().waitFor();
    expect(await page.getByText('Only the beginnings of').count()).toBe(0);
    await close();
  });
});
