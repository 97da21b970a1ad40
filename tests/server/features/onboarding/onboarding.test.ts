import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Client } from '../../../../src/contract/client.ts';
import { RESTORABLE_FOR } from '../../../../src/server/core/changes/change-log.ts';
import { seedDemo } from '../../../../src/server/features/onboarding/demo.ts';
import { sweepDemoFiles } from '../../../../src/server/features/onboarding/steps.ts';
import { ApiApp, databases, refused } from '../../../harness/api-app.ts';

const doneOf = async (client: Client) =>
  (await client.onboarding.read()).steps.flatMap(({ name, is_done }) => (is_done ? [name] : []));

describe.each(databases)('the first steps on %s', (kind) => {
  let api: ApiApp;
  beforeAll(async () => {
    api = await ApiApp.start(kind);
  });
  afterAll(() => api.close());

  it('are done by what is there, by whomever, and only those that one may do are named', async () => {
    const organization = await api.addOrganization('steps.example');
    const client = api.client(organization.admin);
    expect(await doneOf(client)).toEqual([]);
    const room = await client.rooms.create({ body: { title: 'Hall' } });
    expect(await doneOf(client)).toEqual(['space']);
    const command = { type: 'room.update' as const, fields: { title: 'Large hall' } };
    const body = { client: 'editor', mutation: 1, commands: [command] };
    await client.rooms.commit({ params: { id: room.id }, body });
    expect(await doneOf(client)).toEqual(['space', 'edit']);
    const endpoint = await client.endpoints.create({ body: { name: 'Hall', room_id: room.id } });
    await client.accessTokens.create({ body: { endpoint_id: endpoint.id } });
    expect(await doneOf(client)).toEqual(['space', 'edit', 'address', 'token']);
    const { policies } = await client.users.active();
    const rooms = { view_any: true, create: true, update: false, delete: false };
    const member = await api.addUser(organization, { rooms });
    expect((await api.client(member).onboarding.read()).steps).toEqual([{ name: 'space', is_done: true }]);
    expect(await doneOf(client)).toEqual(['space', 'edit', 'address', 'token', 'colleague']);
    await client.organizations.update({ body: { has_statistics: false } });
    expect((await client.onboarding.read()).steps.map(({ name }) => name)).not.toContain('visit');
    expect(policies.rooms.create).toBe(true);
  });

  it('are dismissed by each user for themselves, and not with an API key', async () => {
    const [one, two] = [await api.addUser(api.one, {}), await api.addUser(api.one, {})];
    await api.client(one).onboarding.dismiss({ body: { is_dismissed: true } });
    expect((await api.client(one).onboarding.read()).is_dismissed).toBe(true);
    expect((await api.client(two).onboarding.read()).is_dismissed).toBe(false);
    await api.client(one).onboarding.dismiss({ body: { is_dismissed: false } });
    expect((await api.client(one).onboarding.read()).is_dismissed).toBe(false);
    const { policies } = await api.client().users.active();
    const { key } = await api.client().apiKeys.create({ body: { name: 'K', policies } });
    const attempt = api.client({ token: key }).onboarding.dismiss({ body: { is_dismissed: true } });
    expect((await refused(attempt)).status).toBe(403);
  });
});

