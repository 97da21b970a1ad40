import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Call } from '../../src/contract/call.ts';
import { type Calls, calls } from '../../src/contract/calls.ts';
import { AREAS, type Area, type Policies, RIGHTS, type Right } from '../../src/contract/entities.ts';
import { createPasswordToken } from '../../src/server/users/password-links.ts';
import {
  ApiApp,
  databases,
  formOf,
  PASSWORD,
  refused,
  type Sent,
  type TestOrganization,
  type TestUser,
} from '../harness/api-app.ts';
import { makeFilm } from '../harness/film.ts';
import { INSTAGRAM, InstagramStandIn } from '../harness/stand-ins/instagram.ts';
import { WOWZA, WowzaStandIn } from '../harness/stand-ins/wowza.ts';

type CallName = { [A in keyof Calls]: `${A}.${keyof Calls[A] & string}` }[keyof Calls];

/** Ids of one of each, in one organization. */
interface Fixture {
  room: number;
  element: number;
  template: number;
  endpoint: number;
  media: number;
  token: number;
  user: TestUser;
  /** One who has not set a password yet. */
  invited: number;
  /** Token with which the user sets a password. */
  reset: string;
  key: number;
  revision: number;
  /** Entry of the change log that can be restored. */
  removal: number;
  /** An import that can be undone. */
  job: number;
  film: number;
  liveStream: { id: number; reference: string };
  /** A local feed that the room shows. */
  feed: number;
  /** What a redirect of Instagram brings back. */
  connection: { code: string; state: string };
}

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M/wHwAEBgIApD5fRAAAAABJRU5ErkJggg==',
  'base64',
);
const picture = () => ({ field: 'file', name: 'pixel.png', content: new Blob([PIXEL]) });

const noRights = () =>
  Object.fromEntries(
    AREAS.map((area) => [area, Object.fromEntries(RIGHTS.map((right) => [right, false]))]),
  ) as Policies;

/** A file with one thing to import. */
const fileOf = (item: object) =>
  formOf({}, { field: 'items_file', name: 'items.ndjson', content: new Blob([JSON.stringify(item)]) });

type Request = Sent & { params?: Record<string, unknown>; query?: string };

