import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Call } from '../../../../src/contract/call.ts';
import { calls } from '../../../../src/contract/calls.ts';
import { AREAS, type Area, type Policies, RIGHTS, type Right } from '../../../../src/contract/entities.ts';
import { ApiApp, oneDatabase, refused, type TestOrganization, type TestUser } from '../../../harness/api-app.ts';
import { type CallName, type Fixture, requests } from '../../../harness/call-requests.ts';
import { furnishOrganization } from '../../../harness/furnish-organization.ts';
import { giveCredentials } from '../../../harness/give-credentials.ts';
import { IdentityProvider } from '../../../harness/stand-ins/identity-provider.ts';
import { INSTAGRAM, InstagramStandIn } from '../../../harness/stand-ins/instagram.ts';
import { WOWZA, WowzaStandIn } from '../../../harness/stand-ins/wowza.ts';

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
  'platforms.update',
  'platforms.check',
]);

/** Calls of any session that ask for several rights, or for one that depends on what is named. */
const OF_ADMINISTRATORS = new Set<CallName>([
  'media.remove',
  'media.replace',
  'media.restore',
  'imports.remove',
  'bulk.start',
  'bulk.effects',
  'bulk.read',
  'endpoints.createWithRoom',
  'history.restore',
  'onboarding.removeDemo',
]);

/** Calls that only somebody in a certain state can make. */
const IN_PERSON: Partial<Record<CallName, (fixture: Fixture) => TestUser>> = {
  'account.endSession': ({ user }) => user,
  'account.askEmail': ({ user }) => user,
  'account.changeEmail': ({ user }) => user,
  'passkeys.confirm': ({ user }) => user,
  'passkeys.begin': ({ user }) => user,
  'passkeys.add': ({ user }) => user,
  'passkeys.rename': ({ user }) => user,
  'passkeys.remove': ({ user }) => user,
  'secondFactor.begin': ({ user }) => user,
  'secondFactor.turnOn': ({ settingUp }) => settingUp.user,
  'secondFactor.remove': ({ guarded }) => guarded.user,
  'secondFactor.makeCodes': ({ guarded }) => guarded.user,
};

const only = (area: Area, right: Right): Partial<Policies> => ({
  [area]: { view_any: false, create: false, update: false, delete: false, [right]: true },
});

describe.each(oneDatabase)('security 10: who may make which call, on %s', (kind) => {
  let api: ApiApp;
  let fixture: Fixture;
  let foreign: Fixture;
  let wowza: WowzaStandIn;
  let instagram: InstagramStandIn;
  let identity: IdentityProvider;
  const single = new Map<string, TestUser>();

  const furnish = (organization: TestOrganization) => furnishOrganization(api, organization, { instagram, identity });
  const ask = (name: CallName, call: Call, from: Fixture, token: string | null) => {
    const { params, ...sent } = requests[name](from);
    return api.call(call, params, { ...sent, token });
  };
  let isUsed = false;
  /**
   * Makes a call that is to be done. What others have used up by then, such as an invitation or a row that was removed, is
   * made anew for it.
   */
  const askDone = async (name: CallName, call: Call, tokenOf: () => Promise<string | null>) => {
    const status = call.status ?? 200;
    let answer = await ask(name, call, fixture, await tokenOf());
    if (answer.status !== status && isUsed) {
      fixture = await furnish(api.one);
      answer = await ask(name, call, fixture, await tokenOf());
      isUsed = false;
    }
    if (call.method !== 'GET') isUsed = true;
    expect(answer.status, answer.text).toBe(status);
  };

  beforeAll(async () => {
    wowza = await new WowzaStandIn().start();
    instagram = await new InstagramStandIn().start();
    const addresses = { WOWZA_URL: wowza.url, INSTAGRAM_URL: instagram.url, INSTAGRAM_GRAPH_URL: instagram.url };
    identity = await new IdentityProvider().start();
    identity.allow(`${INSTAGRAM.PUBLIC_URL}/admin/login/provider`);
    const guard = { allowed: [identity.address] };
    api = await ApiApp.start(kind, { ...WOWZA, ...INSTAGRAM, ...addresses }, guard);
    await giveCredentials(api, api.two, {
      wowza: { api_token: WOWZA.WOWZA_API_TOKEN },
      instagram: { client_id: INSTAGRAM.INSTAGRAM_CLIENT_ID, client_secret: INSTAGRAM.INSTAGRAM_CLIENT_SECRET },
    });
    fixture = await furnish(api.one);
    foreign = await furnish(api.two);
    for (const area of AREAS)
      for (const right of RIGHTS) single.set(`${area}.${right}`, await api.addUser(api.one, only(area, right)));
  });
  afterAll(async () => {
    await api.close();
    await Promise.all([wowza.stop(), instagram.stop(), identity.stop()]);
  });

  it('every call of the table has a request here', () => {
    expect(named.map(([name]) => name).sort()).toEqual(Object.keys(requests).sort());
  });

  /** All rows before the first call that is to be refused; none of those calls changes any. */
  let rows: string | undefined;

  // While the database is small.
  describe.each(named.filter(([, { access }]) => access !== 'public'))('%s', (name, call) => {
    if (call.params && !OF_PLATFORMS.has(name))
      it('does not know the ids of another organization', async () => {
        rows ??= await api.dump();
        const { status } = await ask(name, call, foreign, api.one.admin.token);
        expect(status).toBe(404);
        expect(await api.dump()).toBe(rows);
      });

    it('answers 401 to nobody', async () => {
      expect((await ask(name, call, fixture, null)).status).toBe(401);
    });

    if (call.access.includes('.'))
      it('answers 403 to each right that is not the one it asks for', async () => {
        for (const [policy, { token }] of single) {
          if (policy === call.access) continue;
          const { status } = await ask(name, call, fixture, token);
          expect(status, policy).toBe(403);
        }
      });
  });

  describe.each(named)('%s', (name, call) => {
    if (call.access === 'public') it('is done for everybody', () => askDone(name, call, async () => null));

    if (call.access.includes('.'))
      it('is done for whoever has only the right that it asks for', () =>
        askDone(name, call, async () => {
          if (name === 'endpoints.reorder') {
            const [top] = await api.client().endpoints.list();
            for (const { id } of top!.children) await api.client().endpoints.remove({ params: { id } });
          }
          return single.get(call.access)!.token;
        }));

    if (call.access === 'session')
      it('is done for whoever is signed in', () =>
        askDone(name, call, async () => {
          if (OF_ADMINISTRATORS.has(name)) return api.one.admin.token;
          return (IN_PERSON[name]?.(fixture) ?? (await api.addUser(api.one, {}))).token;
        }));
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
      ['logo_file_id', () => organizations.update({ body: { logo_file_id: yours.media } })],
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
