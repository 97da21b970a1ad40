import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Client } from '../../../../src/contract/client.ts';
import { ApiApp, databases, refused } from '../../../harness/api-app.ts';

describe.each(databases)('problems of a site on %s', (kind) => {
  let api: ApiApp;
  let client: Client;
  let room_id: number;
  beforeAll(async () => {
    api = await ApiApp.start(kind);
    client = api.client();
    room_id = (await client.rooms.create({ body: { title: 'Hall' } })).id;
    await client.endpoints.create({ body: { name: 'Locked', room_id, is_protected: true } });
  });
  afterAll(() => api.close());

  it('are dismissed by each user for themselves, by kind, and come back with the first new one', async () => {
    const body = { name: 'Locked too', room_id, is_protected: true };
    const states = async (by = client) =>
      (await by.statistics.problems()).flatMap((group) =>
        group.kind === 'no_tokens' ? [[group.count, group.is_dismissed]] : [],
      );
    const dismiss = (count: number | null) => client.statistics.dismissProblems({ body: { kind: 'no_tokens', count } });
    const [[count]] = (await states()) as [[number, boolean]];
    const { id } = await client.endpoints.create({ body });
    // More than the user has seen.
    expect((await refused(dismiss(count))).code).toBe('stale');
    await dismiss(count + 1);
    expect(await states()).toEqual([[count + 1, true]]);
    const colleague = await api.addUser(api.one, {
      endpoints: { view_any: true, create: false, update: false, delete: false },
    });
    expect(await states(api.client(colleague))).toEqual([[count + 1, false]]);
    // Fewer stay dismissed, others of the same number do not.
    await client.accessTokens.create({ body: { endpoint_id: id } });
    expect(await states()).toEqual([[count, true]]);
    await client.endpoints.create({ body: { ...body, name: 'Locked at last' } });
    expect(await states()).toEqual([[count + 1, false]]);
    await dismiss(count + 1);
    await dismiss(null);
    expect(await states()).toEqual([[count + 1, false]]);
  });
});
