import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { faultsOf } from '../../../../src/server/core/db/database.ts';
import { PUBLIC_WRITES } from '../../../../src/server/features/visits/limits.ts';
import { ApiApp, databases } from '../../../harness/api-app.ts';

const GUESSES = 360;

describe.each(databases)('many guesses at once on %s', (kind) => {
  let api: ApiApp;
  beforeAll(async () => {
    // Four connections stand for a pool that is small for what comes.
    api = await ApiApp.start(kind, { DATABASE_CONNECTIONS: '4' });
    const client = api.client();
    const { id: room_id } = await client.rooms.create({ body: { title: 'Hall' } });
    await client.endpoints.create({ body: { name: 'Members', room_id, is_protected: true } });
  });
  afterAll(() => api.close());

  it('security 82: get 400 or 429 and nothing else, the database counts as there, and others are served', async () => {
    const faults: string[] = [];
    const stop = faultsOf(api.services.db).listen((fault) => faults.push(fault));
    const guess = (number: number) =>
      api.app.inject({
        method: 'POST',
        url: '/api/v1/endpoints/members',
        remoteAddress: `198.51.${number % 60}.1`,
        payload: { access_token: `guess-${number}` },
      });
    const sent = Promise.all(Array.from({ length: GUESSES }, (_, number) => guess(number)));
    const other = await api.app.inject({ url: '/api/v1/endpoints' });
    const statuses = new Map<number, number>();
    for (const { statusCode } of await sent) statuses.set(statusCode, (statuses.get(statusCode) ?? 0) + 1);
    stop();
    expect([...statuses.keys()].toSorted()).toEqual([400, 429]);
    // The limit of the structure.
    expect(statuses.get(400)).toBe(100);
    expect(other.statusCode).toBe(200);
    expect(faults).toEqual([]);
  });

  it('security 73: wrong access tokens of one organization are limited over all structures; another has all of its own', async () => {
    api.clock.advance(24 * 60 * 60 * 1000);
    const admin = { token: await api.signIn(api.one.admin) };
    const { id: room_id } = (await api.client(admin).rooms.list()).data[0]!;
    const slugs: string[] = [];
    for (let number = 0; number < 12; number++) {
      const body = { name: `Flooded ${number}`, room_id, is_protected: true };
      slugs.push((await api.client(admin).endpoints.create({ body })).slug);
    }
    const other = api.client({ token: await api.signIn(api.two.admin) });
    const theirs = await other.rooms.create({ body: { title: 'Theirs' } });
    const endpoint = await other.endpoints.create({ body: { name: 'Theirs', room_id: theirs.id, is_protected: true } });
    const { token } = await other.accessTokens.create({ body: { endpoint_id: endpoint.id } });
    const enter = async (slug: string, access_token: string, network: number, host?: string) =>
      (
        await api.app.inject({
          method: 'POST',
          url: `/api/v1/endpoints/${slug}`,
          remoteAddress: `203.0.${network}.1`,
          headers: host ? { host } : {},
          payload: { access_token },
        })
      ).statusCode;
    const statuses: number[] = [];
    for (const [index, slug] of slugs.entries())
      for (let guess = 0; guess < 90; guess += 15)
        statuses.push(
          ...(await Promise.all(
            Array.from({ length: 15 }, (_, each) => enter(slug, `no-${guess + each}`, index * 20 + each)),
          )),
        );
    expect(statuses.filter((status) => status === 400)).toHaveLength(PUBLIC_WRITES.entry.organization.most);
    expect(statuses.filter((status) => status === 429)).toHaveLength(12 * 90 - PUBLIC_WRITES.entry.organization.most);
    // From a network that took part in it, too.
    expect(await enter('theirs', 'wrong', 1, 'two.example')).toBe(400);
    expect(await enter('theirs', token, 1, 'two.example')).toBe(200);
    api.clock.advance(60_000);
    expect(await enter(slugs[11]!, 'wrong', 250)).toBe(400);
  });
});