describe.each(databases)('the demo on %s', (kind) => {
  let api: ApiApp;
  let client: Client;
  beforeAll(async () => {
    api = await ApiApp.start(kind);
    client = api.client();
    await seedDemo(api.services, api.one.id);
  });
  afterAll(() => api.close());

  const counts = async () => ({
    rooms: (await client.rooms.list()).meta.total,
    structures: (await client.endpoints.list()).flatMap((row) => [row, ...row.children]).length,
    templates: (await client.templates.list()).meta.total,
    feeds: (await client.feeds.list()).meta.total,
    files: (await api.services.db.selectFrom('media').select('id').execute()).length,
  });
  const restore = async (entries: readonly number[]) => {
    for (const id of entries)
      expect((await client.history.restore({ params: { id } })).missing, String(id)).toEqual([]);
  };

  it('does not count as a first step', async () => {
    expect(await doneOf(client)).toEqual([]);
    expect((await api.client(api.two.admin).onboarding.read()).demo).toEqual([]);
  });

  it('goes in one go, comes back as it was, and can go again', async () => {
    const before = await counts();
    const { demo } = await client.onboarding.read();
    expect(demo.filter(({ kept }) => kept !== null)).toEqual([]);
    expect(demo.length).toBe(before.rooms + before.structures + before.templates + before.feeds);
    const { entries, kept } = await client.onboarding.removeDemo();
    expect(kept).toBe(0);
    expect(await counts()).toEqual({ rooms: 0, structures: 0, templates: 0, feeds: 0, files: before.files });
    expect((await client.onboarding.read()).demo).toEqual([]);
    expect((await client.onboarding.removeDemo()).entries).toEqual([]);
    await restore(entries);
    expect(await counts()).toEqual(before);
    expect((await client.onboarding.read()).demo).toEqual(demo);
  });

  it('is removed by whoever may remove all of it', async () => {
    const rights = { view_any: true, create: true, update: true, delete: true };
    const some = await api.addUser(api.one, { rooms: rights, endpoints: rights, templates: rights });
    expect((await refused(api.client(some).onboarding.removeDemo())).status).toBe(403);
    expect((await api.client(some).onboarding.read()).demo.some(({ kind }) => kind === 'feed')).toBe(false);
    const before = await counts();
    await api.client(api.two.admin).onboarding.removeDemo();
    expect(await counts()).toEqual(before);
  });

  it('leaves what somebody changed, protects or uses, with what that needs; its files go after the bin', async () => {
    const before = await counts();
    const [lake, gallery, ...others] = (await client.endpoints.list()).filter(({ children }) => children.length === 0);
    expect(others.length).toBeGreaterThan(0);
    const parent = (await client.endpoints.list()).find(({ children }) => children.length > 0)!;
    await client.accessTokens.create({ body: { endpoint_id: parent.children[0]!.id } });
    await client.rooms.update({ params: { id: lake!.room_id! }, body: { title: 'Mine' } });
    await client.endpoints.create({ body: { name: 'My own', slug: 'own', room_id: gallery!.room_id! } });
    const { demo } = await client.onboarding.read();
    const reasonOf = (kind: string, id: number) => demo.find((part) => part.kind === kind && part.id === id)?.kept;
    expect(reasonOf('structure', parent.children[0]!.id)).toBe('tokens');
    expect(reasonOf('structure', parent.id)).toBe('used');
    expect(reasonOf('space', parent.room_id!)).toBe('used');
    expect(reasonOf('space', lake!.room_id!)).toBe('changed');
    expect(reasonOf('structure', lake!.id)).toBeNull();
    expect(reasonOf('space', gallery!.room_id!)).toBe('used');
    const { entries, kept } = await client.onboarding.removeDemo();
    expect(kept).toBe(demo.filter((part) => part.kept !== null).length);
    expect(entries.length).toBeGreaterThan(0);
    const left = await counts();
    expect(left.rooms).toBeGreaterThanOrEqual(3);
    expect(left.rooms).toBeLessThan(before.rooms);
    await sweepDemoFiles(api.services);
    expect((await counts()).files).toBe(before.files);
    api.clock.advance(RESTORABLE_FOR + 1);
    await sweepDemoFiles(api.services);
    const token = await api.signIn(api.one.admin);
    client = api.client({ token });
    const now = await counts();
    expect(now.files).toBeLessThan(before.files);
    expect(now.files).toBeGreaterThan(0);
    for (const { id } of (await client.rooms.list()).data) {
      const room = await client.rooms.read({ params: { id } });
      for (const { file_id, file } of room.elements) expect(file?.id ?? null).toBe(file_id);
    }
  });
});
