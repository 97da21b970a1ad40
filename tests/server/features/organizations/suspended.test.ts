import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Call } from '../../../../src/contract/call.ts';
import { calls } from '../../../../src/contract/calls.ts';
import { EDITOR_CLOSE } from '../../../../src/contract/editor-messages.ts';
import { errors } from '../../../../src/contract/errors.ts';
import { VISITOR_EDITS_CLOSE } from '../../../../src/contract/visitor-edits.ts';
import { openDatabase } from '../../../../src/server/core/db/database.ts';
import { Queue } from '../../../../src/server/core/jobs/queue.ts';
import {
  deleteOrganization,
  restoreOrganization,
  resumeOrganization,
  suspendOrganization,
} from '../../../../src/server/features/organizations/life-cycle.ts';
import { publishDue } from '../../../../src/server/features/publications/jobs.ts';
import { ApiApp, databases, oneDatabase, PASSWORD } from '../../../harness/api-app.ts';
import { type CallName, type Fixture, requests } from '../../../harness/call-requests.ts';
import { EditorSocket } from '../../../harness/editor-socket.ts';
import { EditsSocket } from '../../../harness/edits-socket.ts';
import { furnishOrganization } from '../../../harness/furnish-organization.ts';
import { injectCall } from '../../../harness/inject-call.ts';
import { startWithPlatforms } from '../../../harness/platforms-app.ts';
import { rowsOfOrganization } from '../../../harness/rows-of-organization.ts';
import { VisitorSocket } from '../../pages/realtime/visitor-socket.ts';

const named = Object.entries(calls).flatMap(([area, list]) =>
  Object.entries(list as Record<string, Call>).map(([name, call]) => [`${area}.${name}` as CallName, call] as const),
);

const HOST = 'two.example';

describe.each(oneDatabase)('a suspended organization on %s', (kind) => {
  let api: ApiApp;
  let fixture: Fixture;
  let before: string;
  const stop: (() => Promise<unknown>)[] = [];
  beforeAll(async () => {
    const started = await startWithPlatforms(kind);
    ({ api } = started);
    stop.push(started.stop);
    fixture = await furnishOrganization(api, api.two, started);
    await suspendOrganization(api.services, api.two.id);
    before = await rowsOfOrganization(api.services.db, api.two.id);
  });
  afterAll(async () => {
    for (const end of stop) await end();
  });

  const send = (name: CallName, call: Call, host: string, token: string | null) =>
    injectCall(api, call, requests[name](fixture), { host, token });

  it.each(named)('%s is answered 503 with Retry-After, under each host, and changes nothing', async (name, call) => {
    const isPublic = call.access === 'public';
    // Public calls under another host are those of the other organization.
    for (const host of isPublic ? [HOST] : [HOST, 'one.example']) {
      const answer = await send(name, call, host, isPublic ? null : api.two.admin.token);
      expect([answer.statusCode, answer.json().code], host).toEqual([503, 'suspended']);
      expect(answer.headers).toMatchObject({ 'retry-after': '3600' });
      expect(answer.json()).toMatchObject({
        msg: { error: [errors.suspended.message] },
        suggestion: errors.suspended.suggestion,
      });
    }
    expect(await rowsOfOrganization(api.services.db, api.two.id)).toBe(before);
  });

  it('its users cannot sign in under the host of another organization, and get the reason', async () => {
    const answer = await api.call(calls.users.login, {}, { body: { email: api.two.admin.email, password: PASSWORD } });
    expect([answer.status, answer.body.code]).toEqual([503, 'suspended']);
    expect(
      await api.services.db.selectFrom('sessions').where('user_id', '=', api.two.admin.id).select('id').execute(),
    ).toHaveLength(1);
  });
});

