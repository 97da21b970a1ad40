import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Client } from '../../../../src/contract/client.ts';
import { QUOTAS, type Quota } from '../../../../src/contract/entities.ts';
import { changeLimits, usageOf } from '../../../../src/server/core/limits/quotas.ts';
import { ApiApp, databases, refused, type TestOrganization } from '../../../harness/api-app.ts';
import { noRights } from '../../../harness/call-requests.ts';
import { makeFilm } from '../../../harness/film.ts';

/** Creations at once, and how many of them there is room for. */
const MANY = 50;
const ROOM = 7;

describe.each(databases)('quotas of organizations on %s', (kind) => {
  let api: ApiApp;
  let organization: TestOrganization;
  let client: Client;
  let count = 0;
  beforeAll(async () => {
    api = await ApiApp.start(kind);
  });
  beforeEach(async () => {
    organization = await api.addOrganization(`quota-${++count}.example`);
    client = api.client(organization.admin);
  });
  afterAll(() => api.close());

  const limit = (changes: Partial<Record<Quota, number | null>>) =>
    changeLimits(api.services.db, organization.id, changes);
  const used = async (quota: Quota): Promise<number> =>
    (await usageOf(api.services, organization.id)).find((entry) => entry.quota === quota)!.used;
  /** Lets so many more be added. */
  const leave = async (quota: Quota, more: number) => limit({ [quota]: (await used(quota)) + more });
  const addRoom = () => client.rooms.create({ body: { title: randomUUID() } });
  const addEndpoint = (room_id: number) => client.endpoints.create({ body: { name: randomUUID(), room_id } });
  const invite = () =>
    client.users.invite({ body: { email: `${randomUUID()}@example.com`, name: 'New', policies: noRights() } });
  const words = (text: string) => new File([`WEBVTT\n\n00:01.000 --> 00:02.000\n${text}\n`], 'words.vtt');
  const upload = () => client.media.upload({ body: {}, files: { file: words(randomUUID()) } });
  const over = async (attempt: Promise<unknown>) => {
    const error = await refused(attempt);
    expect([error.code, error.status, error.message]).toEqual([
      'quota',
      409,
      expect.stringMatching(/^This would exceed the limit of /),
    ]);
    return error;
  };

  it('are none unless whoever runs the server sets them, and are shown with what is used', async () => {
    await addRoom();
    const usage = await client.organizations.usage();
    expect(usage.map(({ quota }) => quota)).toEqual([...QUOTAS]);
    expect(usage.find(({ quota }) => quota === 'spaces')).toEqual({ quota: 'spaces', used: 1, limit: null });
    await limit({ spaces: 20, storage: 5_000_000 });
    await limit({ users: 10 });
    const limits = Object.fromEntries((await client.organizations.usage()).map((entry) => [entry.quota, entry.limit]));
    expect(limits).toMatchObject({ spaces: 20, storage: 5_000_000, users: 10, tokens: null });
    await limit({ spaces: null });
    expect((await client.organizations.usage()).find(({ quota }) => quota === 'spaces')!.limit).toBeNull();
  });

  it(`of ${MANY} that come at once, exactly those are added that there is room for`, async () => {
    const room = await addRoom();
    const endpoint = await addEndpoint(room.id);
    const ways: [Quota, () => Promise<unknown>][] = [
      ['spaces', addRoom],
      ['spaces', () => client.rooms.copy({ params: { id: room.id } })],
      ['structures', () => addEndpoint(room.id)],
      ['structures', () => client.endpoints.copy({ params: { id: endpoint.id }, body: { slug: randomUUID() } })],
      ['tokens', () => client.accessTokens.create({ body: { endpoint_id: endpoint.id } })],
      ['tokens', () => client.accessTokens.createMany({ body: { endpoint_id: endpoint.id, count: 1 } })],
      ['users', invite],
      ['mails', invite],
    ];
    for (const [quota, add] of ways) {
      await limit({ users: null, mails: null });
      await leave(quota, ROOM);
      const before = await used(quota);
      const outcomes = await Promise.allSettled(Array.from({ length: MANY }, add));
      const failures = outcomes.filter((outcome) => outcome.status === 'rejected').map(({ reason }) => reason.code);
      expect([quota, failures]).toEqual([quota, Array(MANY - ROOM).fill('quota')]);
      expect([quota, await used(quota)]).toEqual([quota, before + ROOM]);
    }
  });

  it('storage is never more than its limit, however many files come at once; what is refused leaves nothing', async () => {
    const size = words(randomUUID()).size;
    await limit({ storage: size * ROOM + size - 1 });
    const outcomes = await Promise.allSettled(Array.from({ length: MANY }, upload));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(ROOM);
    expect(await used('storage')).toBe(size * ROOM);
    const { data } = await client.media.list();
    await client.media.remove({ params: { id: data[0]!.id } });
    await upload();
    const text = randomUUID();
    await over(client.media.upload({ body: {}, files: { file: words(text) } }));
    // Nobody has its content: not under its hash either.
    const hash = await crypto.subtle.digest('SHA-256', await words(text).arrayBuffer());
    const hex = Buffer.from(hash).toString('hex');
    const answer = await api.send('GET', `/media/${hex}/words.vtt`);
    expect([answer.status, answer.body.code]).toEqual([404, 'not_found']);
  });

  it('hold for every way in which a space is added', async () => {
    const room = await addRoom();
    const gone = await addRoom();
    await client.rooms.remove({ params: { id: gone.id } });
    const [removal] = (await client.history.list({ query: { removed: '1' } })).data;
    await leave('spaces', 0);
    const items = [{ title: randomUUID() }];
    await over(addRoom());
    await over(client.rooms.copy({ params: { id: room.id } }));
    await over(client.history.restore({ params: { id: removal!.id } }));
    await over(client.imports.rooms({ body: { items } }));
    await over(client.imports.rooms({ body: { items, dry_run: true } }));
    const file = new File([JSON.stringify(items[0])], 'rooms.ndjson');
    await over(client.imports.roomsFile({ body: {}, files: { items_file: file } }));
    expect(await used('spaces')).toBe(1);
    // What is there may be changed, by an import too.
    await client.rooms.update({ params: { id: room.id }, body: { title: 'Hall' } });
    const changed = { name: room.name, title: 'Hall', description: 'New' };
    expect(await client.imports.rooms({ body: { items: [changed] } })).toMatchObject({ applied: true });
    await leave('spaces', 1);
    await client.history.restore({ params: { id: removal!.id } });
    expect(await used('spaces')).toBe(2);
  });

  it('hold for what taking an import back brings back', async () => {
    await client.imports.rooms({ body: { items: [{ title: 'First' }, { title: 'Second' }] } });
    const { job } = await client.imports.rooms({ body: { items: [{ title: 'First' }], prune: true } });
    await leave('spaces', 0);
    await over(client.imports.undo({ params: { id: job! }, body: {} }));
    await leave('spaces', 1);
    await client.imports.undo({ params: { id: job! }, body: {} });
    expect(await used('spaces')).toBe(2);
  });

  it('hold for every way in which structures and their tokens are added', async () => {
    const room = await addRoom();
    const endpoint = await addEndpoint(room.id);
    await addEndpoint(room.id).then((child) =>
      client.endpoints.update({ params: { id: child.id }, body: { parent_endpoint_id: endpoint.id } }),
    );
    const codes = (number: number) =>
      new File([Array.from({ length: number }, () => randomUUID().replaceAll('-', '')).join('\n')], 'codes.csv');
    await leave('structures', 1);
    const copy = { slug: randomUUID(), children: true };
    await over(client.endpoints.copy({ params: { id: endpoint.id }, body: copy }));
    await leave('structures', 0);
    await over(addEndpoint(room.id));
    await over(client.imports.endpoints({ body: { items: [{ path: randomUUID(), room: room.name }] } }));
    const item = new File([JSON.stringify({ path: randomUUID(), room: room.name })], 'items.ndjson');
    await over(client.imports.endpointsFile({ body: {}, files: { items_file: item } }));
    await limit({ structures: null, tokens: 5 });
    const access_tokens_file = codes(6);
    const files = { access_tokens_file };
    const body = { name: randomUUID(), room_id: room.id };
    await over(client.endpoints.create({ body, files }));
    await over(client.endpoints.update({ params: { id: endpoint.id }, body: {}, files }));
    await over(client.accessTokens.importFile({ params: { id: endpoint.id }, body: {}, files }));
    await over(client.accessTokens.importFile({ params: { id: endpoint.id }, body: { dry_run: true }, files }));
    await over(client.accessTokens.createMany({ body: { endpoint_id: endpoint.id, count: 6 } }));
    expect(await used('tokens')).toBe(0);
    expect(await used('structures')).toBe(2);
    await client.accessTokens.importFile({
      params: { id: endpoint.id },
      body: {},
      files: { access_tokens_file: codes(5) },
    });
    await over(client.accessTokens.create({ body: { endpoint_id: endpoint.id } }));
    // Other codes in their place are not more.
    await client.accessTokens.importFile({
      params: { id: endpoint.id },
      body: { mode: 'replace', prune: true },
      files: { access_tokens_file: codes(5) },
    });
    expect(await used('tokens')).toBe(5);
  });

  it('hold for users and the messages that they are sent', async () => {
    const items = () => [{ email: `${randomUUID()}@example.com`, name: 'New' }];
    const file = () => new File([JSON.stringify(items()[0])], 'users.ndjson');
    for (const quota of ['users', 'mails'] as const) {
      await leave(quota, 0);
      await over(invite());
      await over(client.imports.users({ body: { items: items() } }));
      await over(client.imports.usersFile({ body: {}, files: { items_file: file() } }));
      await limit({ [quota]: null });
    }
    await leave('mails', 1);
    const invited = await invite();
    await over(client.users.inviteAgain({ params: { id: invited.id } }));
    // A day later there is room again.
    api.clock.advance(24 * 60 * 60 * 1000 + 1);
    client = api.client({ token: await api.signIn(organization.admin) });
    await client.users.inviteAgain({ params: { id: invited.id } });
    // Nobody is kept from a password of their own by what others sent.
    await client.users.forgot({ body: { email: organization.admin.email } });
    await expect.poll(() => used('mails')).toBe(2);
  });

  it('hold for files of every kind, of users and of visitors', async () => {
    const film = new File([new Uint8Array(makeFilm())], 'film.mp4');
    await limit({ storage: 0 });
    await over(upload());
    await over(client.videos.upload({ params: { provider: 'local' }, files: { file: film } }));
    const room = await addRoom();
    const feed = await client.feeds.create({ body: { name: 'Wall', type: 'local' } });
    await client.rooms.addElement({
      params: { id: room.id },
      body: { element: 'group', config: { feed_enabled: true, feed_id: feed.id } },
    });
    await addEndpoint(room.id);
    const share = async (picture?: Buffer) => {
      const form = new FormData();
      for (const [name, value] of Object.entries({ name: 'Eva', message: 'Hello', feed_id: String(feed.id) }))
        form.append(name, value);
      if (picture) form.append('file', new Blob([new Uint8Array(picture)]), 'pixel.png');
      const request = new Request('http://x', { method: 'POST', body: form });
      return api.app.inject({
        method: 'POST',
        url: '/api/v1/share',
        headers: { host: organization.host!, 'content-type': request.headers.get('content-type')! },
        payload: Buffer.from(await request.arrayBuffer()),
      });
    };
    const pixel = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M/wHwAEBgIApD5fRAAAAABJRU5ErkJggg==',
      'base64',
    );
    const full = await share(pixel);
    expect([full.statusCode, full.json().code]).toEqual([413, 'too_large']);
    // Visitors are not told what an organization may have.
    expect(full.body).not.toMatch(/storage|MB/);
    expect((await share()).statusCode).toBe(201);
    expect(await used('storage')).toBe(0);
  });

  it('say what the limit is, what is used, and what to do', async () => {
    await addRoom();
    await limit({ spaces: 1, storage: 1_500_000 });
    const error = await over(addRoom());
    expect(error.message).toBe('This would exceed the limit of 1 space: 1 space in use, 2 spaces needed.');
    expect(error.suggestion).toMatch(/^Remove something you no longer need, or ask/);
  });

  it('that were lowered below what is there stop nothing but more, and are nobody else’s', async () => {
    const rooms = await Promise.all([addRoom(), addRoom(), addRoom()]);
    await limit({ spaces: 1 });
    await over(addRoom());
    await client.rooms.update({ params: { id: rooms[0].id }, body: { title: 'Still mine' } });
    await client.rooms.remove({ params: { id: rooms[1].id } });
    expect(await used('spaces')).toBe(2);
    await over(addRoom());
    const other = { token: await api.signIn(api.two.admin) };
    await api.client(other).rooms.create({ body: { title: 'Elsewhere' } });
  });
});
