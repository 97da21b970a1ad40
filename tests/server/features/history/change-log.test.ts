import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Call } from '../../../../src/contract/call.ts';
import { type Calls, calls } from '../../../../src/contract/calls.ts';
import type { Client } from '../../../../src/contract/client.ts';
import type { Policies } from '../../../../src/contract/entities.ts';
import { allPolicies } from '../../../../src/server/features/organizations/service.ts';
import { createPasswordToken } from '../../../../src/server/features/users/passwords.ts';
import { ApiApp, oneDatabase, PASSWORD, refused } from '../../../harness/api-app.ts';
import { furnishPanoramas, furnishTour } from '../../../harness/call-requests.ts';
import { newEmailOf } from '../../../harness/factors.ts';
import { changingRequests, type Fixture, PIXEL } from './changing-requests.ts';

type CallName = { [A in keyof Calls]: `${A}.${keyof Calls[A] & string}` }[keyof Calls];

/** Photos for a tour, and spaces to merge into one. */
async function furnishWalk(client: Client) {
  const tour = await furnishTour(client);
  return { ...tour, rooms: await furnishPanoramas(client, tour.template) };
}

/** Calls of other methods than GET that change nothing that the change log follows. */
const NOT_FOLLOWED: readonly CallName[] = [
  'users.login',
  'users.logout',
  'users.forgot',
  'users.inviteAgain',
  // Each thing that it changes says so, in its own call's words.
  'bulk.start',
  'bulk.effects',
  'users.sendResetLink',
  'account.confirm',
  'account.askEmail',
  // What users choose for themselves.
  'onboarding.dismiss',
  'statistics.dismissProblems',
  // One entry for each thing that goes: its own test looks at them.
  'onboarding.removeDemo',
  // One entry for each element, and one for the space: its own test looks at them.
  'blocks.updateIn',
  'account.endSession',
  'account.endOtherSessions',
  'endpoints.createExportTicket',
  'media.upload',
  // The file itself stays as it is.
  'media.optimize',
  'tours.assemblePanorama',
  'iiif.read',
  'iiif.store',
  'platforms.check',
  'visit.enterHome',
  'visit.enterOne',
  // It writes the audit log: the entries that it empties tell what was removed.
  'bin.empty',
  // Nobody asks for what browsers draw by themselves.
  'media.drawTurntable',
  'rooms.drawPoster',
  'visit.enterTwo',
  'visit.share',
  // The tokens say when their holders arrived.
  'checkIn.find',
  'checkIn.checkIn',
  'checkIn.undo',
  'statistics.count',
  'webhooks.test',
  'webhooks.redeliver',
  // The audit log tells of what is sent.
  'mailings.test',
  'mailings.recipients',
  'mailings.send',
  'mailings.pause',
  'mailings.resume',
  'mailings.resend',
  'mailings.markSent',
  'mail.test',
  'translationWebhook.test',
  'mail.testMailbox',
  // They need a translation webhook: their own test looks at them.
  'translations.draft',
  'translationWebhook.rotate',
  // It needs a file with texts.
  'media.translate',
  // They read a file, and change nothing.
  'accessTokens.readTable',
  'media.readWorks',
  // They need a replaced file, or two equal ones: their own tests look at them.
  'media.restore',
  'media.merge',
  // The audit log tells of it.
  'privacy.eraseShares',
];
/** Areas whose own tests look at their entries. */
const ELSEWHERE = ['liveStreams', 'feeds', 'videos'];
/** Areas that the audit log follows instead. */
const AUDITED = ['secondFactor', 'passkeys', 'signIn'];

const writing = Object.entries(calls)
  .filter(([area]) => ![...ELSEWHERE, ...AUDITED].includes(area))
  .flatMap(([area, list]) =>
    Object.entries(list as Record<string, Call>).map(([name, call]) => [`${area}.${name}` as CallName, call] as const),
  )
  .filter(([name, { method }]) => method !== 'GET' && !NOT_FOLLOWED.includes(name));

type Part = keyof Fixture | 'posters';
/** Things that few requests name, and that take longer to make than all else together. */
const SELDOM: readonly Part[] = [
  'folder',
  'mediaFolder',
  'revision',
  'removal',
  'published',
  'posters',
  'job',
  'key',
  'webhook',
  'checkInLink',
  'mailing',
  'block',
  'proposal',
  'newEmail',
  'tour',
];

/** What the requests of a call name. */
function partsOf(name: CallName): Set<Part> {
  const parts = new Set<Part>(name.endsWith('.removePoster') ? ['posters', 'published'] : []);
  const noting = { get: (_: object, part: keyof Fixture) => parts.add(part) };
  changingRequests[name]!(new Proxy({}, noting) as Fixture);
  return parts;
}

