import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { calls } from '../../../../src/contract/calls.ts';
import type { Client } from '../../../../src/contract/client.ts';
import { MAX_WEBHOOKS, type WebhookEvent } from '../../../../src/contract/entities.ts';
import { Queue } from '../../../../src/server/core/jobs/queue.ts';
import { deliveryQueue } from '../../../../src/server/features/webhooks/jobs.ts';
import { deleteDeliveries } from '../../../../src/server/features/webhooks/queries.ts';
import { emitWebhookEvent } from '../../../../src/server/features/webhooks/service.ts';
import { ApiApp, databases, formOf, refused } from '../../../harness/api-app.ts';
import { WebhookReceiver } from '../../../harness/stand-ins/webhook-receiver.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

const queueOf = ({ services }: ApiApp, onError: (error: unknown) => void = () => undefined) =>
  new Queue(services, deliveryQueue(services), onError);

describe.each(databases)('webhooks on %s', (kind) => {
  let api: ApiApp;
  let client: Client;
  let receiver: WebhookReceiver;
  beforeAll(async () => {
    receiver = await new WebhookReceiver().start();
    api = await ApiApp.start(kind, {}, { allowed: [new URL(receiver.url).host] });
  });
  beforeEach(() => {
    Object.assign(receiver, { status: 204, text: '', headers: {} });
    client = api.client();
  });
  afterEach(async () => {
    for (const { id } of await client.webhooks.list()) await client.webhooks.remove({ params: { id } });
    receiver.seen.splice(0);
  });
  afterAll(async () => {
    await api.close();
    await receiver.stop();
  });

  const pass = async (milliseconds: number) => {
    api.clock.advance(milliseconds);
    api.one.admin.token = await api.signIn(api.one.admin);
    client = api.client();
  };
  const add = (events: WebhookEvent[] = ['space.published'], url = `${receiver.url}/hook`) =>
    client.webhooks.create({ body: { name: 'Build', url, events } });
  const emit = (event: WebhookEvent = 'space.published', data: object = { space: { id: 1 } }) =>
    emitWebhookEvent(api.services.db, { clock: api.clock, organizationId: api.one.id }, event, data);
  /** Sends due deliveries; the server's own job may already be sending them. */
  const deliverDue = async () => {
    const queue = queueOf(api, (error) => expect(error).toBeUndefined());
    await queue.poll();
    await queue.settled();
  };
  const deliver = async (count: number) => {
    await deliverDue();
    await expect.poll(() => receiver.seen.length, { timeout: 10_000 }).toBe(count);
  };
  const log = async (id: number) => (await client.webhooks.deliveries({ params: { id } })).data;
  const settled = async (id: number, state: string) => {
    await expect.poll(async () => (await log(id))[0]?.state, { timeout: 10_000 }).toBe(state);
    return (await log(id))[0]!;
  };

  it('receive each message once, signed according to Standard Webhooks', async () => {
    const { id, secret } = await add();
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    await emit();
    await emit('stream.started');
    await deliver(1);
    const [{ headers, body, json, method, path }] = receiver.seen as [(typeof receiver.seen)[number]];
    expect([method, path, headers['content-type']]).toEqual(['POST', '/hook', 'application/json']);
    expect(json).toEqual({
      type: 'space.published',
      timestamp: new Date(api.clock.now()).toISOString(),
      data: { space: { id: 1 } },
    });
    const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
    expect(headers['webhook-signature']).toBe(`v1,${createHmac('sha256', key).update(signed).digest('base64')}`);
    expect(Number(headers['webhook-timestamp'])).toBe(Math.floor(api.clock.now() / 1000));
    expect(await settled(id, 'delivered')).toMatchObject({
      status: 204,
      attempts: 1,
      next_at: null,
      message_id: headers['webhook-id'],
    });
  });

  it('are retried with back-off under the same id, eight times in a day, then disabled', async () => {
    Object.assign(receiver, { status: 500, text: 'Oops <b>\u0001</b>' });
    const { id } = await add();
    await emit();
    await deliver(1);
    const first = await log(id);
    expect(first).toMatchObject([{ state: 'waiting', status: 500, answer: 'Oops <b> </b>', attempts: 1 }]);
    const begun = api.clock.now();
    for (let attempt = 2; attempt <= 8; attempt++) {
      const next = Date.parse((await log(id))[0]!.next_at!);
      expect(next).toBeGreaterThan(api.clock.now());
      await pass(next - api.clock.now());
      await deliver(attempt);
      await expect.poll(async () => (await log(id))[0]?.attempts, { timeout: 10_000 }).toBe(attempt);
    }
    expect(api.clock.now() - begun).toBeGreaterThan(0.7 * DAY);
    expect(api.clock.now() - begun).toBeLessThan(1.3 * DAY);
    expect(await settled(id, 'failed')).toMatchObject({ next_at: null });
    expect(new Set(receiver.seen.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    // Jitter decides whether a day has passed; the next message that fails for good disables the webhook in any case.
    await emit();
    for (let attempt = 1; attempt <= 8; attempt++) {
      const due = (await log(id))[0]?.next_at;
      if (due && Date.parse(due) > api.clock.now()) await pass(Date.parse(due) - api.clock.now());
      await deliverDue();
    }
    await expect.poll(async () => (await client.webhooks.list())[0]?.disabled_at, { timeout: 10_000 }).not.toBeNull();
    const before = (await log(id)).length;
    await emit();
    expect(await log(id)).toHaveLength(before);
    const [row] = await client.webhooks.list();
    receiver.status = 200;
    expect(
      await client.webhooks.update({ params: { id }, body: { is_paused: false, updated_at: row!.updated_at } }),
    ).toMatchObject({
      disabled_at: null,
      failing_since: null,
    });
    await emit();
    expect(await log(id)).toHaveLength(before + 1);
  });

  it('have each delivery leased by one server; after a crash, another server sends it a minute later', async () => {
    const { id } = await add();
    await emit();
    await emit();
    const take = () => queueOf(api).lease(api.one.id);
    const taken = (await Promise.all([take(), take(), take()])).flat();
    expect(new Set(taken).size).toBe(taken.length);
    await pass(MINUTE);
    await deliver(2);
    await settled(id, 'delivered');
  });

  it('follow no redirect and reach public addresses only', async () => {
    Object.assign(receiver, { status: 302, headers: { location: `${receiver.url}/elsewhere` } });
    const { id } = await add();
    await emit();
    await deliver(1);
    expect(receiver.seen.map(({ path }) => path)).toEqual(['/hook']);
    expect((await log(id))[0]).toMatchObject({ state: 'waiting', status: 302 });
    // Refused when saved, but a name can lead elsewhere later.
    const inside = await add(['space.published'], 'https://hook.invalid/');
    const url = 'http://169.254.169.254/latest/meta-data';
    await api.services.db.updateTable('webhooks').set({ url }).where('id', '=', inside.id).execute();
    await client.webhooks.test({ params: { id: inside.id } });
    await deliverDue();
    await expect.poll(async () => (await log(inside.id))[0]?.attempts, { timeout: 10_000 }).toBe(1);
    expect((await log(inside.id))[0]).toMatchObject({
      status: null,
      answer: "The URL doesn't resolve to a public IP address.",
    });
  });

  it('are disabled when the receiver returns 410', async () => {
    receiver.status = 410;
    const { id } = await add();
    await emit();
    await deliver(1);
    await settled(id, 'failed');
    expect((await client.webhooks.list())[0]?.disabled_at).not.toBeNull();
  });

  it('receive only test events while paused; a user can redeliver a message', async () => {
    const { id, updated_at } = await add();
    await client.webhooks.update({ params: { id }, body: { is_paused: true, updated_at } });
    await emit();
    expect(await log(id)).toEqual([]);
    const { message_id } = await client.webhooks.test({ params: { id } });
    await deliver(1);
    expect(receiver.seen[0]?.json).toMatchObject({ type: 'test', data: { webhook: 'Build' } });
    const done = await settled(id, 'delivered');
    await client.webhooks.redeliver({ params: { id: done.id } });
    await deliver(2);
    expect(receiver.seen.map(({ headers }) => headers['webhook-id'])).toEqual([message_id, message_id]);
  });

  it('have a secret that is shown once, stored sealed, and can be rotated', async () => {
    const { id, secret } = await add();
    expect(JSON.stringify(await client.webhooks.list())).not.toContain('whsec_');
    expect(await api.dump()).not.toContain(secret.slice(6));
    const { secret: next } = await client.webhooks.rotate({ params: { id } });
    expect(next).not.toBe(secret);
    await emit();
    await deliver(1);
    const { headers, body } = receiver.seen[0]!;
    const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
    const signature = createHmac('sha256', Buffer.from(next.slice(6), 'base64'))
      .update(signed)
      .digest('base64');
    expect(headers['webhook-signature']).toBe(`v1,${signature}`);
    const { data } = await client.history.list({ query: { entity: 'webhook' } });
    expect(data.map(({ action }) => action).slice(0, 2)).toEqual(['update', 'create']);
    expect(JSON.stringify(data)).not.toMatch(/sealed|whsec/);
  });

  it.each([
    ['no address', { url: 'hook' }],
    ['a file', { url: 'file:///etc/passwd' }],
    ['a password in the address', { url: 'https://kim:secret@example.com/' }],
    ['the loopback address', { url: 'http://127.0.0.1:9/hook' }],
    ['a name of the machine itself', { url: 'http://localhost:9/hook' }],
    ['a private network', { url: 'http://[fd00::1]/hook' }],
    ['no event', { events: [] }],
    ['an unknown event', { events: ['user.removed'] }],
    ['no name', { name: '' }],
    ['a NUL in its name', { name: 'a\0b' }],
  ])('refuse %s', async (_what, wrong) => {
    const body = { name: 'Build', url: 'https://example.com/hook', events: ['space.published'], ...wrong };
    const { status } = await api.call(calls.webhooks.create, {}, { body, token: api.one.admin.token });
    expect([400, 422]).toContain(status);
  });

  it(`are limited to ${MAX_WEBHOOKS}, even when added concurrently`, async () => {
    const tries = Array.from({ length: MAX_WEBHOOKS + 5 }, () => add().catch((error: unknown) => error));
    const failed = (await Promise.all(tries)).filter((result) => result instanceof Error);
    expect(failed).toHaveLength(5);
    expect((await refused(add())).code).toBe('quota');
  });

  it('lose their deliveries after 30 days', async () => {
    const { id } = await add();
    await emit();
    await deliver(1);
    await deleteDeliveries(api.services.db, new Date(api.clock.now() + 1).toISOString());
    expect(await log(id)).toEqual([]);
  });

  it('receive events: publishing, a first visitor, an access token, a shared message', async () => {
    await add(['space.published', 'structure.opened', 'access_token.used', 'share.received', 'stream.started']);
    const room = (await client.rooms.create({ body: { title: 'Hall' } })).id;
    const endpoint = await client.endpoints.create({
      body: { name: `Club ${kind}`, room_id: room, is_protected: true },
    });
    const feed = await client.feeds.create({ body: { name: 'Wall', type: 'local' } });
    const config = { navigation: { type: 'modal_share', type_config: { feed_id: feed.id } } };
    await client.rooms.addElement({ params: { id: room }, body: { element: 'button', config } });
    await client.publications.publish({ params: { id: room }, body: {} });
    await client.accessTokens.create({ body: { endpoint_id: endpoint.id, token: 'open-sesame' } });
    const entered = await api.call(
      calls.visit.enterOne,
      { slugOne: endpoint.slug },
      { body: { access_token: 'open-sesame' } },
    );
    const { token } = entered.body;
    const begin = () =>
      api.app.inject({
        method: 'POST',
        url: '/api/v1/statistics',
        headers: { 'user-agent': 'Chrome/140', authorization: `Bearer ${token}` },
        payload: { endpoint_id: endpoint.id, visit: '0123456789abcdef', begins: true },
      });
    await Promise.all([begin(), begin(), begin()]);
    const form = formOf({ name: 'Eva', message: 'Hello', feed_id: String(feed.id) });
    expect((await api.call(calls.visit.share, {}, { form, token })).status).toBe(201);
    await deliver(4);
    const said = receiver.seen.map(({ json }) => json).toSorted((a, b) => (a.type < b.type ? -1 : 1));
    expect(said).toMatchObject([
      { type: 'access_token.used', data: { structure: { id: endpoint.id }, access_token: { is_first_use: true } } },
      { type: 'share.received', data: { feed: { id: feed.id, name: 'Wall' } } },
      { type: 'space.published', data: { space: { id: room, title: 'Hall' } } },
      { type: 'structure.opened', data: { structure: { id: endpoint.id, name: `Club ${kind}` } } },
    ]);
    // Neither the token nor the message text is sent.
    expect(JSON.stringify(said)).not.toMatch(/open-sesame|Eva|Hello/);
    await begin();
    await pass(31 * MINUTE);
    await begin();
    await deliver(5);
  });

  it('security 79: a receiver that hangs delays only its own organization', async () => {
    const hanging = createServer(() => undefined);
    await new Promise<void>((resolve) => hanging.listen(0, '127.0.0.1', resolve));
    const { port } = hanging.address() as AddressInfo;
    const hung = await ApiApp.start(kind, {}, { allowed: [new URL(receiver.url).host, `127.0.0.1:${port}`] });
    try {
      const events: WebhookEvent[] = ['space.published'];
      const slow = { name: 'Slow', url: `http://127.0.0.1:${port}/`, events };
      await hung.client().webhooks.create({ body: slow });
      await hung
        .client(hung.two.admin)
        .webhooks.create({ body: { name: 'Quick', url: `${receiver.url}/quick`, events } });
      const { db, clock } = hung.services;
      for (let number = 0; number < 25; number++)
        await emitWebhookEvent(db, { clock, organizationId: hung.one.id }, 'space.published', { number });
      hung.clock.advance(1000);
      await emitWebhookEvent(db, { clock, organizationId: hung.two.id }, 'space.published', { space: { id: 1 } });
      const queue = queueOf(hung);
      await queue.poll();
      await expect.poll(() => receiver.seen.map(({ path }) => path), { timeout: 8000 }).toEqual(['/quick']);
      const [slowOne] = await hung.client().webhooks.list();
      const { data } = await hung.client().webhooks.deliveries({ params: { id: slowOne!.id } });
      expect(data.every(({ state }) => state === 'waiting')).toBe(true);
    } finally {
      hanging.closeAllConnections();
      hanging.close();
      await hung.close();
    }
  });
});
