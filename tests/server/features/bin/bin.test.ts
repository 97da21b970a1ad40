import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Client } from '../../../../src/contract/client.ts';
import type { ChangedEntity } from '../../../../src/contract/entities.ts';
import { onlyPolicies } from '../../../harness/admin-page.ts';
import { ApiApp, databases, refused } from '../../../harness/api-app.ts';

const DAY = 24 * 60 * 60 * 1000;
const all = { view_any: true, create: true, update: true, delete: true };

describe.each(databases)('the bin on %s', (kind) => {
  let api: ApiApp;
  let client: Client;
  let count = 0;
  beforeAll(async () => {
    api = await ApiApp.start(kind);
  });
  beforeEach(async () => {
    const organization = await api.addOrganization(`host-${++count}.example`);
    client = api.client(organization.admin);
  });
  afterAll(() => api.close());

  const entryOf = async (entity: ChangedEntity, entity_id: number) =>
    (await client.bin.list({ query: { entity, entity_id } })).data[0]!;
  const restore = async (entity: ChangedEntity, id: number) =>
    client.history.restore({ params: { id: (await entryOf(entity, id)).id } });

  it('gives a structure back with those below it, its access tokens and its old addresses', async () => {
    const room = (await client.rooms.create({ body: { title: 'Hall' } })).id;
    const { id } = await client.endpoints.create({ body: { name: 'Gate', slug: 'door', room_id: room } });
    const before = await client.endpoints.update({ params: { id }, body: { slug: 'gate', is_protected: true } });
    await client.endpoints.create({ body: { name: 'Inner', room_id: room, parent_endpoint_id: id } });
    await client.accessTokens.create({ body: { endpoint_id: id, token: 'open-sesame' } });
    await client.endpoints.remove({ params: { id } });
    expect(await client.endpoints.list()).toEqual([]);
    expect(await entryOf('endpoint', id)).toMatchObject({ name: 'Gate', may_restore: true });
    expect((await restore('endpoint', id)).missing).toEqual([]);
    const [gate] = await client.endpoints.list();
    expect(gate).toMatchObject({ id, path: '/gate', is_protected: true, access_tokens_count: 1 });
    expect(gate!.children.map(({ path }) => path)).toEqual(['/gate/inner']);
    expect((await client.endpoints.addresses({ params: { id } })).map(({ path }) => path)).toEqual(['/door']);
    expect((await client.accessTokens.list()).data.map(({ token }) => token)).toEqual(['open-sesame']);
    expect(before.id).toBe(id);
    expect((await client.bin.list({ query: { entity: 'endpoint' } })).data).toEqual([]);
  });

  it('gives a structure another slug where its own is taken, and says what else is gone', async () => {
    const room = (await client.rooms.create({ body: { title: 'Hall' } })).id;
    const { id } = await client.endpoints.create({ body: { name: 'Gate', room_id: room } });
    await client.endpoints.remove({ params: { id } });
    const other = (await client.rooms.create({ body: { title: 'Other' } })).id;
    await client.endpoints.create({ body: { name: 'Gate', room_id: other } });
    await client.rooms.remove({ params: { id: room } });
    const { missing } = await restore('endpoint', id);
    expect(missing).toEqual(['The path /gate is taken, so it is now /gate-2', 'The space of Gate']);
    expect(await client.endpoints.read({ params: { id } })).toMatchObject({ slug: 'gate-2', room_id: null });
  });

  it('gives templates, feeds and access tokens back', async () => {
    const template = await client.templates.create({ body: { name: 'Shell', width: 1234 } });
    const feed = await client.feeds.create({ body: { name: 'Wall', type: 'local' } });
    const room = (await client.rooms.create({ body: { title: 'Hall', template_id: null } })).id;
    const endpoint = (await client.endpoints.create({ body: { name: 'Gate', room_id: room } })).id;
    const tokens = await Promise.all(
      ['one-token', 'two-token'].map((token) => client.accessTokens.create({ body: { endpoint_id: endpoint, token } })),
    );
    await client.templates.remove({ params: { id: template.id } });
    await client.feeds.remove({ params: { id: feed.id } });
    await client.accessTokens.removeMany({ body: { ids: tokens.map(({ id }) => id) } });
    await restore('template', template.id);
    await restore('feed', feed.id);
    await restore('access_token', tokens[0]!.id);
    expect(await client.templates.read({ params: { id: template.id } })).toMatchObject({ name: 'Shell', width: 1234 });
    expect(await client.feeds.read({ params: { id: feed.id } })).toMatchObject({ name: 'Wall', type: 'local' });
    expect((await client.accessTokens.list()).data.map(({ token }) => token).toSorted()).toEqual([
      'one-token',
      'two-token',
    ]);
    // An access token without its structure opens nothing.
    await client.accessTokens.remove({ params: { id: tokens[0]!.id } });
    await client.endpoints.remove({ params: { id: endpoint } });
    expect((await refused(restore('access_token', tokens[0]!.id))).message).toContain('Restore the structure first');
  });

  it('gives nothing back after 30 days, nor when it was emptied', async () => {
    const { id } = await client.templates.create({ body: { name: 'Shell' } });
    await client.templates.remove({ params: { id } });
    const entry = await entryOf('template', id);
    expect(Date.parse(entry.ends_at) - Date.parse(entry.at)).toBe(30 * DAY);
    const later = await client.templates.create({ body: { name: 'Other' } });
    await client.templates.remove({ params: { id: later.id } });
    const other = await entryOf('template', later.id);
    expect(await client.bin.empty({ body: { ids: [other.id] } })).toEqual({ emptied: 1 });
    expect((await refused(client.history.restore({ params: { id: other.id } }))).code).toBe('invalid');
    expect(await client.bin.empty({ body: {} })).toEqual({ emptied: 1 });
    expect((await client.bin.list()).data).toEqual([]);
  });

  it('shows and gives back only what one may see and add', async () => {
    const organization = await api.addOrganization(`rights-${count}.example`);
    const admin = api.client(organization.admin);
    const { id } = await admin.templates.create({ body: { name: 'Shell' } });
    await admin.templates.remove({ params: { id } });
    const [entry] = (await admin.bin.list()).data;
    const none = api.client(await api.addUser(organization, onlyPolicies({ rooms: all })));
    expect((await none.bin.list()).data).toEqual([]);
    expect((await refused(none.history.restore({ params: { id: entry!.id } }))).status).toBe(403);
    expect(await none.bin.empty({ body: {} })).toEqual({ emptied: 0 });
    const viewer = api.client(await api.addUser(organization, onlyPolicies({ templates: { ...all, create: false } })));
    expect((await viewer.bin.list()).data).toMatchObject([{ name: 'Shell', may_restore: false }]);
  });
});
