import { randomUUID } from 'node:crypto';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Call } from '../../../../src/contract/call.ts';
import { API_PREFIX, calls } from '../../../../src/contract/calls.ts';
import { allPolicies } from '../../../../src/server/features/organizations/service.ts';
import { type ApiApp, oneDatabase } from '../../../harness/api-app.ts';
import { type CallName, type CallRequest, type Fixture, requests } from '../../../harness/call-requests.ts';
import { furnishOrganization } from '../../../harness/furnish-organization.ts';
import { injectCall } from '../../../harness/inject-call.ts';
import { startWithPlatforms } from '../../../harness/platforms-app.ts';
import { rowsOfOrganization } from '../../../harness/rows-of-organization.ts';
import type { InstagramStandIn } from '../../../harness/stand-ins/instagram.ts';
import { zipOf } from '../../../harness/zip.ts';

/** Milliseconds that the calls of one test may take together. */
const LONG = 120_000;

const named = Object.entries(calls).flatMap(([area, list]) =>
  Object.entries(list as Record<string, Call>).map(([name, call]) => [`${area}.${name}` as CallName, call] as const),
);

/** Calls that act for whom their body names, by a password, a device, a link or a mailbox that only that person has. */
const OF_PEOPLE = new Set<CallName>([
  'users.login',
  'users.forgot',
  'users.reset',
  'secondFactor.signIn',
  'passkeys.signIn',
]);

/** A host of the first organization: that of no other. */
const OWN_HOST = 'one.example';

/** Calls after which one's own things are others, or gone. */
const SPENDING = /remove|restore|undo/i;

/** Stands in every text of the other organization, and nowhere else. */
const MARK = 'zqforeignzq';

/** Fields that name a row, by what it is. */
const ID_FIELDS: Record<string, (fixture: Fixture) => unknown> = {
  id: ({ room }) => room,
  ids: ({ media }) => media,
  room_id: ({ room }) => room,
  template_id: ({ template }) => template,
  parent_element_id: ({ element }) => element,
  parent_endpoint_id: ({ endpoint }) => endpoint,
  endpoint_id: ({ endpoint }) => endpoint,
  file_id: ({ media }) => media,
  background_file_id: ({ media }) => media,
  hdr_file_id: ({ media }) => media,
  font_file_id: ({ media }) => media,
  logo_file_id: ({ media }) => media,
  feed_id: ({ feed }) => feed,
  entity_id: ({ room }) => room,
  user_id: ({ user }) => user.id,
};

const shapeOf = (schema: unknown): string[] => Object.keys((schema as { shape?: object } | undefined)?.shape ?? {});

/** Requests to a call with ids of the other organization: in its path, its body and its query, one after another. */
function attemptsAt(name: CallName, call: Call, mine: Fixture, theirs: Fixture): CallRequest[] {
  const own = requests[name](mine);
  const foreign = requests[name](theirs);
  const attempts: CallRequest[] = [];
  for (const field of shapeOf(call.query)) {
    const id = ID_FIELDS[field];
    if (id) attempts.push({ ...own, query: `${field}=${id(theirs)}` });
  }
  for (const field of shapeOf(call.body)) {
    const id = ID_FIELDS[field];
    if (!id || (own.body === undefined && own.form)) continue;
    const value = id(theirs);
    attempts.push({ ...own, body: { ...(own.body as object), [field]: field === 'ids' ? [value] : value } });
  }
  if (shapeOf(call.body).includes('config'))
    for (const config of [
      { realtime_file_id: theirs.media },
      { feed_enabled: true, feed_id: theirs.feed },
      { live_stream_id: theirs.liveStream.id },
      { target: { type: 'room', id: theirs.room } },
    ])
      attempts.push({ ...own, body: { ...(own.body as object), config } });
  // What may remove one's own comes last.
  return [...attempts, foreign, { ...foreign, params: own.params }];
}