/** A request to each call that succeeds for whoever has the right. */
const table: Record<CallName, (fixture: Fixture) => Request> = {
  'users.login': ({ user }) => ({ body: { email: user.email, password: PASSWORD } }),
  'users.logout': () => ({}),
  'users.active': () => ({}),
  'users.forgot': ({ user }) => ({ body: { email: user.email } }),
  'users.reset': ({ user, reset }) => ({
    body: { email: user.email, token: reset, password: PASSWORD, password_confirmation: PASSWORD },
  }),
  'users.list': () => ({}),
  'users.read': ({ invited }) => ({ params: { id: invited } }),
  'users.invite': () => ({ body: { email: `${randomUUID()}@example.com`, name: 'New', policies: noRights() } }),
  'users.inviteAgain': ({ invited }) => ({ params: { id: invited } }),
  'users.update': ({ invited }) => ({ params: { id: invited }, body: { name: 'Changed' } }),
  'users.remove': ({ invited }) => ({ params: { id: invited } }),
  'apiKeys.list': () => ({}),
  'apiKeys.create': () => ({ body: { name: 'New', policies: noRights() } }),
  'apiKeys.remove': ({ key }) => ({ params: { id: key } }),
  'rooms.list': () => ({}),
  'rooms.read': ({ room }) => ({ params: { id: room } }),
  'rooms.create': () => ({ body: { title: 'New' } }),
  'rooms.update': ({ room }) => ({ params: { id: room }, body: { title: 'Changed' } }),
  'rooms.remove': ({ room }) => ({ params: { id: room } }),
  'rooms.copy': ({ room }) => ({ params: { id: room } }),
  'rooms.addElement': ({ room }) => ({ params: { id: room }, body: { element: 'group' } }),
  'revisions.list': ({ room }) => ({ params: { id: room } }),
  'revisions.create': ({ room }) => ({ params: { id: room }, body: { name: 'New' } }),
  'revisions.read': ({ revision }) => ({ params: { id: revision } }),
  'revisions.rename': ({ revision }) => ({ params: { id: revision }, body: { name: 'Changed' } }),
  'revisions.remove': ({ revision }) => ({ params: { id: revision } }),
  'revisions.restore': ({ revision }) => ({ params: { id: revision }, body: {} }),
  'elements.list': ({ room }) => ({ query: `room_id=${room}` }),
  'elements.read': ({ element }) => ({ params: { id: element } }),
  'elements.update': ({ element }) => ({ params: { id: element }, body: { name: 'Changed' } }),
  'elements.remove': ({ element }) => ({ params: { id: element } }),
  'elements.copy': ({ element }) => ({ params: { id: element } }),
  'elements.hide': ({ element }) => ({ params: { id: element, hidden: 1 } }),
  'elements.reorder': ({ element }) => ({ body: { sort: [element] } }),
  'elements.position': ({ element }) => ({ params: { id: element }, body: { position_x: 1 } }),
  'templates.list': () => ({}),
  'templates.read': ({ template }) => ({ params: { id: template } }),
  'templates.create': () => ({ body: { name: 'New' } }),
  'templates.copy': ({ template }) => ({ params: { id: template }, body: {} }),
  'templates.update': ({ template }) => ({ params: { id: template }, body: { name: 'Changed' } }),
  'templates.remove': ({ template }) => ({ params: { id: template } }),
  'endpoints.list': () => ({}),
  'endpoints.read': ({ endpoint }) => ({ params: { id: endpoint } }),
  'endpoints.create': ({ room }) => ({ form: formOf({ name: `New ${room}`, room_id: String(room) }) }),
  'endpoints.copy': ({ endpoint }) => ({ params: { id: endpoint }, body: { slug: randomUUID() } }),
  'endpoints.update': ({ endpoint }) => ({ params: { id: endpoint }, form: formOf({ name: 'Changed' }) }),
  'endpoints.remove': ({ endpoint }) => ({ params: { id: endpoint } }),
  'endpoints.reorder': ({ endpoint }) => ({ body: { sort: [{ id: endpoint }] } }),
  'endpoints.createExportTicket': ({ endpoint }) => ({ params: { id: endpoint } }),
  'endpoints.exportTokens': ({ endpoint }) => ({ params: { id: endpoint } }),
  'accessTokens.list': () => ({}),
  'accessTokens.read': ({ token }) => ({ params: { id: token } }),
  'accessTokens.create': ({ endpoint }) => ({ body: { endpoint_id: endpoint } }),
  'accessTokens.update': ({ token }) => ({ params: { id: token }, body: { valid_duration: 30 } }),
  'accessTokens.remove': ({ token }) => ({ params: { id: token } }),
  'accessTokens.createMany': ({ endpoint }) => ({ body: { endpoint_id: endpoint, count: 3 } }),
  'accessTokens.importFile': ({ endpoint }) => ({
    params: { id: endpoint },
    form: formOf({}, { field: 'access_tokens_file', name: 'codes.csv', content: new Blob(['abc']) }),
  }),
  'accessTokens.removeMany': ({ token }) => ({ body: { ids: [token] } }),
  'liveStreams.list': () => ({}),
  'liveStreams.read': ({ liveStream: { id } }) => ({ params: { id } }),
  'liveStreams.create': ({ liveStream: { reference } }) => ({ body: { name: 'New', type: 'wowza_live', reference } }),
  'liveStreams.update': ({ liveStream: { id } }) => ({ params: { id }, body: { name: 'Changed' } }),
  'liveStreams.remove': ({ liveStream: { id } }) => ({ params: { id } }),
  'liveStreams.start': ({ liveStream: { id } }) => ({ params: { id } }),
  'liveStreams.stop': ({ liveStream: { id } }) => ({ params: { id } }),
  'liveStreams.moduleList': () => ({ params: { module: 'wowza_live' } }),
  'liveStreams.moduleRead': ({ liveStream }) => ({ params: { module: 'wowza_live', id: liveStream.reference } }),
  'liveStreams.moduleState': ({ liveStream }) => ({ params: { module: 'wowza_live', id: liveStream.reference } }),
  'videos.search': () => ({ params: { provider: 'local' }, body: {} }),
  'videos.upload': () => ({
    params: { provider: 'local' },
    form: formOf({}, { field: 'file', name: 'film.mp4', content: new Blob([new Uint8Array(makeFilm())]) }),
  }),
  'videos.read': ({ film }) => ({ params: { provider: 'local', id: film } }),
  'feeds.list': () => ({}),
  'feeds.read': ({ feed }) => ({ params: { id: feed } }),
  'feeds.create': () => ({ body: { name: 'New', type: 'local' } }),
  'feeds.connect': ({ connection }) => ({ body: connection }),
  'feeds.update': ({ feed }) => ({ params: { id: feed }, body: { name: 'Changed' } }),
  'feeds.remove': ({ feed }) => ({ params: { id: feed } }),
  'organizations.read': () => ({}),
  'organizations.update': () => ({ body: { meta_title: 'Changed' } }),
  'modules.list': () => ({}),
  'visit.settings': () => ({}),
  'visit.list': () => ({}),
  'visit.one': () => ({ params: { slugOne: 'entrance' } }),
  'visit.two': () => ({ params: { slugOne: 'entrance', slugTwo: 'below' } }),
  'visit.enterOne': () => ({ params: { slugOne: 'entrance' }, body: {} }),
  'visit.enterTwo': () => ({ params: { slugOne: 'entrance', slugTwo: 'below' }, body: {} }),
  'visit.feedItems': ({ feed }) => ({ params: { id: feed } }),
  'visit.share': ({ feed }) => ({ form: formOf({ name: 'Eva', message: 'Hello', feed_id: String(feed) }) }),
  'media.list': () => ({}),
  'media.images': () => ({}),
  'media.files': () => ({}),
  'media.objects': () => ({}),
  'media.read': ({ media }) => ({ params: { id: media } }),
  'media.content': ({ media }) => ({ params: { id: media } }),
  'media.upload': () => ({ form: formOf({ accept: 'image' }, picture()) }),
  'media.remove': ({ media }) => ({ params: { id: media } }),
  'history.list': () => ({}),
  'imports.rooms': () => ({ body: { items: [{ title: `Room ${randomUUID()}` }] } }),
  'imports.templates': () => ({ body: { items: [{ name: `Template ${randomUUID()}` }] } }),
  'imports.endpoints': () => ({ body: { items: [{ path: randomUUID(), room: 'R' }] } }),
  'imports.roomsFile': () => ({ form: fileOf({ title: `Room ${randomUUID()}` }) }),
  'imports.templatesFile': () => ({ form: fileOf({ name: `Template ${randomUUID()}` }) }),
  'imports.endpointsFile': () => ({ form: fileOf({ path: randomUUID(), room: 'R' }) }),
  'imports.users': () => ({ body: { items: [{ email: `${randomUUID()}@example.com`, name: 'New' }] } }),
  'imports.usersFile': () => ({ form: fileOf({ email: `${randomUUID()}@example.com`, name: 'New' }) }),
  'imports.list': () => ({}),
  'imports.undo': ({ job }) => ({ params: { id: job }, body: {} }),
  'history.restore': ({ removal }) => ({ params: { id: removal } }),
};

