import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Client } from '../../../../src/contract/client.ts';
import type { Policies } from '../../../../src/contract/entities.ts';
import { hasRecords } from '../../../../src/server/core/changes/revert.ts';
import type { Tables } from '../../../../src/server/core/db/tables.ts';
import type { SignedInContext } from '../../../../src/server/core/http/call-context.ts';
import { allPolicies } from '../../../../src/server/features/organizations/service.ts';
import { revertBatch } from '../../../../src/server/features/reverting/kinds.ts';
import { ApiApp, databases, refused, type TestOrganization } from '../../../harness/api-app.ts';

/** Columns that count changes, and secrets. */
const LEFT_OUT = new Set(['updated_at', 'revision', 'touches', 'seq', 'last_seen_at', 'password_hash']);
const TABLES = [
  'templates',
  'rooms',
  'elements',
  'endpoints',
  'endpoint_addresses',
  'access_tokens',
  'feeds',
  'users',
] as const;

/** Calls of one random session. */
const CALLS = 30;
const none = { view_any: false, create: false, update: false, delete: false };

/** Numbers that follow from a seed. */
function randomFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

describe.each(databases)('reverting changes on %s', (kind) => {
  let api: ApiApp;
  let organization: TestOrganization;
  let client: Client;
  let count = 0;
  beforeAll(async () => {
    api = await ApiApp.start(kind);
  });
  beforeEach(async () => {
    organization = await api.addOrganization(`host-${++count}.example`);
    client = api.client(organization.admin);
  });
  afterAll(() => api.close());

  const rows = async (table: (typeof TABLES)[number]) => {
    const { db } = api.services;
    const stored = await db.selectFrom(table).selectAll().where('organization_id', '=', organization.id).execute();
    const columns = (row: object) =>
      Object.entries(row).filter(
        // Elements are restored by the log of their space, which has no dates.
        ([name]) => !LEFT_OUT.has(name) && !(table === 'elements' && name === 'created_at'),
      );
    return stored.toSorted((a, b) => a.id - b.id).map((row) => JSON.stringify(Object.fromEntries(columns(row))));
  };
  const snapshot = async () =>
    Object.fromEntries(await Promise.all(TABLES.map(async (table) => [table, await rows(table)] as const)));
  /** The batch of the last change. */
  const lastBatch = async (): Promise<string> => {
    const changes = api.services.db
      .selectFrom('changes')
      .select('batch')
      .where('organization_id', '=', organization.id);
    return (await changes.orderBy('id', 'desc').limit(1).executeTakeFirstOrThrow()).batch!;
  };
  const revert = async (
    batch: string,
    {
      policies = allPolicies(),
      organizationId = organization.id,
    }: { policies?: Policies; organizationId?: number } = {},
    onChanged: 'skip' | 'overwrite' = 'skip',
  ) => {
    const { id: userId, email } = organization.admin;
    const user = {
      userId,
      email,
      name: 'Admin',
      session: '',
      apiKey: null,
      method: '',
      needsSecondFactor: false,
      scopes: null,
      policies,
    };
    const context = { ...api.services, organizationId, user, later: () => {} } as object as SignedInContext;
    const { done, ...reverted } = await api.services.db
      .transaction()
      .execute((db) => revertBatch(db, context, { batch }, { onChanged }));
    done();
    return reverted;
  };

  /** Makes a random call. @returns whether it was allowed */
  const change = async (random: (below: number) => number): Promise<boolean> => {
    const name = `Name ${random(1000)}`;
    const idIn = async (table: keyof Pick<Tables, (typeof TABLES)[number]>): Promise<number> => {
      const query = api.services.db.selectFrom(table).select('id').where('organization_id', '=', organization.id);
      const ids = await query.orderBy('id').execute();
      return ids[random(ids.length)]?.id ?? 0;
    };
    const calls: (() => Promise<unknown>)[] = [
      () => client.templates.create({ body: { name } }),
      async () => client.templates.update({ params: { id: await idIn('templates') }, body: { name, width: 900 } }),
      async () => client.templates.remove({ params: { id: await idIn('templates') } }),
      async () => client.rooms.create({ body: { title: name, template_id: (await idIn('templates')) || null } }),
      async () => client.rooms.update({ params: { id: await idIn('rooms') }, body: { title: name } }),
      async () => client.rooms.copy({ params: { id: await idIn('rooms') } }),
      async () => client.rooms.remove({ params: { id: await idIn('rooms') } }),
      async () => client.rooms.addElement({ params: { id: await idIn('rooms') }, body: { element: 'group', name } }),
      async () => client.rooms.addElement({ params: { id: await idIn('rooms') }, body: { element: 'image', name } }),
      async () => client.elements.update({ params: { id: await idIn('elements') }, body: { name, position_x: 7 } }),
      async () => client.elements.copy({ params: { id: await idIn('elements') } }),
      async () => client.elements.remove({ params: { id: await idIn('elements') } }),
      async () => client.endpoints.create({ body: { name, room_id: await idIn('rooms') } }),
      async () =>
        client.endpoints.create({
          body: { name, room_id: await idIn('rooms'), parent_endpoint_id: await idIn('endpoints') },
        }),
      async () =>
        client.endpoints.update({
          params: { id: await idIn('endpoints') },
          body: { slug: name, is_visible: false, room_id: await idIn('rooms') },
        }),
      async () => client.endpoints.remove({ params: { id: await idIn('endpoints') } }),
      async () => client.accessTokens.create({ body: { endpoint_id: await idIn('endpoints'), token: name } }),
      async () => client.accessTokens.createMany({ body: { endpoint_id: await idIn('endpoints'), count: 3 } }),
      async () =>
        client.accessTokens.update({ params: { id: await idIn('access_tokens') }, body: { valid_duration: 30 } }),
      async () => client.accessTokens.remove({ params: { id: await idIn('access_tokens') } }),
      () => client.feeds.create({ body: { name, type: 'local' } }),
      async () => client.feeds.update({ params: { id: await idIn('feeds') }, body: { name } }),
      async () => client.feeds.remove({ params: { id: await idIn('feeds') } }),
      () =>
        client.imports.rooms({
          body: { items: [{ title: `Name ${random(10)}`, elements: [{ id: 1, element: 'group', name }] }] },
        }),
      () => client.imports.templates({ body: { items: [{ name: `Name ${random(10)}`, width: 500 + random(500) }] } }),
      () => client.imports.endpoints({ body: { items: [{ path: `name-${random(10)}`, name }] } }),
      async () => client.imports.remove({ body: { kind: 'endpoints', ids: [await idIn('endpoints')] } }),
      async () => client.users.update({ params: { id: await idIn('users') }, body: { name } }),
      async () => client.users.remove({ params: { id: await idIn('users') } }),
    ];
    api.clock.advance(1000);
    return calls[random(calls.length)]!().then(
      () => true,
      () => false,
    );
  };

  it.each([1, 2, 3])('in reverse order leaves every row as it was, session %s', async (seed) => {
    const random = randomFrom(seed);
    const { db } = api.services;
    for (let users = 0; users < 3; users++) {
      const { id } = await api.addUser(organization, { rooms: { ...none, view_any: true } });
      // Whoever is restored has no password: that is a change.
      await db.updateTable('users').set({ password_hash: '' }).where('id', '=', id).execute();
    }
    const done: { batch: string; before: Awaited<ReturnType<typeof snapshot>> }[] = [];
    let before = await snapshot();
    for (let attempts = 0; done.length < CALLS && attempts < 10 * CALLS; attempts++) {
      const isAllowed = await change(random);
      const after = await snapshot();
      if (!isAllowed) expect(after).toEqual(before);
      else if (JSON.stringify(after) !== JSON.stringify(before)) done.push({ batch: await lastBatch(), before });
      before = after;
    }
    expect(done).toHaveLength(CALLS);
    for (const [index, { batch, before }] of [...done.entries()].toReversed()) {
      const { skipped, missing } = await revert(batch);
      expect({ index, skipped, missing, rows: await snapshot() }).toEqual({
        index,
        skipped: [],
        missing: [],
        rows: before,
      });
      expect(await hasRecords(api.services.db, organization.id, { batch })).toBe(false);
    }
  });

  it('skips rows that changed since and lists them, unless it overwrites them', async () => {
    const { id } = await client.templates.create({ body: { name: 'Shell', width: 500 } });
    await client.templates.update({ params: { id }, body: { width: 600 } });
    const batch = await lastBatch();
    await client.templates.update({ params: { id }, body: { width: 700 } });
    expect(await revert(batch)).toMatchObject({ count: 0, skipped: ['Shell has been changed since.'] });
    expect(await client.templates.read({ params: { id } })).toMatchObject({ width: 700 });
    expect(await revert(batch, {}, 'overwrite')).toMatchObject({ count: 1, skipped: [] });
    expect(await client.templates.read({ params: { id } })).toMatchObject({ width: 500 });

    const room = await client.rooms.create({ body: { title: 'Hall' } });
    await client.rooms.update({ params: { id: room.id }, body: { title: 'Court' } });
    const edit = await lastBatch();
    await client.rooms.addElement({ params: { id: room.id }, body: { element: 'group', name: 'Later' } });
    expect(await revert(edit)).toMatchObject({ count: 0, skipped: ['Court has been changed since.'] });
  });

  it('leaves out and lists what a row refers to and is gone', async () => {
    const room = (await client.rooms.create({ body: { title: 'Hall' } })).id;
    const other = (await client.rooms.create({ body: { title: 'Other' } })).id;
    const { id } = await client.endpoints.create({ body: { name: 'Gate', room_id: room } });
    await client.endpoints.update({ params: { id }, body: { room_id: other } });
    const batch = await lastBatch();
    await client.rooms.remove({ params: { id: room } });
    expect(await revert(batch)).toMatchObject({ skipped: [], missing: ['The space of Gate'] });
    expect((await client.endpoints.read({ params: { id } })).room_id).toBeNull();
  });

  it('restores the settings of an organization, but for its quotas', async () => {
    const { db } = api.services;
    const organizations = db.selectFrom('organizations').selectAll().where('id', '=', organization.id);
    const { updated_at: _, ...before } = await organizations.executeTakeFirstOrThrow();
    await client.organizations.update({ body: { meta_title: 'Changed' } });
    const batch = await lastBatch();
    const quotas = '{"spaces":3}';
    await db.updateTable('organizations').set({ quotas }).where('id', '=', organization.id).execute();
    expect(await revert(batch)).toMatchObject({ skipped: [expect.stringContaining('has been changed since')] });
    expect(await revert(batch, {}, 'overwrite')).toMatchObject({ count: 1 });
    expect(await organizations.executeTakeFirstOrThrow()).toMatchObject({ ...before, quotas });
  });

  it('restores more access tokens than one record has', async () => {
    const room = (await client.rooms.create({ body: { title: 'Hall' } })).id;
    const { id } = await client.endpoints.create({ body: { name: 'Gate', room_id: room } });
    await client.accessTokens.createMany({ body: { endpoint_id: id, count: 1200 } });
    const before = await rows('access_tokens');
    await client.endpoints.remove({ params: { id } });
    const { data } = await client.bin.list({ query: { entity: 'endpoint', entity_id: id } });
    await client.history.restore({ params: { id: data[0]!.id } });
    expect(await rows('access_tokens')).toEqual(before);
  });

  it('restores a user without the second factor, which is gone', async () => {
    const { db } = api.services;
    const { id } = await api.addUser(organization, {});
    await db.updateTable('users').set({ has_second_factor: 1 }).where('id', '=', id).execute();
    await client.users.remove({ params: { id } });
    expect(await revert(await lastBatch())).toMatchObject({ count: 1 });
    const restored = db.selectFrom('users').select('has_second_factor').where('id', '=', id);
    expect(await restored.executeTakeFirstOrThrow()).toEqual({ has_second_factor: 0 });
  });

  it('records no secrets', async () => {
    const { id } = await api.addUser(organization, {});
    await client.users.remove({ params: { id } });
    const records = api.services.db
      .selectFrom('change_rows')
      .select('content')
      .where('batch', '=', await lastBatch());
    const [record] = await records.execute();
    expect(record!.content).toContain('"email"');
    expect(record!.content).not.toMatch(/password_hash|argon2/);
  });

  it('security 11: needs the rights that the opposite action takes, and reverts nothing of another organization', async () => {
    const { id } = await client.templates.create({ body: { name: 'Shell' } });
    await client.templates.remove({ params: { id } });
    const batch = await lastBatch();
    const before = await snapshot();
    const templates = { ...none, view_any: true, update: true, delete: true };
    expect((await refused(revert(batch, { policies: { ...allPolicies(), templates } }))).code).toBe('forbidden');
    expect(await revert(batch, { organizationId: api.two.id })).toMatchObject({ count: 0 });
    expect(await snapshot()).toEqual(before);
    expect(await revert(batch)).toMatchObject({ count: 1 });
  });
});