describe.each(databases)('while an organization is suspended on %s', (kind) => {
  let api: ApiApp;
  let room: number;
  let picture: string;
  beforeAll(async () => {
    api = await ApiApp.start(kind);
    for (const organization of [api.one, api.two]) {
      const client = api.client(organization.admin);
      const { id } = await client.rooms.create({ body: { title: 'Hall' } });
      await client.endpoints.create({ body: { name: 'Hall', slug: 'hall', room_id: id } });
      room = id;
    }
    const words = new File(['WEBVTT\n\n00:01.000 --> 00:02.000\nHi\n'], 'words.vtt');
    picture = (await api.client(api.two.admin).media.upload({ body: {}, files: { file: words } })).url;
  });
  afterAll(() => api.close());

  const get = (url: string, headers: Record<string, string> = {}) =>
    api.app.inject({ url, headers: { host: HOST, ...headers } });

  it.each([
    ['suspended', suspendOrganization, resumeOrganization],
    ['deleted', (at: ApiApp['services'], id: number) => deleteOrganization(at, id, 30), restoreOrganization],
  ])('visitors of a %s one get a page in their language, and everything afterwards as before', async (_, off, on) => {
    const pages = ['/', '/hall', '/hall?text', '/embed/hall', '/nowhere', '/accessibility'];
    const shown = await Promise.all(pages.map(async (url) => (await get(url)).statusCode));
    await off(api.services, api.two.id);
    for (const [language, words] of [
      ['en', 'This site is paused.'],
      ['nl', 'Deze site is gepauzeerd.'],
      ['ja', 'このサイトは休止中です。'],
    ] as const)
      for (const url of pages) {
        const answer = await get(url, { 'accept-language': language });
        expect([answer.statusCode, answer.headers['retry-after'], answer.headers['cache-control']], url).toEqual([
          503,
          '3600',
          'no-store',
        ]);
        expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
        expect(answer.body).toContain(`<h1>${words}</h1>`);
        expect(answer.body).toContain(`lang="${language}"`);
        // Nothing of the organization.
        expect(answer.body).not.toContain('two.example');
      }
    for (const url of [
      '/robots.txt',
      '/sitemap.xml',
      '/oembed.json?url=http://two.example/hall',
      picture,
      '/posters/x.webp',
    ])
      expect([url, (await get(url)).statusCode, (await get(url)).json().code]).toEqual([url, 503, 'suspended']);
    // The other organization is as it was.
    expect((await get('/hall', { host: 'one.example' })).statusCode).toBe(200);
    await on(api.services, api.two.id);
    expect(await Promise.all(pages.map(async (url) => (await get(url)).statusCode))).toEqual(shown);
    expect((await get(picture)).statusCode).toBe(200);
    expect((await api.client(api.two.admin).rooms.list({ query: {} })).data).toHaveLength(1);
  });

  it('open sockets of visitors and editors end, others stay, and new ones are refused', async () => {
    const { realtime_api_key: key } = await api.services.db
      .selectFrom('organizations')
      .select('realtime_api_key')
      .where('id', '=', api.two.id)
      .executeTakeFirstOrThrow();
    const opening = { key, room, host: HOST, origin: `http://${HOST}` };
    const [visitor, editor, edits] = await Promise.all([
      VisitorSocket.open(api.origin, opening),
      EditorSocket.open(api.origin, room, { token: api.two.admin.token, client: 'one', after: 0 }),
      EditsSocket.connect(api.origin),
    ]);
    await expect.poll(() => editor.of('opened').length).toBe(1);
    const closed = new Promise((resolve) => editor.ws.once('close', resolve));
    await suspendOrganization(api.services, api.two.id);
    expect(await visitor.closed).toMatchObject({ code: VISITOR_EDITS_CLOSE.suspended });
    expect(await closed).toBe(EDITOR_CLOSE.suspended);
    await expect(VisitorSocket.open(api.origin, opening)).rejects.toThrow('503');
    const again = await EditorSocket.open(api.origin, room, { token: api.two.admin.token, client: 'two', after: 0 });
    expect(await new Promise((resolve) => again.ws.once('close', resolve))).toBe(EDITOR_CLOSE.suspended);
    expect(edits.ws.readyState).toBe(edits.ws.OPEN);
    edits.ws.terminate();
    await resumeOrganization(api.services, api.two.id);
    const back = await VisitorSocket.open(api.origin, opening);
    back.ws.terminate();
  });

  it('its queued work and schedules wait, and are done once it is resumed', async () => {
    const { db, clock } = api.services;
    const client = api.client(api.two.admin);
    await client.publications.publish({ params: { id: room }, body: { at: '2026-03-10T13:00', zone: 'UTC' } });
    const { id } = await client.webhooks.create({
      body: { name: 'Hook', url: 'https://hook.invalid/hook', events: ['stream.started'] },
    });
    const at = new Date(clock.now()).toISOString();
    await db
      .insertInto('webhook_deliveries')
      .values({
        ...{ organization_id: api.two.id, webhook_id: id, message_id: 'msg_1', event: 'test', payload: '{}' },
        ...{ created_at: at, state: 'waiting', attempts: 0, next_at: at, status: null, answer: '' },
      })
      .execute();
    const ran: number[] = [];
    const run = async (delivery: number) => {
      ran.push(delivery);
      await db.updateTable('webhook_deliveries').set({ next_at: null }).where('id', '=', delivery).execute();
    };
    const options = { table: 'webhook_deliveries', lease: 60_000, perOrganization: 1, organizations: 5, run } as const;
    const queue = new Queue(api.services, options, (error) => {
      throw error;
    });
    await suspendOrganization(api.services, api.two.id);
    api.clock.advance(2 * 60 * 60 * 1000);
    const scheduled = () =>
      db.selectFrom('publications').select('id').where('is_scheduled', '=', 1).where('room_id', '=', room).execute();
    await queue.poll();
    await queue.settled();
    await publishDue(api.services);
    expect([ran, (await scheduled()).length]).toEqual([[], 1]);
    await resumeOrganization(api.services, api.two.id);
    await queue.poll();
    await queue.settled();
    await publishDue(api.services);
    expect([ran.length, (await scheduled()).length]).toEqual([1, 0]);
  });

  it('a running server follows what another process did, within seconds', async () => {
    const { DATABASE_URL: url, DATA_DIR: folder } = api.services.settings;
    const db = openDatabase({ url, folder });
    const status = async () => (await get('/hall')).statusCode;
    const users = async () => (await api.call(calls.rooms.list, {}, { token: api.two.admin.token })).status;
    expect([await status(), await users()]).toEqual([200, 200]);
    await suspendOrganization({ db, clock: api.clock }, api.two.id);
    api.clock.advance(2500);
    await expect.poll(async () => [await status(), await users()]).toEqual([503, 503]);
    await resumeOrganization({ db, clock: api.clock }, api.two.id);
    api.clock.advance(2500);
    await expect.poll(async () => [await status(), await users()]).toEqual([200, 200]);
    await db.destroy();
  });
});
