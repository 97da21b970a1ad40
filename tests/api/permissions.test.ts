import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Call } from '../../src/contract/call.ts';
import { calls } from '../../src/contract/calls.ts';
import { AREAS, type Area, type Policies, RIGHTS, type Right } from '../../src/contract/entities.ts';
import { createPasswordToken } from '../../src/server/users/password-links.ts';
import { ApiApp, databases, refused, type TestOrganization, type TestUser } from '../harness/api-app.ts';
import { type CallName, type Fixture, noRights, picture, requests } from '../harness/call-requests.ts';
import { makeFilm } from '../harness/film.ts';
import { INSTAGRAM, InstagramStandIn } from '../harness/stand-ins/instagram.ts';
import { WOWZA, WowzaStandIn } from '../harness/stand-ins/wowza.ts';

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
    await api.signIn(user);
    const sessions = await api.client(user).account.sessions();
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
      session: sessions.find(({ is_current }) => !is_current)!.id,
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
    const { params, ...sent } = requests[name](from);
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
    expect(named.map(([name]) => name).sort()).toEqual(Object.keys(requests).sort());
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
        const token =
          name === 'media.remove'
            ? api.one.admin.token
            : name === 'account.endSession'
              ? fixture.user.token
              : (await api.addUser(api.one, {})).token;
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
