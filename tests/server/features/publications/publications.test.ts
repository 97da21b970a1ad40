import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Client } from '../../../../src/contract/client.ts';
import { MAX_PUBLICATIONS, MAX_REVISIONS } from '../../../../src/contract/entities.ts';
import { allPolicies } from '../../../../src/server/features/organizations/service.ts';
import { publishDue } from '../../../../src/server/features/publications/jobs.ts';
import { RoomAccess } from '../../../../src/server/pages/realtime/room-access.ts';
import { ApiApp, databases, refused } from '../../../harness/api-app.ts';
import { noRights } from '../../../harness/call-requests.ts';
import { picture } from '../../../harness/media-requests.ts';

const MINUTE = 60 * 1000;

describe.each(databases)('what is published of a space, on %s', (kind) => {
  let api: ApiApp;
  let client: Client;
  let count = 0;
  let room: number;
  let door: number;
  let slug: string;
  let endpoint: number;
  beforeAll(async () => {
    api = await ApiApp.start(kind);
    client = api.client();
  });
  afterAll(() => api.close());
  beforeEach(async () => {
    slug = `hall-${++count}`;
    room = (await client.rooms.create({ body: { title: 'First state' } })).id;
    door = await add({ element: 'button', name: 'Door' });
    endpoint = (await client.endpoints.create({ body: { name: 'Hall', slug, room_id: room, shows: 'published' } })).id;
  });

  const params = () => ({ params: { id: room } });
  const add = async (body: Parameters<Client['rooms']['addElement']>[0]['body']) =>
    (await client.rooms.addElement({ params: { id: room }, body })).id;
  const publish = (body: Parameters<Client['publications']['publish']>[0]['body'] = {}) =>
    client.publications.publish({ ...params(), body });
  const read = () => client.publications.read(params());
  const rename = (title: string) => client.rooms.update({ ...params(), body: { title } });
  const visit = async () => (await api.send('GET', `/api/v1/endpoints/${slug}`)).body.data;
  const seenAt = async (path: string) => (await api.send('GET', path)).text;
  const openPage = () => seenAt(`/${slug}`);
  /** Titles in everything that visitors can be given. */
  const seen = async () => {
    const texts = [await openPage(), await seenAt(`/embed/${slug}`), await seenAt(`/${slug}?text`)];
    const title = (await visit()).room?.title ?? null;
    const known = ['First state', 'Second state', 'Third state'];
    return [title, ...texts.map((text) => known.find((state) => text.includes(state)) ?? null)];
  };
  const all = (title: string | null) => [title, title, title, title];

  it('is what visitors see in API, page, text and embed, whatever is edited since; going back shows an earlier state', async () => {
    expect(await read()).toMatchObject({ published: null, scheduled: null, past: [], changes: [], changes_count: 0 });
    expect(await seen()).toEqual(all(null));
    const first = await publish();
    expect(await seen()).toEqual(all('First state'));
    await rename('Second state');
    await client.elements.update({ params: { id: door }, body: { name: 'Gate' } });
    expect(await seen()).toEqual(all('First state'));
    const { admin } = api.one;
    expect(await read()).toMatchObject({
      published: { revision_id: first.published!.revision_id, user: { id: admin.id }, zone: null },
      changes: ['Title “First state” → “Second state”', '“Door” renamed to “Gate”'],
      changes_count: 2,
    });
    await publish();
    expect(await seen()).toEqual(all('Second state'));
    const back = await publish({ revision_id: first.published!.revision_id });
    expect(await seen()).toEqual(all('First state'));
    expect(back.past.map(({ revision_id }) => revision_id)).toHaveLength(2);
    await client.endpoints.update({ params: { id: endpoint }, body: { shows: 'edited' } });
    expect(await seen()).toEqual(all('Second state'));
  });

  it('names the structures that show the space, hidden and protected ones only for those who may list structures', async () => {
    const live = { name: 'Live', slug: `live-${count}`, room_id: room };
    const { id } = await client.endpoints.create({ body: live });
    const hidden = { ...live, name: 'Hidden', slug: 'hidden', parent_endpoint_id: id, is_visible: false };
    await client.endpoints.create({ body: hidden });
    const flags = { is_visible: true, is_protected: false };
    const open = [
      { id: endpoint, name: 'Hall', path: `/${slug}`, shows: 'published', ...flags },
      { id, name: 'Live', path: `/live-${count}`, shows: 'edited', ...flags },
    ];
    expect((await read()).structures).toMatchObject([
      ...open,
      { path: `/live-${count}/hidden`, shows: 'edited', is_visible: false },
    ]);
    const view = { ...noRights().rooms, view_any: true };
    const viewer = await api.addUser(api.one, { ...noRights(), rooms: view });
    expect((await api.client(viewer).publications.read(params())).structures).toEqual(open);
  });

  it('published twice in the same state, it is one publication; the revision stays as long as it is kept', async () => {
    await publish();
    const { published, past } = await publish();
    expect(past).toEqual([]);
    const stays = client.revisions.remove({ params: { id: published!.revision_id } });
    expect((await refused(stays)).code).toBe('in_use');
    for (let index = 0; index <= MAX_REVISIONS.automatic; index++) {
      await rename(`State ${index}`);
      const { id } = (await client.revisions.list(params())).at(-1)!;
      await client.revisions.restore({ params: { id }, body: {} });
    }
    const kept = await client.revisions.list(params());
    expect(kept.some(({ id }) => id === published!.revision_id)).toBe(true);
    for (let index = 0; index < MAX_PUBLICATIONS; index++) {
      await rename(`Next ${index}`);
      await publish();
    }
    expect((await read()).past).toHaveLength(MAX_PUBLICATIONS - 1);
    await client.revisions.remove({ params: { id: published!.revision_id } });
  });

  it('taken back, structures that show it are closed like those without a space, and others stay', async () => {
    await client.endpoints.create({ body: { name: 'Other', slug: `other-${count}`, room_id: room } });
    expect((await refused(client.publications.unpublish(params()))).code).toBe('invalid');
    await publish();
    expect(await seen()).toEqual(all('First state'));
    expect((await client.publications.unpublish(params())).published).toBeNull();
    expect(await seen()).toEqual(all(null));
    expect((await api.send('GET', `/${slug}`)).status).toBe(404);
    expect((await api.send('GET', `/api/v1/endpoints/other-${count}`)).body.data.room.title).toBe('First state');
    const { past } = await read();
    await publish({ revision_id: past[0]!.revision_id });
    expect(await seen()).toEqual(all('First state'));
  });

  it('scheduled, it is seen from its moment on although nobody has done it yet, and told of the server once it is', async () => {
    await publish();
    await rename('Second state');
    const at = new Date(api.clock.now() + MINUTE).toISOString().slice(0, 19);
    const scheduled = await publish({ at, zone: 'UTC' });
    expect(scheduled.scheduled).toMatchObject({ at: `${at}.000Z`, zone: 'UTC', user: { id: api.one.admin.id } });
    await rename('Third state');
    expect(await seen()).toEqual(all('First state'));
    api.clock.advance(MINUTE - 1000);
    expect(await seen()).toEqual(all('First state'));
    api.clock.advance(1000);
    expect(await seen()).toEqual(all('Second state'));
    const before = await read();
    expect(before).toMatchObject({ published: { at: `${at}.000Z` }, scheduled: null, changes_count: 1 });
    await Promise.all([publishDue(api.services), publishDue(api.services), publishDue(api.services)]);
    const after = await read();
    expect({ ...after.published, id: 0 }).toEqual({ ...before.published, id: 0 });
    expect(after.past).toHaveLength(1);
    expect(await seen()).toEqual(all('Second state'));
    const { data } = await client.history.list({ query: { room_id: room } });
    const told = data.filter(({ after }) => after?.scheduled_for);
    expect(told).toMatchObject([{ user: null, after: { scheduled_for: `${at}.000Z` } }]);
    await publish();
    expect(await seen()).toEqual(all('Third state'));
  });

  it('a schedule that was due before something else was published does not come after it', async () => {
    const at = new Date(api.clock.now() + MINUTE).toISOString().slice(0, 19);
    await publish({ at, zone: 'UTC' });
    await rename('Second state');
    api.clock.advance(2 * MINUTE);
    await publish();
    await publishDue(api.services);
    expect(await seen()).toEqual(all('Second state'));
    expect((await read()).past).toHaveLength(1);
  });

  it('a space has one schedule, which a new one replaces, and which is canceled alone', async () => {
    const cancel = () => client.publications.cancel(params());
    expect((await refused(cancel())).code).toBe('invalid');
    await publish({ at: '2030-01-01T12:00', zone: 'Europe/Amsterdam' });
    await rename('Second state');
    const second = await publish({ at: '2030-10-27T02:30', zone: 'Europe/Amsterdam' });
    // The first of two.
    expect(second.scheduled!.at).toBe('2030-10-27T00:30:00.000Z');
    const skipped = await publish({ at: '2030-03-31T02:30', zone: 'Europe/Amsterdam' });
    expect(skipped.scheduled!.at).toBe('2030-03-31T01:00:00.000Z');
    const stays = client.revisions.remove({ params: { id: skipped.scheduled!.revision_id } });
    expect((await refused(stays)).code).toBe('in_use');
    expect(await cancel()).toMatchObject({ scheduled: null, published: null });
    expect(await seen()).toEqual(all(null));
  });

  it.each([
    [{ at: '2020-01-01T12:00', zone: 'UTC' }, 'at'],
    [{ at: '2030-02-30T12:00', zone: 'UTC' }, 'at'],
    [{ at: '2030-01-01T12:00Z', zone: 'UTC' }, 'at'],
    [{ at: '9999-01-01T12:00', zone: 'UTC' }, 'at'],
    [{ zone: 'UTC' }, 'at'],
    [{ at: '2030-01-01T12:00' }, 'zone'],
    [{ at: '2030-01-01T12:00', zone: '+01:00' }, 'zone'],
    [{ at: '2030-01-01T12:00', zone: 'Europe/Nowhere' }, 'zone'],
  ])('%j is no time to publish at', async (body, field) => {
    const error = await refused(publish(body));
    expect([error.status, Object.keys(error.msg)]).toEqual([422, [field]]);
    expect(await read()).toMatchObject({ published: null, scheduled: null });
  });

  it('published by several at once, it is one state after another and all are told', async () => {
    await rename('Second state');
    const revisions = await Promise.all(
      ['One', 'Two', 'Three'].map((name) => client.revisions.create({ ...params(), body: { name } })),
    );
    await Promise.all(revisions.map(({ id }) => publish({ revision_id: id })));
    const { published, past } = await read();
    expect([published!, ...past].map(({ revision_id }) => revision_id).sort()).toEqual(
      revisions.map(({ id }) => id).sort(),
    );
    const [stored] = await api.services.db
      .selectFrom('publications')
      .selectAll()
      .where('room_id', '=', room)
      .orderBy('id', 'desc')
      .execute();
    expect(stored!.revision_id).toBe(published!.revision_id);
    const { data } = await client.history.list({ query: { room_id: room } });
    expect(data.filter(({ after }) => after?.published)).toHaveLength(3);
    await Promise.all([publish(), rename('Third state'), publish(), publish()]);
    expect(await seen()).toEqual(all(((await visit()).room as { title: string }).title));
  });

  it('nothing of another organization, and nothing without the right', async () => {
    const two = api.client(api.two.admin);
    const theirs = (await two.rooms.create({ body: { title: 'Theirs' } })).id;
    const { id: foreign } = await two.revisions.create({ params: { id: theirs }, body: { name: 'Theirs' } });
    const other = (await client.rooms.create({ body: { title: 'Other' } })).id;
    const { id: elsewhere } = await client.revisions.create({ params: { id: other }, body: { name: 'Elsewhere' } });
    for (const revision_id of [foreign, elsewhere, 999_999])
      expect((await refused(publish({ revision_id }))).status).toBe(404);
    expect((await refused(client.publications.publish({ params: { id: theirs }, body: {} }))).status).toBe(404);
    expect((await refused(client.publications.read({ params: { id: theirs } }))).status).toBe(404);
    expect(await read()).toMatchObject({ published: null });
    const policies = noRights();
    policies.rooms.view_any = true;
    const reader = api.client(await api.addUser(api.one, policies));
    expect(await reader.publications.read(params())).toMatchObject({ published: null });
    expect((await refused(reader.publications.publish({ ...params(), body: {} }))).status).toBe(403);
    expect((await refused(reader.publications.unpublish(params()))).status).toBe(403);
    const link = reader.publications.createPreviewLink({ ...params(), body: { expires_in: 60 } });
    expect((await refused(link)).status).toBe(403);
  });

  it('a hidden element never leaves, hidden before or after it was published', async () => {
    const hidden = await add({ element: 'text', name: 'Secret plan', hidden: true });
    await publish();
    const texts = async () => [await openPage(), await seenAt(`/${slug}?text`), JSON.stringify(await visit())];
    for (const text of await texts()) expect(text).not.toContain('Secret plan');
    // Shown in what is edited, it is still hidden in what is published.
    await client.elements.hide({ params: { id: hidden, hidden: '0' } });
    for (const text of await texts()) expect(text).not.toContain('Secret plan');
    const { url } = await client.publications.createPreviewLink({ ...params(), body: { expires_in: 60 } });
    const { pathname, search } = new URL(url);
    expect(await seenAt(pathname + search)).toContain('Secret plan');
    await client.elements.hide({ params: { id: hidden, hidden: '1' } });
    expect(await seenAt(pathname + search)).not.toContain('Secret plan');
  });

  it('an answer has the same name as long as nothing else is published, whatever is edited', async () => {
    const tag = async () => (await api.send('GET', `/api/v1/endpoints/${slug}`)).headers.get('etag')!;
    await publish();
    const first = await tag();
    await rename('Second state');
    expect(await tag()).toBe(first);
    const again = await api.send('GET', `/api/v1/endpoints/${slug}`, { headers: { 'if-none-match': first } });
    expect(again.status).toBe(304);
    await publish();
    expect(await tag()).not.toBe(first);
  });

  it('a file and a template that only what is published uses stay, and a feed of it goes on', async () => {
    const name = `${slug}.png`;
    const file = await client.media.upload({ body: {}, files: { file: new File([picture().content, slug], name) } });
    const template = (await client.templates.create({ body: { name: `Shell ${slug}` } })).id;
    const feed = (await client.feeds.create({ body: { name: `Wall ${slug}`, type: 'local' } })).id;
    await client.rooms.update({ ...params(), body: { template_id: template } });
    const image = await add({ element: 'image', file_id: file.id });
    const group = await add({ element: 'group', config: { feed_enabled: true, feed_id: feed } });
    await publish();
    await client.elements.remove({ params: { id: image } });
    await client.elements.remove({ params: { id: group } });
    await client.rooms.update({ ...params(), body: { template_id: null } });
    const remove = (force: '0' | '1') => client.media.remove({ params: { id: file.id }, query: { force } });
    const error = await refused(remove('0'));
    expect([error.code, error.msg.error]).toEqual([
      'in_use',
      ['This file is still in use.', 'Space First state (published version)'],
    ]);
    expect((await refused(client.templates.remove({ params: { id: template } }))).code).toBe('in_use');
    expect((await visit()).room.template.id).toBe(template);
    expect((await api.send('GET', file.url)).status).toBe(200);
    expect((await api.send('GET', `/api/v1/feeds/${feed}/items`)).status).toBe(200);
    const images = async () =>
      (await visit()).room.elements.filter(({ element }: { element: string }) => element === 'image');
    expect(await images()).toMatchObject([{ file: { id: file.id } }]);
    await remove('1');
    expect(await images()).toMatchObject([{ file: null }]);
    await client.publications.unpublish(params());
    await client.templates.remove({ params: { id: template } });
  });

  it('behind a code, files of what is published and of what is edited stay behind it', async () => {
    const upload = (text: string) =>
      client.media.upload({ body: {}, files: { file: new File([picture().content, slug, text], `${text}.png`) } });
    const [old, draft] = [await upload('old'), await upload('draft')];
    const image = await add({ element: 'image', file_id: old.id });
    await publish();
    await client.elements.remove({ params: { id: image } });
    await add({ element: 'image', file_id: draft.id });
    await client.endpoints.update({ params: { id: endpoint }, body: { is_protected: true } });
    const statuses = async (headers: Record<string, string> = {}) => [
      (await api.send('GET', old.url, { headers })).status,
      (await api.send('GET', draft.url, { headers })).status,
    ];
    expect(await statuses()).toEqual([403, 403]);
    const { url } = await client.publications.createPreviewLink({ ...params(), body: { expires_in: 60 } });
    const page = await api.send('GET', new URL(url).pathname + new URL(url).search);
    expect(page.text).toContain('draft.png');
    const cookie = page.headers.get('set-cookie')!.split(';')[0]!;
    expect(await statuses({ cookie })).toEqual([200, 200]);
    api.clock.advance(61_000);
    expect(await statuses({ cookie })).toEqual([403, 403]);
  });

  it('a space that is published and scheduled is removed with all that, and restored it is closed', async () => {
    await publish();
    await publish({ at: '2040-01-01T12:00', zone: 'UTC' });
    await client.rooms.remove(params());
    expect(await seen()).toEqual(all(null));
    const left = await api.services.db.selectFrom('publications').select('id').where('room_id', '=', room).execute();
    expect(left).toEqual([]);
    const [removal] = (await client.history.list({ query: { removed: '1' } })).data;
    await client.history.restore({ params: { id: removal!.id } });
    expect(await seen()).toEqual(all(null));
    expect((await client.endpoints.read({ params: { id: endpoint } })).is_closed).toBe(true);
    await publish();
    expect(await seen()).toEqual(all('First state'));
    expect((await client.endpoints.read({ params: { id: endpoint } })).is_closed).toBe(false);
  });

  it('a visitor meets others in what is shown only, also at an element that is no longer edited', async () => {
    const access = new RoomAccess(api.services, () => performance.now());
    const { id } = api.one;
    expect(await access.mayEnter(id, room, null)).toBe(false);
    await publish();
    expect(await access.mayEnter(id, room, null)).toBe(true);
    expect(await access.roomOfElement(id, door)).toBe(room);
    await client.elements.remove({ params: { id: door } });
    expect(await access.roomOfElement(id, door)).toBe(room);
    expect(await access.roomOfElement(api.two.id, door)).toBeNull();
    await publish();
    expect(await access.roomOfElement(id, door)).toBeNull();
  });

  it('whoever published is named after they are removed', async () => {
    const user = await api.addUser(api.one, allPolicies());
    const own = api.client(user);
    await own.publications.publish({ ...params(), body: {} });
    await client.users.remove({ params: { id: user.id } });
    expect((await read()).published!.user).toEqual({ id: null, name: expect.stringMatching(/\w/) });
  });

  it('the countdown goes by the sequence that is published', async () => {
    await client.rooms.update({ ...params(), body: { config: { duration: 24 * 3600 } } });
    await publish();
    await client.rooms.update({ ...params(), body: { config: { duration: null } } });
    // Yesterday's sequence goes on where it lasts a day.
    const soon = new Date(api.clock.now() + 2 * MINUTE).toISOString().slice(11, 16);
    await client.endpoints.update({
      params: { id: endpoint },
      body: { is_timed: true, show_countdown: true, start_time: soon, start_time_utc_offset: 0 },
    });
    const published = (await visit()).opens_at;
    await client.endpoints.update({ params: { id: endpoint }, body: { shows: 'edited' } });
    expect([published === null, (await visit()).opens_at === null]).toEqual([true, false]);
  });
});
