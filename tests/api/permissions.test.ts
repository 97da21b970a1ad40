import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Call } from '../../src/contract/call.ts';
import { type Calls, calls } from '../../src/contract/calls.ts';
import { AREAS, type Area, type Policies, RIGHTS, type Right } from '../../src/contract/entities.ts';
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
}

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M/wHwAEBgIApD5fRAAAAABJRU5ErkJggg==',
  'base64',
);
const picture = () => ({ field: 'file', name: 'pixel.png', content: new Blob([PIXEL]) });

type Request = Sent & { params?: Record<string, unknown>; query?: string };

/** A request to each call that succeeds for whoever has the right. */
const table: Record<CallName, (fixture: Fixture) => Request> = {
  'users.login': ({ user }) => ({ body: { email: user.email, password: PASSWORD } }),
  'users.logout': () => ({}),
  'users.active': () => ({}),
  'rooms.list': () => ({}),
  'rooms.read': ({ room }) => ({ params: { id: room } }),
  'rooms.create': () => ({ body: { title: 'New' } }),
  'rooms.update': ({ room }) => ({ params: { id: room }, body: { title: 'Changed' } }),
  'rooms.remove': ({ room }) => ({ params: { id: room } }),
  'rooms.copy': ({ room }) => ({ params: { id: room } }),
  'rooms.addElement': ({ room }) => ({ params: { id: room }, body: { element: 'group' } }),
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
  'templates.update': ({ template }) => ({ params: { id: template }, body: { name: 'Changed' } }),
  'templates.remove': ({ template }) => ({ params: { id: template } }),
  'endpoints.list': () => ({}),
  'endpoints.read': ({ endpoint }) => ({ params: { id: endpoint } }),
  'endpoints.create': ({ room }) => ({ form: formOf({ name: `New ${room}`, room_id: String(room) }) }),
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
  'organizations.read': () => ({}),
  'organizations.update': () => ({ body: { meta_title: 'Changed' } }),
  'modules.list': () => ({}),
  'visit.settings': () => ({}),
  'visit.list': () => ({}),
  'visit.one': () => ({ params: { slugOne: 'entrance' } }),
  'visit.two': () => ({ params: { slugOne: 'entrance', slugTwo: 'below' } }),
  'visit.enterOne': () => ({ params: { slugOne: 'entrance' }, body: {} }),
  'visit.enterTwo': () => ({ params: { slugOne: 'entrance', slugTwo: 'below' }, body: {} }),
  'media.list': () => ({}),
  'media.read': ({ media }) => ({ params: { id: media } }),
  'media.upload': () => ({ form: formOf({ accept: 'image' }, picture()) }),
  'media.remove': ({ media }) => ({ params: { id: media } }),
};

const named = Object.entries(calls).flatMap(([area, list]) =>
  Object.entries(list as Record<string, Call>).map(([name, call]) => [`${area}.${name}` as CallName, call] as const),
);

const only = (area: Area, right: Right): Partial<Policies> => ({
  [area]: { view_any: false, create: false, update: false, delete: false, [right]: true },
});

describe.each(databases)('security 10: who may make which call, on %s', (kind) => {
  let api: ApiApp;
  let fixture: Fixture;
  let foreign: Fixture;
  const single = new Map<string, TestUser>();

  const furnish = async (organization: TestOrganization): Promise<Fixture> => {
    const { rooms, templates, endpoints, accessTokens, media } = api.client(organization.admin);
    const template = await templates.create({ body: { name: 'T' } });
    const room = await rooms.create({ body: { title: 'R' } });
    const element = await rooms.addElement({ params: { id: room.id }, body: { element: 'group' } });
    for (const { id } of await endpoints.list()) await endpoints.remove({ params: { id } });
    const endpoint = await endpoints.create({ body: { name: 'Entrance', room_id: room.id } });
    await endpoints.create({ body: { name: 'Below', room_id: room.id, parent_endpoint_id: endpoint.id } });
    const token = await accessTokens.create({ body: { endpoint_id: endpoint.id } });
    const user = await api.addUser(organization, {});
    const file = await api.client(organization.admin).media.upload({ body: {}, files: { file: picture().content } });
    for (const { id } of (await media.list()).data) if (id !== file.id) await media.remove({ params: { id } });
    return {
      room: room.id,
      element: element.id,
      template: template.id,
      endpoint: endpoint.id,
      media: file.id,
      token: token.id,
      user,
    };
  };
  const ask = (name: CallName, call: Call, from: Fixture, token: string | null) => {
    const { params, ...sent } = table[name](from);
    return api.call(call, params, { ...sent, token });
  };

  beforeAll(async () => {
    api = await ApiApp.start(kind);
    fixture = await furnish(api.one);
    foreign = await furnish(api.two);
    for (const area of AREAS)
      for (const right of RIGHTS) single.set(`${area}.${right}`, await api.addUser(api.one, only(area, right)));
  });
  afterAll(() => api.close());

  it('every call of the table has a request here', () => {
    expect(named.map(([name]) => name).sort()).toEqual(Object.keys(table).sort());
  });

  describe.each(named)('%s', (name, call) => {
    it('answers 401 to nobody unless it is public', async () => {
      if (call.access === 'public') fixture = await furnish(api.one);
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
        fixture = await furnish(api.one);
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
        fixture = await furnish(api.one);
        const { token } = name === 'media.remove' ? api.one.admin : await api.addUser(api.one, {});
        const { status, text } = await ask(name, call, fixture, token);
        expect(status, text).toBe(call.status ?? 200);
      });

    if (call.params && call.access !== 'public')
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
      ['endpoint_id', () => accessTokens.create({ body: { endpoint_id: yours.endpoint } })],
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