describe.each(oneDatabase)('the change log on %s', (kind) => {
  let api: ApiApp;
  let client: Client;
  let fixture: Fixture;
  let count = 0;
  beforeAll(async () => {
    api = await ApiApp.start(kind);
  });
  afterAll(() => api.close());

  /** One of each in an organization of its own. @param parts which of what is seldom named is there; the others are 0 */
  const furnish = async (parts: ReadonlySet<Part> = new Set(SELDOM)): Promise<Fixture> => {
    const organization = await api.addOrganization(`host-${++count}.example`);
    client = api.client(organization.admin);
    const { rooms, endpoints, templates, accessTokens, media, apiKeys, users } = client;
    const made = async (part: Part, make: () => Promise<{ id: number }>): Promise<number> =>
      parts.has(part) ? (await make()).id : 0;
    const template = await templates.create({ body: { name: 'T' } });
    const room = (await rooms.create({ body: { title: 'Hall' } })).id;
    const folder = await made('folder', () => client.folders.create({ body: { name: 'Folder' } }));
    const mediaFolder = await made('mediaFolder', () => client.mediaFolders.create({ body: { name: 'Folder' } }));
    const revision = await made('revision', () =>
      client.revisions.create({ params: { id: room }, body: { name: 'Empty' } }),
    );
    const picture = await media.upload({ body: {}, files: { file: new File([PIXEL], 'pixel.png') } });
    const add = (body: Parameters<typeof rooms.addElement>[0]['body']) =>
      rooms.addElement({ params: { id: room }, body });
    const group = await add({ element: 'group', name: 'First' });
    const image = await add({ element: 'image', name: 'Second', file_id: picture.id });
    const endpoint = (await endpoints.create({ body: { name: 'One', slug: 'one-before', room_id: room } })).id;
    await endpoints.update({ params: { id: endpoint }, body: { slug: 'one' } });
    const other = (await endpoints.create({ body: { name: 'Two', room_id: room } })).id;
    const token = await accessTokens.create({ body: { endpoint_id: endpoint, token: 'known' } });
    const removal = await made('removal', async () => {
      const gone = await rooms.create({ body: { title: 'Gone' } });
      await rooms.remove({ params: { id: gone.id } });
      return (await client.history.list({ query: { removed: '1' } })).data[0]!;
    });
    const published = await made('published', async () => {
      const shown = await rooms.create({ body: { title: 'Shown' } });
      await client.publications.publish({ params: { id: shown.id }, body: {} });
      await client.publications.publish({ params: { id: shown.id }, body: { at: '2040-01-01T12:00', zone: 'UTC' } });
      return shown;
    });
    if (parts.has('posters')) {
      await endpoints.choosePoster({ params: { id: other }, body: { file_id: picture.id } });
      await rooms.choosePoster({ params: { id: published }, body: { file_id: picture.id } });
      await templates.choosePoster({ params: { id: template.id }, body: { file_id: picture.id } });
    }
    const job = await made('job', async () => {
      const imported = await client.imports.rooms({ body: { items: [{ title: 'Imported' }] } });
      return { id: imported.job! };
    });
    const user = await api.addUser(organization, {});
    const key = await made('key', () => apiKeys.create({ body: { name: 'Key', policies: allPolicies() } }));
    const checkInLink = await made('checkInLink', () =>
      client.checkIn.create({ params: { id: endpoint }, body: { name: 'Front door' } }),
    );
    const webhook = await made('webhook', () =>
      client.webhooks.create({
        body: { name: 'Hook', url: 'https://example.com/hook', events: ['space.published'] },
      }),
    );
    const mailing = await made('mailing', () =>
      client.mailings.create({ body: { endpoint_id: endpoint, name: 'Opening', subject: 'Welcome', text: '{link}' } }),
    );
    const block = await made('block', () =>
      client.blocks.create({ body: { name: 'Desk', element: { id: 1, element: 'group' } } }),
    );
    const proposal = await made('proposal', () =>
      client.proposals.create({ params: { id: room }, body: { name: 'Winter' } }),
    );
    if (count === 1) {
      const policies: Policies = allPolicies();
      await users.invite({ body: { email: 'taken@example.com', name: 'Taken', policies } });
    }
    return {
      room,
      folder,
      mediaFolder,
      group: group.id,
      image: image.id,
      template: template.id,
      endpoint,
      other,
      token: token.id,
      media: picture.id,
      tour: parts.has('tour') ? await furnishWalk(client) : { photos: [], template: 0, rooms: [] },
      key,
      webhook,
      checkInLink,
      mailing,
      block,
      proposal,
      revision,
      published,
      user: user.id,
      email: user.email,
      reset: await createPasswordToken(api.services.db, api.clock, user.id, 'reset'),
      newEmail: parts.has('newEmail') ? await newEmailOf(api, organization.admin) : { email: '', token: '' },
      removal,
      job,
      admin: organization.admin,
    };
  };
  const rows = () => api.services.db.selectFrom('changes').selectAll().orderBy('id').execute();

  it('has a request for every call that changes something', () => {
    expect(writing.map(([name]) => name).sort()).toEqual(Object.keys(changingRequests).sort());
  });

  it.each(writing)('%s leaves one entry, in the same transaction; refused, it leaves none', async (name, call) => {
    fixture = await furnish(partsOf(name));
    const { token } = fixture.admin;
    const { right, wrong, said } = changingRequests[name]!(fixture);
    const before = await rows();
    const { params: wrongParams, ...wrongRequest } = wrong;
    const refusal = await api.call(call, wrongParams, { ...wrongRequest, token });
    expect(refusal.status, refusal.text).toBeGreaterThanOrEqual(400);
    expect(await rows()).toEqual(before);
    const { params, ...request } = right;
    const answer = await api.call(call, params, { ...request, token });
    expect(answer.status, answer.text).toBe(call.status ?? 200);
    const added = (await rows()).slice(before.length);
    // One for each thing that is added, the last of what the call is about.
    expect(added).toHaveLength(name === 'endpoints.createWithRoom' ? 2 : 1);
    const listed = (await client.history.list()).data[0]!;
    expect(listed.id).toBe(added.at(-1)!.id);
    expect(listed).toMatchObject(said);
    expect(listed.user).not.toBeNull();
    expect(listed.name).not.toBe('');
    expect(added[0]!.user_id).toBe(name === 'users.reset' ? fixture.user : listed.user!.id);
    // What brings a thing back is never shown.
    const text = JSON.stringify(added);
    for (const secret of [
      'A secret code',
      'A-secret-code',
      'known',
      '$argon2',
      'token_hash',
      'key_hash',
      fixture.reset,
      PASSWORD,
    ])
      if (name !== 'endpoints.remove') expect(text).not.toContain(secret);
  });

  it('an edit of an element stores what changed and no more; one that changes nothing stores nothing', async () => {
    const { group, room } = await furnish();
    await client.rooms.update({ params: { id: room }, body: { description: 'x'.repeat(100_000) } });
    const before = (await rows()).length;
    await client.elements.position({ params: { id: group }, body: { position_x: 5 } });
    await client.elements.position({ params: { id: group }, body: { position_x: 5 } });
    const added = (await rows()).slice(before);
    expect(added).toHaveLength(1);
    expect(added[0]).toMatchObject({ before: '{"position_x":0}', after: '{"position_x":5}' });
    // The log of the space reverts it.
    const { batch } = added[0]!;
    const records = api.services.db.selectFrom('change_rows').select('id').where('batch', '=', batch);
    expect(await records.execute()).toEqual([]);
  });

  it('is filtered by thing, space, user and search, a page at a time, and tells nothing of other organizations', async () => {
    const { room, group, user } = await furnish();
    const list = async (query: Parameters<Client['history']['list']>[0] & object) =>
      (await client.history.list(query)).data;
    expect((await list({ query: { entity: 'element', entity_id: group } })).map(({ name }) => name)).toEqual(['First']);
    expect((await list({ query: { room_id: room } })).map(({ entity }) => entity)).toEqual([
      'room',
      'endpoint',
      'endpoint',
      'endpoint',
      'endpoint',
      'element',
      'element',
      'room',
      'room',
    ]);
    expect(await list({ query: { user_id: user } })).toEqual([]);
    expect((await list({ query: { search: 'HALL' } })).map(({ entity_id }) => entity_id)).toEqual([room, room, room]);
    const page = await client.history.list({ query: { per_page: 2, page: 2 } });
    expect(page.data).toHaveLength(2);
    expect(page.meta.total).toBeGreaterThan(4);
    expect((await api.client(api.two.admin).history.list()).meta.total).toBe(0);
    const view = { view_any: true, create: false, update: false, delete: false };
    const { id } = await api.services.db
      .selectFrom('organizations')
      .select('id')
      .where('host', '=', `host-${count}.example`)
      .executeTakeFirstOrThrow();
    const some = api.client(await api.addUser({ id }, { settings: view, endpoints: view }));
    const seen = await some.history.list({ query: { per_page: 100 } });
    expect(new Set(seen.data.map(({ entity }) => entity))).not.toContain('room');
    expect(seen.data.map(({ entity }) => entity)).toContain('endpoint');
    expect(seen.meta.total).toBeLessThan(page.meta.total);
    expect((await some.history.list({ query: { entity: 'element' } })).meta.total).toBe(0);
    const nobody = await refused(api.client(await api.addUser(api.one, {})).history.list());
    expect(nobody.status).toBe(403);
  });
});
