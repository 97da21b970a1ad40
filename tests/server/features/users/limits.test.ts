import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Call } from '../../../../src/contract/call.ts';
import { calls } from '../../../../src/contract/calls.ts';
import type { Client } from '../../../../src/contract/client.ts';
import type { Policies } from '../../../../src/contract/entities.ts';
import { allPolicies } from '../../../../src/server/features/organizations/service.ts';
import { ApiApp, databases, refused, type TestUser } from '../../../harness/api-app.ts';
import { type CallName, type Fixture, requests } from '../../../harness/call-requests.ts';
import { EditorSocket } from '../../../harness/editor-socket.ts';
import { furnishOrganization } from '../../../harness/furnish-organization.ts';
import { giveCredentials } from '../../../harness/give-credentials.ts';
import { INSTAGRAM, InstagramStandIn } from '../../../harness/stand-ins/instagram.ts';
import { WOWZA, WowzaStandIn } from '../../../harness/stand-ins/wowza.ts';

/** In every text that limited users must not see, and nowhere else. */
const MARK = 'zqoutsidezq';

/** An id that no row has. */
const NOWHERE = 99_999_999;

const named = Object.entries(calls).flatMap(([area, list]) =>
  Object.entries(list as Record<string, Call>).flatMap(([name, call]) =>
    call.access === 'public' ? [] : [[`${area}.${name}` as CallName, call] as const],
  ),
);

/** Beginnings of paths whose ids belong to spaces and structures. */
const LIMITED_PATHS = [
  ...['rooms', 'elements', 'endpoints', 'access-tokens', 'revisions', 'mailings', 'check-in-links', 'folders'],
  ...['imports', 'history', 'publications'],
].map((name) => `/backend/${name}/:id`);

/** Tables whose rows belong to spaces and structures. */
const LIMITED_TABLES = [
  ...(['rooms', 'folders', 'elements', 'room_commands', 'revisions', 'publications', 'endpoints'] as const),
  ...(['endpoint_addresses', 'access_tokens', 'check_in_links', 'mailings', 'mailing_emails'] as const),
  ...(['statistics_events', 'statistics_hours', 'posters', 'change_rows'] as const),
];

/** Every right but those in the settings, which limited users can't have. */
const editorPolicies = (): Policies => ({
  ...allPolicies(),
  settings: { view_any: false, create: false, update: false, delete: false },
});

