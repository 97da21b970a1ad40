import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { calls } from '../../../../src/contract/calls.ts';
import type { Client } from '../../../../src/contract/client.ts';
import { sweepKept } from '../../../../src/server/app/clean-up/sweep-kept.ts';
import { allPolicies } from '../../../../src/server/features/organizations/service.ts';
import { ApiApp, databases, formOf, refused, type TestOrganization } from '../../../harness/api-app.ts';
import { noRights } from '../../../harness/call-requests.ts';

/** A picture of one gray. */
const squareOf = (shade: number) =>
  sharp({ create: { width: 8, height: 8, channels: 3, background: { r: shade, g: shade, b: shade } } })
    .png()
    .toBuffer();

const DAY = 24 * 60 * 60 * 1000;

describe.each(databases)('what is kept of people on %s', (kind) => {
  let api: ApiApp;
  let organization: TestOrganization;
  let client: Client;
  let count = 0;
  beforeAll(async () => {
    api = await ApiApp.start(kind);
  });
  beforeEach(async () => {
    organization = await api.addOrganization(`privacy-${++count}.example`);
    client = api.client(organization.admin);
  });
  afterAll(() => api.close());

  describe('a user who is erased', () => {
    const erase = (email: string) => client.privacy.eraseUser({ body: { email } });

    /** Somebody who did a bit of everything under two names. */
    async function addPerson() {
      const { id } = await client.users.invite({
        body: { email: 'kim.miller@example.com', name: 'Kimberly', policies: allPolicies() },
      });
      const person = { id, token: await api.signIn({ id }) };
      const own = api.client(person);
      await own.account.update({ body: { name: 'Kim Miller' } });
      const room = await own.rooms.create({ body: { title: 'Hall' } });
      await own.revisions.create({ params: { id: room.id }, body: { name: 'First' } });
      await own.imports.rooms({ body: { items: [{ title: 'Imported' }] } });
      await own.apiKeys.create({ body: { name: 'Script', policies: noRights() } });
      await api.send('POST', '/api/v1/backend/users/login', {
        body: { email: 'kim.miller@example.com', password: 'not the right one' },
        headers: { host: organization.host! },
      });
      return { ...person, room: room.id };
    }

    const traces = async () => (await api.dump()).match(/kim\.miller|Kim Miller|Kimberly/g);

    it('is named nowhere any more, while what they did stays', async () => {
      const person = await addPerson();
      expect(await traces()).not.toBeNull();
      const answer = await erase('Kim.Miller@example.com ');
      expect(answer.was_user).toBe(true);
      expect(answer.entries).toBeGreaterThan(5);
      expect(await traces()).toBeNull();
      expect((await api.call(calls.users.active, {}, { token: person.token })).status).toBe(401);
      const [revision] = await client.revisions.list({ params: { id: person.room } });
      expect(revision!.user).toEqual({ id: null, name: 'Erased person' });
      const log = (await client.history.list({ query: { entity: 'room', entity_id: person.room } })).data;
      expect(log.map(({ name, user }) => [name, user!.name])).toContainEqual(['Hall', 'Erased person']);
      const [erased] = (await client.audit.list({ query: { event: 'person_erased' } })).data;
      expect(erased).toMatchObject({ subject: `User ${person.id}`, user: { id: organization.admin.id } });
    });

    it('can have been removed before', async () => {
      const person = await addPerson();
      await client.users.remove({ params: { id: person.id } });
      expect(await traces()).not.toBeNull();
      expect((await erase('kim.miller@example.com')).was_user).toBe(false);
      expect(await traces()).toBeNull();
    });

    it('is notified by no feed any more, nor by one that is restored', async () => {
      await addPerson();
      const moderation = { notify: ['kim.miller@example.com'] };
      const { id } = await client.feeds.create({ body: { name: 'Wall', type: 'local', moderation } });
      await client.feeds.update({ params: { id }, body: { name: 'Other wall' } });
      await client.feeds.remove({ params: { id } });
      await erase('kim.miller@example.com');
      expect(await traces()).toBeNull();
      const { data } = await client.bin.list({ query: { entity: 'feed', entity_id: id } });
      await client.history.restore({ params: { id: data[0]!.id } });
      expect((await client.feeds.read({ params: { id } })).moderation.notify).toEqual([]);
    });

    it("can't be restored by undoing an import", async () => {
      const item = { email: 'kim.miller@example.com', name: 'Kim Miller' };
      const { job } = await client.imports.users({ body: { items: [item] } });
      await erase('kim.miller@example.com');
      await client.imports.undo({ params: { id: job! }, body: {} }).catch(() => null);
      expect(await traces()).toBeNull();
    });

    it('keeps those of the same name elsewhere, and others here', async () => {
      await addPerson();
      const elsewhere = await api.addOrganization(`elsewhere-${count}.example`);
      await api.client(elsewhere.admin).rooms.create({ body: { title: 'Kim Miller' } });
      const before = await client.history.list({ query: { user_id: organization.admin.id } });
      await erase('kim.miller@example.com');
      expect((await traces())!.every((trace) => trace === 'Kim Miller')).toBe(true);
      expect(
        (await client.history.list({ query: { user_id: organization.admin.id } })).meta.total,
      ).toBeGreaterThanOrEqual(before.meta.total);
    });

    it('is refused for oneself, for those with more rights, for the last one, for strangers, and to keys', async () => {
      const settings = { settings: { view_any: true, create: false, update: false, delete: true } };
      const limited = api.client(await api.addUser(organization, settings));
      const { key } = await client.apiKeys.create({ body: { name: 'Key', policies: allPolicies() } });
      const before = await api.dump(['attempts', 'api_keys']);
      const body = { email: organization.admin.email };
      expect((await refused(client.privacy.eraseUser({ body }))).code).toBe('forbidden');
      expect((await refused(limited.privacy.eraseUser({ body }))).code).toBe('forbidden');
      expect((await refused(api.client({ token: key }).privacy.eraseUser({ body }))).code).toBe('forbidden');
      expect((await refused(erase(api.one.admin.email))).code).toBe('not_found');
      expect(await api.dump(['attempts', 'api_keys'])).toBe(before);
    });

    it('can be the holder of access tokens that were removed', async () => {
      const { id: room_id } = await client.rooms.create({ body: { title: 'Hall' } });
      const endpoint_id = (await client.endpoints.create({ body: { name: 'Hall', room_id } })).id;
      const body = { endpoint_id, holder_name: 'Lee', holder_email: 'lee@example.com' };
      const { id } = await client.accessTokens.create({ body });
      await client.accessTokens.remove({ params: { id } });
      const done = await erase('lee@example.com');
      expect(done).toMatchObject({ was_user: false, tokens: 0 });
      expect(done.entries).toBeGreaterThan(0);
      expect(await api.dump()).not.toContain('lee@example.com');
      expect((await refused(erase('lee@example.com'))).code).toBe('not_found');
    });

    it('has no messages in the outbox any more', async () => {
      await addPerson();
      const folder = join(api.services.settings.DATA_DIR, 'outbox');
      await mkdir(folder, { recursive: true });
      await writeFile(
        join(folder, 'one.eml'),
        'From: a@example.com\nTo: kim.miller@example.com\nSubject: Hi\n\nTo: b@example.com\n',
      );
      await writeFile(
        join(folder, 'two.eml'),
        'From: a@example.com\nTo: b@example.com\n\nTo: kim.miller@example.com\n',
      );
      expect((await erase('kim.miller@example.com')).messages).toBeGreaterThanOrEqual(1);
      const left = await readdir(folder);
      expect(left).toContain('two.eml');
      expect(left).not.toContain('one.eml');
    });
  });

  describe('what visitors shared', () => {
    /** Feeds that a visible room shares to, and a message with a picture in it. */
    async function addWall() {
      const feed = await client.feeds.create({ body: { name: 'Wall', type: 'local' } });
      const room = await client.rooms.create({ body: { title: 'Hall' } });
      await client.rooms.addElement({
        params: { id: room.id },
        body: { element: 'group', config: { feed_enabled: true, feed_id: feed.id } },
      });
      return { feed: feed.id, room: room.id };
    }

    const insert = async (feed: number, name: string, picture?: number) =>
      (
        await api.services.db
          .insertInto('feed_items')
          .values({
            feed_id: feed,
            external_id: `${name}-${Math.floor(api.clock.now())}-${picture ?? 0}`,
            name,
            message: `Greetings from ${name}`,
            media_id: picture ?? null,
            file_url: '',
            width: null,
            height: null,
            link: '',
            created_at: new Date(api.clock.now()).toISOString(),
          })
          .returning('id')
          .executeTakeFirstOrThrow()
      ).id;

    /** A picture that came with a message: it belongs to nobody. */
    async function addPicture(shade: number): Promise<number> {
      const form = formOf(
        {},
        { field: 'file', name: 'shared.png', content: new Blob([new Uint8Array(await squareOf(shade))]) },
      );
      const { body } = await api.call(calls.media.upload, {}, { token: organization.admin.token, form });
      await api.services.db.updateTable('media').set({ user_id: null }).where('id', '=', body.data.id).execute();
      return body.data.id;
    }

    it('is found by name and words, and removed with pictures that nothing else uses', async () => {
      const { feed, room } = await addWall();
      const [alone, used] = [await addPicture(10), await addPicture(20)];
      await client.rooms.addElement({ params: { id: room }, body: { element: 'image', file_id: used } });
      await insert(feed, 'Sam', alone);
      await insert(feed, 'Sam', used);
      await insert(feed, 'Alex');
      const found = (await client.privacy.listShares({ query: { search: 'greetings sam' } })).data;
      expect(found.map(({ name, feed: { name: wall } }) => [name, wall])).toEqual([
        ['Sam', 'Wall'],
        ['Sam', 'Wall'],
      ]);
      const { erased } = await client.privacy.eraseShares({ body: { ids: found.map(({ id }) => id) } });
      expect(erased).toBe(2);
      expect((await client.privacy.listShares()).data.map(({ name }) => name)).toEqual(['Alex']);
      expect((await refused(client.media.read({ params: { id: alone } }))).code).toBe('not_found');
      expect((await client.media.read({ params: { id: used } })).id).toBe(used);
      const picture = found.find(({ file_url }) => file_url !== '')!;
      expect(picture.file_url).toMatch(/^\/media\//);
    });

    it('of another organization is neither shown nor removed', async () => {
      const { feed } = await addWall();
      const id = await insert(feed, 'Sam');
      const other = api.client(api.two.admin);
      expect((await other.privacy.listShares()).data).toEqual([]);
      expect((await refused(other.privacy.eraseShares({ body: { ids: [id] } }))).code).toBe('not_found');
      expect((await client.privacy.listShares()).meta.total).toBe(1);
    });

    it('goes by itself after the days that the organization says, and not before', async () => {
      const { feed } = await addWall();
      await insert(feed, 'Sam', await addPicture(30));
      api.clock.advance(5 * DAY);
      await insert(feed, 'Alex');
      api.clock.advance(6 * DAY);
      await sweepKept(api.services);
      client = api.client({ token: await api.signIn(organization.admin) });
      expect((await client.privacy.listShares()).meta.total).toBe(2);
      await client.organizations.update({ body: { shares_days: 10 } });
      await sweepKept(api.services);
      expect((await client.privacy.listShares()).data.map(({ name }) => name)).toEqual(['Alex']);
      expect((await client.media.list()).data).toEqual([]);
    });
  });

  it('messages in the outbox go after the days of OUTBOX_DAYS', async () => {
    const folder = join(api.services.settings.DATA_DIR, 'outbox');
    await mkdir(folder, { recursive: true });
    const at = (days: number) => new Date(api.clock.now() - days * DAY);
    for (const [name, days] of [
      ['old.eml', 31],
      ['new.eml', 29],
    ] as const) {
      await writeFile(join(folder, name), 'To: a@example.com\n\nHello\n');
      await utimes(join(folder, name), at(days), at(days));
    }
    await sweepKept(api.services);
    const left = await readdir(folder);
    expect(left).toContain('new.eml');
    expect(left).not.toContain('old.eml');
  });
});