const named = Object.entries(calls).flatMap(([area, list]) =>
  Object.entries(list as Record<string, Call>).map(([name, call]) => [`${area}.${name}` as CallName, call] as const),
);

/** Calls whose parameters name a platform and what it has, not a row of an organization. */
const OF_PLATFORMS = new Set<CallName>([
  'liveStreams.moduleList',
  'liveStreams.moduleRead',
  'liveStreams.moduleState',
  'videos.search',
  'videos.upload',
]);

const only = (area: Area, right: Right): Partial<Policies> => ({
  [area]: { view_any: false, create: false, update: false, delete: false, [right]: true },
});

describe.each(databases)('security 10: who may make which call, on %s', (kind) => {
  let api: ApiApp;
  let fixture: Fixture;
  let foreign: Fixture;
  let wowza: WowzaStandIn;
  let instagram: InstagramStandIn;
  const single = new Map<string, TestUser>();

  const furnish = async (organization: TestOrganization): Promise<Fixture> => {
    const client = api.client(organization.admin);
    const { rooms, templates, endpoints, accessTokens, media } = client;
    const template = await templates.create({ body: { name: 'T' } });
    const room = await rooms.create({ body: { title: 'R' } });
    const element = await rooms.addElement({ params: { id: room.id }, body: { element: 'group' } });
    for (const { id } of await endpoints.list()) await endpoints.remove({ params: { id } });
    const endpoint = await endpoints.create({ body: { name: 'Entrance', room_id: room.id } });
    await endpoints.create({ body: { name: 'Below', room_id: room.id, parent_endpoint_id: endpoint.id } });
    const revision = await client.revisions.create({ params: { id: room.id }, body: { name: 'First' } });
    const token = await accessTokens.create({ body: { endpoint_id: endpoint.id } });
    const user = await api.addUser(organization, {});
    const address = `${randomUUID()}@example.com`;
    const invited = await client.users.invite({ body: { email: address, name: 'Invited', policies: noRights() } });
    const key = await client.apiKeys.create({ body: { name: 'Key', policies: noRights() } });
    await rooms.remove({ params: { id: (await rooms.create({ body: { title: 'Gone' } })).id } });
    const [removal] = (await client.history.list({ query: { removed: '1' } })).data;
    const { job } = await client.imports.rooms({ body: { items: [{ title: randomUUID() }] } });
    const file = await api.client(organization.admin).media.upload({ body: {}, files: { file: picture().content } });
    for (const { id } of (await media.list()).data) if (id !== file.id) await media.remove({ params: { id } });
    const film = await client.videos.upload({
      params: { provider: 'local' },
      files: { file: new File([new Uint8Array(makeFilm())], 'film.mp4') },
    });
    const liveStream = await client.liveStreams.create({
      body: { name: 'Live', type: 'wowza_live', new_stream: { name: 'Live', encoder: 'other_rtmp' } },
    });
    const feed = await client.feeds.create({ body: { name: 'Wall', type: 'local' } });
    const config = { feed_enabled: true, feed_id: feed.id };
    await rooms.addElement({ params: { id: room.id }, body: { element: 'group', config } });
    const asked = await client.feeds.create({ body: { name: 'Instagram', type: 'instagram' } });
    const connection = { code: randomUUID(), state: new URL(asked.redirect_url!).searchParams.get('state')! };
    instagram.codes.add(connection.code);
    return {
      room: room.id,
      element: element.id,
      template: template.id,
      endpoint: endpoint.id,
      media: file.id,
      token: token.id,
      user,
      invited: invited.id,
      reset: await createPasswordToken(api.services.db, api.clock, user.id, 'reset'),
      key: key.id,
      revision: revision.id,
      removal: removal!.id,
      job: job!,
      film: Number(film.id),
      liveStream,
      feed: feed.id,
      connection,
    };
  };
  let isUsed = false;
  const ask = async (name: CallName, call: Call, from: Fixture, token: string | null) => {
    const { params, ...sent } = table[name](from);
    const answer = await api.call(call, params, { ...sent, token });
    if (call.method !== 'GET' && answer.status < 400) isUsed = true;
    return answer;
  };
  /** Furnishes the organization anew where a call may have changed what was there. */
  const renew = async () => {
    if (isUsed) fixture = await furnish(api.one);
    isUsed = false;
  };

  beforeAll(async () => {
    wowza = await new WowzaStandIn().start();
    instagram = await new InstagramStandIn().start();
    const addresses = { WOWZA_URL: wowza.url, INSTAGRAM_URL: instagram.url, INSTAGRAM_GRAPH_URL: instagram.url };
    api = await ApiApp.start(kind, { ...WOWZA, ...INSTAGRAM, ...addresses });
    fixture = await furnish(api.one);
    foreign = await furnish(api.two);
    for (const area of AREAS)
      for (const right of RIGHTS) single.set(`${area}.${right}`, await api.addUser(api.one, only(area, right)));
  });
  afterAll(async () => {
    await api.close();
    await Promise.all([wowza.stop(), instagram.stop()]);
  });

  it('every call of the table has a request here', () => {
    expect(named.map(([name]) => name).sort()).toEqual(Object.keys(table).sort());
  });

  describe.each(named)('%s', (name, call) => {
    it('answers 401 to nobody unless it is public', async () => {
      if (call.access === 'public') await renew();
      const { status } = await ask(name, call, fixture, null);
      expect(status).toBe(call.access === 'public' ? (call.status ?? 200) : 401);
    });

    if (call.access.includes('.')) {
      it('answers 403 to each right that is not the one it asks for', async () => {
        for (const [policy, { token }] of single) {
          if (policy === call.access) continue;
          const { status } = await ask(name, call, fixture, token);
          expect(status, policy).toBe(403);
        }
      });

      it('is done for whoever has only the right that it asks for', async () => {
        await renew();
        if (name === 'endpoints.reorder') {
          const [top] = await api.client().endpoints.list();
          for (const { id } of top!.children) await api.client().endpoints.remove({ params: { id } });
        }
        const { status, text } = await ask(name, call, fixture, single.get(call.access)!.token);
        expect(status, text).toBe(call.status ?? 200);
      });
    }

    if (call.access === 'session')
      it('is done for whoever is signed in', async () => {
        await renew();
        const { token } = name === 'media.remove' ? api.one.admin : await api.addUser(api.one, {});
        const { status, text } = await ask(name, call, fixture, token);
        expect(status, text).toBe(call.status ?? 200);
      });

    if (call.params && call.access !== 'public' && !OF_PLATFORMS.has(name))
      it('does not know the ids of another organization', async () => {
        const before = await api.dump();
        const { status } = await ask(name, call, foreign, api.one.admin.token);
        expect(status).toBe(404);
        expect(await api.dump()).toBe(before);
      });
  });

  it('security 11: refuses ids of another organization inside a request, naming the field, and changes nothing', async () => {
    const { rooms, elements, templates, endpoints, accessTokens, organizations } = api.client();
    const mine = await furnish(api.one);
    const yours = foreign;
    const before = await api.dump();
    const params = { id: mine.room };
    const attempts: [string, () => Promise<unknown>][] = [
      ['template_id', () => rooms.create({ body: { title: 'A', template_id: yours.template } })],
      ['template_id', () => rooms.update({ params, body: { template_id: yours.template } })],
      ['config.realtime_file_id', () => rooms.update({ params, body: { config: { realtime_file_id: yours.media } } })],
      [
        'parent_element_id',
        () => rooms.addElement({ params, body: { element: 'group', parent_element_id: yours.element } }),
      ],
      ['file_id', () => rooms.addElement({ params, body: { element: 'image', file_id: yours.media } })],
      [
        'parent_element_id',
        () => elements.update({ params: { id: mine.element }, body: { parent_element_id: yours.element } }),
      ],
      ['sort', () => elements.reorder({ body: { sort: [mine.element, yours.element] } })],
      ['sort', () => elements.reorder({ body: { sort: [yours.element] } })],
      ['background_file_id', () => templates.create({ body: { name: 'A', background_file_id: yours.media } })],
      ['logo_file_id', () => templates.update({ params: { id: mine.template }, body: { logo_file_id: yours.media } })],
      ['room_id', () => endpoints.create({ body: { name: 'A', room_id: yours.room } })],
      ['room_id', () => endpoints.update({ params: { id: mine.endpoint }, body: { room_id: yours.room } })],
      [
        'parent_endpoint_id',
        () => endpoints.create({ body: { name: 'A', room_id: mine.room, parent_endpoint_id: yours.endpoint } }),
      ],
      ['sort', () => endpoints.reorder({ body: { sort: [{ id: yours.endpoint }] } })],
      [
        'parent_endpoint_id',
        () => endpoints.copy({ params: { id: mine.endpoint }, body: { parent_endpoint_id: yours.endpoint } }),
      ],
      ['endpoint_id', () => accessTokens.create({ body: { endpoint_id: yours.endpoint } })],
      ['endpoint_id', () => accessTokens.createMany({ body: { endpoint_id: yours.endpoint, count: 1 } })],
      ['ids', () => accessTokens.removeMany({ body: { ids: [mine.token, yours.token] } })],
      ['endpoint_id', () => accessTokens.update({ params: { id: mine.token }, body: { endpoint_id: yours.endpoint } })],
      ['template_id', () => organizations.update({ body: { template_id: yours.template } })],
      ['font_file_id', () => organizations.update({ body: { font_file_id: yours.media } })],
    ];
    for (const [field, attempt] of attempts) {
      const error = await refused(attempt());
      expect(error.status, field).toBe(422);
      expect(Object.keys(error.msg)).toEqual([field]);
    }
    expect((await refused(elements.list({ query: { room_id: yours.room } }))).status).toBe(404);
    expect(await api.dump()).toBe(before);
  });

  it('finds the organization of a visitor by the host name', async () => {
    const path = '/api/v1/settings';
    expect((await api.send('GET', path)).body.data.name).toBe('Museum');
    const other = await api.app.inject({ url: path, headers: { host: 'TWO.example:8080' } });
    expect(other.json().data.name).toBe('two.example');
  });
});