/** A text without addresses of files: the library is shared, and addresses contain the names of files. */
const withoutFiles = (text: string) => text.replace(/\/media\/[0-9a-f]{64}\/[^"]*/g, '');

/** A text without what differs in every response. */
const withoutRequest = (text: string) => text.replace(/"request_id":"[^"]*"/, '');

describe.each(databases)('security 10: users limited to folders and structures, on %s', (kind) => {
  let api: ApiApp;
  let wowza: WowzaStandIn;
  let instagram: InstagramStandIn;
  let outside: Fixture;
  let user: TestUser;
  let client: Client;
  let inside: { folder: number; room: number; endpoint: number; below: number };
  let before: string;
  let last: Map<string, number>;

  const admin = () => api.client();

  const limit = (limits: { folder_ids: number[]; endpoint_ids: number[] } | null, id = user.id) =>
    admin().users.update({ params: { id }, body: { limits } });

  /** Rows that existed before the limited user's own, without what counts changes of shared resources. */
  const outsideRows = async (): Promise<string> => {
    const parts: unknown[] = [];
    for (const table of LIMITED_TABLES) {
      const rows = await api.services.db
        .selectFrom(table as 'rooms')
        .selectAll()
        .where('id', '<=', last.get(table)!)
        .orderBy('id')
        .execute();
      const own = rows as (Record<string, unknown> & { revision?: number; touches?: number })[];
      // Posters of templates and of the library are shared.
      const kept = table === 'posters' ? own.filter((row) => row.room_id ?? row.endpoint_id) : own;
      parts.push(kept.map(({ revision, touches, ...row }) => row));
    }
    return JSON.stringify(parts);
  };

  beforeAll(async () => {
    wowza = await new WowzaStandIn().start();
    instagram = await new InstagramStandIn().start();
    wowza.tokens.add(`wowza-${MARK}`);
    const addresses = { WOWZA_URL: wowza.url, INSTAGRAM_URL: instagram.url, INSTAGRAM_GRAPH_URL: instagram.url };
    api = await ApiApp.start(kind, { ...WOWZA, ...INSTAGRAM, ...addresses });
    const { INSTAGRAM_CLIENT_ID: client_id, INSTAGRAM_CLIENT_SECRET: client_secret } = INSTAGRAM;
    await giveCredentials(api, api.one, {
      wowza: { api_token: `wowza-${MARK}`, location: 'location' },
      instagram: { client_id, client_secret },
    });
    outside = await furnishOrganization(api, api.one, { instagram }, MARK);
    const { db } = api.services;
    // The library, templates, live streams and blocks are shared.
    for (const [table, column] of [
      ...(['templates', 'media', 'media_folders', 'live_streams', 'feeds', 'users', 'blocks'] as const).map(
        (table) => [table, 'name'] as const,
      ),
      ...([
        ['feed_items', 'name'],
        ['feed_items', 'message'],
        ['block_versions', 'content'],
        ['media', 'original_name'],
        ['media_versions', 'original_name'],
        ['users', 'email'],
      ] as const),
    ])
      await sql`update ${sql.table(table)} set ${sql.ref(column)} = replace(${sql.ref(column)}, ${MARK}, '')`.execute(
        db,
      );
    for (const stream of wowza.streams) stream.name = 'Live';
    await sql`delete from changes where entity in ('template', 'live_stream', 'block')`.execute(db);
    last = new Map();
    for (const table of LIMITED_TABLES) {
      const row = await db
        .selectFrom(table as 'rooms')
        .select(({ fn }) => fn.max('id').as('last'))
        .executeTakeFirst();
      last.set(table, Number(row?.last ?? 0));
    }
    const folder = (await admin().folders.create({ body: { name: 'Inside' } })).id;
    const room = (await admin().rooms.create({ body: { title: 'Inside', folder_id: folder } })).id;
    const shown = (await admin().rooms.create({ body: { title: 'Elsewhere' } })).id;
    const endpoint = (await admin().endpoints.create({ body: { name: 'Inside', room_id: shown } })).id;
    const below = (
      await admin().endpoints.create({ body: { name: 'Below', room_id: room, parent_endpoint_id: endpoint } })
    ).id;
    inside = { folder, room, endpoint, below };
    user = await api.addUser(api.one, editorPolicies());
    client = api.client(user);
    await limit({ folder_ids: [folder], endpoint_ids: [endpoint] });
    before = await outsideRows();
  });
  // Some calls end all sessions of their user.
  beforeEach(async () => {
    client = api.client({ token: await api.signIn(user) });
  });
  afterEach(async () => {
    const own = api.services.db.deleteFrom('rooms').where('folder_id', '=', inside.folder);
    await own.where('id', '!=', inside.room).execute();
  });
  afterAll(async () => {
    await api.close();
    await Promise.all([wowza.stop(), instagram.stop()]);
  });

  it('lists only their spaces, folders and structures; a structure names the space that it shows', async () => {
    expect((await client.rooms.list()).data.map(({ title, used_in }) => [title, used_in])).toEqual([
      ['Inside', [{ id: inside.below, name: 'Below' }]],
    ]);
    expect((await client.folders.list()).map(({ name }) => name)).toEqual(['Inside']);
    const [tree, ...others] = await client.endpoints.list();
    expect(others).toEqual([]);
    expect(tree).toMatchObject({ id: inside.endpoint, children: [{ id: inside.below }] });
    expect(tree!.room).toMatchObject({ name: 'Elsewhere', policies: { update: false, delete: false } });
    expect((await client.endpoints.rows()).data.map(({ name }) => name)).toEqual(['Inside', 'Below']);
    expect((await refused(client.rooms.read({ params: { id: outside.room } }))).code).toBe('not_found');
    expect((await refused(client.history.list())).code).toBe('forbidden');
    expect(await client.accessTokens.groups()).toEqual([]);
  });

  it('uses blocks, but changes none that spaces outside use', async () => {
    const { block } = outside;
    expect((await client.blocks.read({ params: { id: block } })).room_ids).toEqual([]);
    const changes = [
      () => client.blocks.update({ params: { id: block }, body: { name: 'Changed' } }),
      () => client.blocks.remove({ params: { id: block } }),
    ];
    for (const change of changes) expect((await refused(change())).code).toBe('forbidden');
    const element = { id: 1, element: 'group' };
    const { id } = await client.blocks.create({ body: { name: 'Own', element } });
    await client.blocks.update({ params: { id }, body: { name: 'Renamed' } });
    const count = async () => (await client.blocks.list()).data.length;
    const before = await count();
    await client.blocks.remove({ params: { id } });
    const removal = (await client.bin.list()).data.find(({ entity }) => entity === 'block');
    await client.history.restore({ params: { id: removal!.id } });
    expect(await count()).toBe(before);
    await client.blocks.remove({ params: { id } });
  });

  it('a structure limited by itself has its public path, and its parent is unknown', async () => {
    await limit({ folder_ids: [], endpoint_ids: [inside.below] });
    const [only] = await client.endpoints.list();
    expect(only).toMatchObject({ id: inside.below, parent_endpoint_id: null, path: '/inside/below' });
    expect((await client.endpoints.rows()).data).toMatchObject([{ path: '/inside/below', parent_name: null }]);
    expect((await client.rooms.list()).data).toEqual([]);
    const saved = await client.endpoints.update({
      params: { id: inside.below },
      body: { name: 'Below', parent_endpoint_id: null },
    });
    expect(saved).toMatchObject({ path: '/inside/below' });
    await limit({ folder_ids: [inside.folder], endpoint_ids: [inside.endpoint] });
  });

  // The limited user's own things stay: what may remove them runs on outside ids only.
  it.each(named)('%s: shows and changes nothing outside, whatever id is sent', async (name, call) => {
    const { params, ...request } = requests[name](outside);
    const token = await api.signIn(user);
    const answer = await api.call(call, params, { ...request, token });
    expect(withoutFiles(answer.text), `${answer.status}`).not.toContain(MARK);
    expect(answer.status, answer.text).toBeLessThan(500);
    expect(await outsideRows()).toBe(before);
    if (!LIMITED_PATHS.some((path) => call.path.startsWith(path))) return;
    const { params: _, ...again } = requests[name](outside);
    const nowhere = await api.call(call, { ...params, id: NOWHERE }, { ...again, token: await api.signIn(user) });
    expect([answer.status, withoutRequest(answer.text)]).toEqual([nowhere.status, withoutRequest(nowhere.text)]);
    expect(answer.status).toBeGreaterThanOrEqual(400);
  });

  it('puts nothing outside, and shows nothing from there', async () => {
    await limit({ folder_ids: [inside.folder], endpoint_ids: [inside.endpoint] });
    const { room, endpoint, below, folder } = inside;
    const attempts: ((id: number) => Promise<unknown>)[] = [
      (id) => client.rooms.move({ params: { id: room }, body: { folder_id: id } }),
      (id) => client.rooms.create({ body: { title: 'New', folder_id: id } }),
      (id) => client.folders.create({ body: { name: 'New', parent_id: id } }),
      (id) => client.endpoints.update({ params: { id: endpoint }, body: { room_id: id } }),
      (id) => client.endpoints.update({ params: { id: below }, body: { parent_endpoint_id: id } }),
      (id) => client.endpoints.create({ body: { name: 'New', room_id: id, parent_endpoint_id: endpoint } }),
      (id) => client.endpoints.create({ body: { name: 'New', room_id: room, parent_endpoint_id: id } }),
      (id) => client.accessTokens.create({ body: { endpoint_id: id } }),
      (id) => client.endpoints.move({ params: { id: below }, body: { parent_endpoint_id: id } }),
    ];
    const ids = [outside.folder, outside.folder, outside.folder, outside.published, outside.endpoint, outside.room];
    ids.push(outside.endpoint, outside.endpoint, outside.endpoint);
    for (const [index, attempt] of attempts.entries()) {
      const [there, nowhere] = [await refused(attempt(ids[index]!)), await refused(attempt(NOWHERE))];
      expect([index, there.status, there.msg]).toEqual([index, nowhere.status, nowhere.msg]);
    }
    const tops: (() => Promise<unknown>)[] = [
      () => client.rooms.move({ params: { id: room }, body: { folder_id: null } }),
      () => client.folders.create({ body: { name: 'New' } }),
      () => client.endpoints.create({ body: { name: 'New', room_id: room } }),
      () => client.endpoints.update({ params: { id: below }, body: { parent_endpoint_id: null } }),
      () => client.endpoints.copy({ params: { id: endpoint }, body: {} }),
    ];
    for (const attempt of tops) expect((await refused(attempt())).status).toBe(422);
    expect((await refused(client.folders.update({ params: { id: folder }, body: { name: 'Mine' } }))).status).toBe(403);
    expect((await refused(client.folders.remove({ params: { id: folder } }))).status).toBe(403);
    expect(await outsideRows()).toBe(before);
  });

  it('puts new and copied spaces into their folders, and undoes their own removals', async () => {
    const { id } = await client.rooms.create({ body: { title: 'Second' } });
    const copy = await client.rooms.copy({ params: { id } });
    const { data } = await client.rooms.list({ query: { folder_id: inside.folder } });
    expect(data.map(({ title }) => title)).toEqual(['Inside', 'Second', 'Second (copy)']);
    await client.rooms.remove({ params: { id: copy.id } });
    const [entry] = (await client.bin.list({ query: {} })).data;
    await client.history.restore({ params: { id: entry!.id } });
    expect((await client.rooms.list()).meta.total).toBe(3);
    for (const gone of [id, copy.id]) await client.rooms.remove({ params: { id: gone } });
    const imported = await client.imports.rooms({ body: { items: [{ title: 'Imported' }] } });
    expect((await client.rooms.list({ query: { search: 'Imported' } })).data[0]).toMatchObject({
      folder_id: inside.folder,
    });
    await client.imports.undo({ params: { id: imported.job! }, body: {} });
    expect(await outsideRows()).toBe(before);
  });

  it('bulk jobs skip ids outside, like missing ones', async () => {
    const run = async (ids: number[]) => {
      let job = await client.bulk.start({ body: { action: 'rooms.remove', ids } });
      while (job.state === 'running') job = await client.bulk.read({ params: { id: job.id } });
      return [job.changed, job.problems];
    };
    expect(await run([outside.room, outside.published])).toEqual(await run([NOWHERE, NOWHERE + 1]));
    const effects = (ids: number[]) => client.bulk.effects({ body: { action: 'endpoints.remove', ids } });
    expect(await effects([outside.endpoint])).toEqual({ structures: 0, access_tokens: 0 });
    expect(await outsideRows()).toBe(before);
  });

  it('a list that was just read without limits is not sent to a limited user, nor the other way round', async () => {
    const total = (await admin().rooms.list()).meta.total;
    expect(total).toBeGreaterThan(1);
    expect((await client.rooms.list()).meta.total).toBe(1);
    expect((await admin().rooms.list()).meta.total).toBe(total);
    await limit(null);
    expect((await client.rooms.list()).meta.total).toBe(total);
    await limit({ folder_ids: [inside.folder], endpoint_ids: [inside.endpoint] });
    expect((await client.rooms.list()).meta.total).toBe(1);
  });

  it('API keys of a limited user are limited, too', async () => {
    const keyed = await api.addUser(api.one, allPolicies());
    const { key } = await api.client(keyed).apiKeys.create({ body: { name: 'Key', policies: editorPolicies() } });
    const one = api.client({ token: key });
    expect((await one.rooms.list()).meta.total).toBeGreaterThan(1);
    await admin().users.update({
      params: { id: keyed.id },
      body: { policies: editorPolicies(), limits: { folder_ids: [inside.folder], endpoint_ids: [] } },
    });
    expect((await one.rooms.list()).data.map(({ title }) => title)).toEqual(['Inside']);
    await limit({ folder_ids: [inside.folder], endpoint_ids: [inside.endpoint] });
  });

  it('editor sockets of spaces outside are refused, and close when a space is no longer theirs', async () => {
    const open = async (room: number, name: string) =>
      EditorSocket.open(api.origin, room, { token: await api.signIn(user), client: name });
    const [there, nowhere] = [await open(outside.room, 'there'), await open(NOWHERE, 'nowhere')];
    expect(await there.closed).toBe(await nowhere.closed);
    const own = await open(inside.room, 'own');
    await expect.poll(() => own.heard.length).toBeGreaterThan(0);
    await limit({ folder_ids: [], endpoint_ids: [inside.endpoint] });
    expect(await own.closed).toBe(await nowhere.closed);
    await limit({ folder_ids: [inside.folder], endpoint_ids: [inside.endpoint] });
  });

  it('preview links work only while their creator sees the structure and its space', async () => {
    const { url } = await client.publications.createPreviewLink({
      params: { id: inside.room },
      body: { expires_in: 3600 },
    });
    const open = async () => (await fetch(new URL(url.replace(/^https?:\/\/[^/]+/, api.origin)))).text();
    const opened = await open();
    await limit({ folder_ids: [], endpoint_ids: [inside.endpoint] });
    expect(await open()).not.toBe(opened);
    await limit({ folder_ids: [inside.folder], endpoint_ids: [inside.endpoint] });
  });

  it('only users of the whole organization have rights in the settings, and limits name what exists', async () => {
    const settings = { ...editorPolicies(), settings: { ...allPolicies().settings, create: false } };
    const wrong = [
      { policies: settings },
      { limits: { folder_ids: [NOWHERE], endpoint_ids: [] } },
      { limits: { folder_ids: [], endpoint_ids: [NOWHERE] } },
      { policies: allPolicies() },
    ];
    for (const body of wrong) {
      const refusal = await refused(admin().users.update({ params: { id: user.id }, body }));
      expect([refusal.status, Object.keys(refusal.msg)]).toEqual([422, ['limits']]);
    }
    const theirs = (await api.client(api.two.admin).folders.create({ body: { name: 'Theirs' } })).id;
    expect((await refused(limit({ folder_ids: [theirs], endpoint_ids: [] }))).status).toBe(422);
    const invited = await admin().users.invite({
      body: {
        email: `limited-${kind}@example.com`,
        name: 'Limited',
        policies: editorPolicies(),
        limits: { folder_ids: [inside.folder], endpoint_ids: [] },
      },
    });
    expect(invited.limits).toEqual({ folder_ids: [inside.folder], endpoint_ids: [] });
    await admin().users.remove({ params: { id: invited.id } });
  });

  it('one folder among 2,011 spaces: lists, searches, sorts and counts contain only its own', async () => {
    const { db } = api.services;
    const [row] = await db.selectFrom('rooms').selectAll().where('id', '=', outside.room).execute();
    const { total } = (await admin().rooms.list()).meta;
    const { id: _, ...columns } = row!;
    const rows = Array.from({ length: 2011 - total }, (__, index) => ({
      ...columns,
      name: `${MARK} ${index}`,
      seq: 0,
    }));
    for (let from = 0; from < rows.length; from += 200)
      await db
        .insertInto('rooms')
        .values(rows.slice(from, from + 200))
        .execute();
    expect((await admin().rooms.list()).meta.total).toBe(2011);
    for (const query of [
      {},
      { search: MARK },
      { search: 'Inside' },
      { sort: '-edited' },
      { folder_id: 0 },
      { used: '0' },
    ] as const) {
      const { data, meta } = await client.rooms.list({ query });
      expect(data.every(({ id }) => id === inside.room)).toBe(true);
      expect(meta.total).toBeLessThanOrEqual(1);
    }
    expect((await client.rooms.list()).meta.total).toBe(1);
    expect((await client.folders.list()).map(({ spaces }) => spaces)).toEqual([1]);
    const templates = (await client.templates.list()).data;
    expect(withoutFiles(JSON.stringify(templates))).not.toContain(MARK);
  });
});