describe.each(oneDatabase)('security 36: two organizations on one server, on %s', (kind) => {
  let api: ApiApp;
  let mine: Fixture;
  let theirs: Fixture;
  let apiKey: string;
  let stop: () => Promise<unknown>;
  let instagram: InstagramStandIn;
  let page: string;
  let before: string;
  let isSpent = false;

  beforeAll(async () => {
    ({ api, instagram, stop } = await startWithPlatforms(kind, { mark: MARK }));
    mine = await furnish();
    theirs = await furnishOrganization(api, api.two, { instagram }, MARK);
    const client = api.client(api.two.admin);
    await client.organizations.update({
      body: {
        name: `Two ${MARK}`,
        meta_title: MARK,
        meta_description: MARK,
        texts: { en: { help: MARK } },
        embed_domains: [{ domain: `https://${MARK}.example` }],
      },
    });
    const zip = zipOf([{ name: 'index.html', content: `<!doctype html><title>${MARK}</title>` }]);
    page = (await client.media.upload({ body: {}, files: { file: new File([new Uint8Array(zip)], `${MARK}.zip`) } }))
      .url;
    const { key } = await api.client().apiKeys.create({ body: { name: 'All', policies: allPolicies() } });
    apiKey = key;
    await api.services.db.updateTable('users').set({ name: MARK }).where('organization_id', '=', api.two.id).execute();
    await api.services.db
      .updateTable('organizations')
      .set({ realtime_api_key: `key-${MARK}` })
      .where('id', '=', api.two.id)
      .execute();
    before = await theirRows();
  });
  afterAll(() => stop());

  /** One's own things, whatever became of those before. */
  const furnish = async () => {
    const admin = { ...api.one.admin, token: await api.signIn(api.one.admin) };
    return furnishOrganization(api, { ...api.one, admin }, { instagram });
  };
  const theirRows = () => rowsOfOrganization(api.services.db, api.two.id);
  const unchanged = async (what: string) => {
    const now = await theirRows();
    if (now === before) return;
    const lines = now.split('\n').filter((line) => !before.includes(line));
    // The next calls are compared with what this one left, so that one fault is one failure.
    before = now;
    throw new Error(`${what} changed ${lines.map((line) => line.slice(0, 300)).join('\n')}`);
  };

  /** A request under a host, as text. */
  const send = async (call: Call, host: string, request: CallRequest) => {
    const answer = await injectCall(api, call, request, { host, token: request.token });
    return { status: answer.statusCode, text: `${JSON.stringify(answer.headers)}\n${answer.body}` };
  };

  it('what is searched for is there, in most of what the other organization is given', async () => {
    const seen = named
      .filter(([name, call]) => call.method === 'GET' && call.access !== 'public' && name !== 'history.list')
      .map(async ([name, call]) => {
        const { text } = await send(call, 'two.example', { ...requests[name](theirs), token: api.two.admin.token });
        return [name, text.includes(MARK)] as const;
      });
    const without = (await Promise.all(seen)).filter(([, isThere]) => !isThere).map(([name]) => name);
    // What has no names of its own.
    const bare = [
      'account.sessions',
      // A compressed archive.
      'endpoints.buildSite',
      'endpoints.scormPackage',
      'endpoints.addresses',
      'endpoints.createExportTicket',
      'liveStreams.moduleState',
      'media.content',
      'media.optimizing',
      'media.original',
      'statistics.read',
      'onboarding.read',
      'statistics.exportPoses',
    ];
    const few = [
      // Its file has no keywords, and nothing uses it.
      'media.keywords',
      'media.uses',
      'media.objects',
      'modules.list',
      'organizations.usage',
      'accessibility.findings',
      'accessibility.missing',
      'secondFactor.read',
      'passkeys.list',
      'signIn.read',
      'rooms.readPoster',
      'endpoints.readPoster',
      'templates.readPoster',
      'statistics.problems',
      'statistics.dismissProblems',
    ];
    expect(without.filter((name) => ![...bare, ...few].includes(name))).toEqual([]);
    before = await theirRows();
  });

  describe.each(named.filter(([name]) => !OF_PEOPLE.has(name)))('%s', (name, call) => {
    it(
      'neither gives nor changes anything of the other organization, by session or key, under either host',
      async () => {
        if (isSpent) mine = await furnish();
        isSpent = SPENDING.test(name);
        for (const isKey of [false, true]) {
          if (isKey && call.access === 'public') continue;
          // Who is no user of the host's organization is there like anybody.
          for (const host of call.access === 'public' ? [OWN_HOST] : [OWN_HOST, 'two.example']) {
            for (const attempt of attemptsAt(name, call, mine, theirs)) {
              const token = isKey ? apiKey : await api.signIn(api.one.admin);
              const { status, text } = await send(call, host, { ...attempt, token });
              expect(status, text).not.toBe(500);
              expect(text.includes(MARK), `${name} under ${host}: ${text.slice(0, 500)}`).toBe(false);
            }
          }
        }
        await unchanged(name);
      },
      LONG,
    );
  });

  it('a session of one organization is no visitor’s pass to the other’s pages and rooms', async () => {
    const token = await api.signIn(api.one.admin);
    for (const url of ['/entrance', '/entrance/below', '/entrance?text', '/', '/embed/entrance', '/nowhere']) {
      const headers = { host: OWN_HOST, authorization: `Bearer ${token}` };
      const answer = await api.app.inject({ url, headers });
      expect(answer.body.includes(MARK), url).toBe(false);
    }
    await unchanged('pages');
  });

  it('the other organization’s protected files and pages are not had by their hashes, under any host', async () => {
    const client = api.client(api.two.admin);
    const room = await client.rooms.create({ body: { title: `Closed ${MARK}` } });
    const { data: color } = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#7F3A11' } })
      .png()
      .toBuffer({ resolveWithObject: true });
    const files = { file: new File([new Uint8Array(color)], `${MARK}.png`) };
    const picture = await client.media.upload({ body: {}, files });
    await client.rooms.addElement({ params: { id: room.id }, body: { element: 'image', file_id: picture.id } });
    await client.endpoints.create({ body: { name: `Closed ${MARK}`, room_id: room.id, is_protected: true } });
    before = await theirRows();
    const token = await api.signIn(api.one.admin);
    const ask = (host: string, url: string, given = token) =>
      api.app.inject({ url, headers: { host, authorization: `Bearer ${given}` } });
    for (const host of [OWN_HOST, 'two.example']) {
      expect((await ask(host, picture.url)).statusCode, host).toBe(403);
      expect((await ask(host, picture.url, apiKey)).statusCode, host).toBe(403);
    }
    expect((await ask(OWN_HOST, page)).statusCode).toBe(404);
    // Naming the file in a room of one's own opens it for nobody.
    const own = await api.app.inject({
      method: 'POST',
      url: `${API_PREFIX}/backend/imports/rooms`,
      headers: { host: OWN_HOST, authorization: `Bearer ${token}` },
      payload: {
        items: [
          {
            title: randomUUID(),
            elements: [{ id: 1, element: 'image', file_id: picture.id, config: { file_url: picture.url } }],
          },
        ],
      },
    });
    expect(own.statusCode).toBeLessThan(500);
    expect(own.body.includes(MARK)).toBe(false);
    expect((await ask(OWN_HOST, picture.url)).statusCode).toBe(403);
    await unchanged('hashes');
  });
});
