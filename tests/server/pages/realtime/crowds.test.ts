import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { ApiApp } from '../../../harness/api-app.ts';
import { type Opening, VisitorSocket } from './visitor-socket.ts';

const SCHOOL = 500;

describe('security 73: crowds of visitors', () => {
  let api: ApiApp;
  const hall = { key: '', room: 0, mode: 'batch' as const };
  const theirs = { key: '', room: 0, host: 'two.example', origin: 'http://two.example' };
  beforeAll(async () => {
    api = await ApiApp.start('sqlite', { SOCKETS_PER_ORGANIZATION: '510', TRUSTED_PROXIES: '127.0.0.1' });
    for (const [place, user] of [
      [hall, api.one.admin],
      [theirs, api.two.admin],
    ] as const) {
      const client = api.client(user);
      place.room = (await client.rooms.create({ body: { title: 'Hall', config: { realtime: true } } })).id;
      await client.endpoints.create({ body: { name: 'Hall', room_id: place.room } });
      const headers: Record<string, string> = 'host' in place ? { host: place.host } : {};
      const { payload } = await api.app.inject({ url: '/api/v1/settings', headers });
      place.key = JSON.parse(payload).data.realtime_api_key;
    }
  });
  afterAll(() => api.close());

  const inside: VisitorSocket[] = [];
  const open = async (options: Opening) => {
    const visitor = await VisitorSocket.open(api.origin, options);
    inside.push(visitor);
    return visitor;
  };
  afterEach(() => Promise.all(inside.splice(0).map((visitor) => visitor.leave())));
  const refusal = (options: Opening) =>
    open(options).then(
      (visitor) => visitor.leave().then(() => 'let in'),
      (error: Error) => error.message,
    );

  test('a school of 500 behind one address is seen completely, each of them at its place', async () => {
    const outside = await open({ ...hall, forwardedFor: '203.0.113.9' });
    const school: VisitorSocket[] = [];
    // Silent clients are dropped after five seconds.
    const moving = setInterval(() => {
      outside.move('outside', -1);
      for (const [index, visitor] of school.entries()) visitor.move(`pupil-${index}`, 1000 + index);
    }, 1000);
    for (let number = 0; number < SCHOOL; number++) school.push(await open({ ...hall, forwardedFor: '198.51.100.1' }));
    const seen = () => new Set([...outside.places.values()].map(({ x }) => x).filter((x) => x >= 1000)).size;
    await expect.poll(seen, { timeout: 60_000 }).toBe(SCHOOL);
    clearInterval(moving);
  });

  test('an organization has so many connections at once and no more; those of another are not fewer for it', async () => {
    for (let number = 0; number < 510; number++) await open({ ...hall, forwardedFor: `198.51.${number % 200}.1` });
    expect(await refusal({ ...hall, forwardedFor: '203.0.113.1' })).toContain('429');
    expect(await refusal({ ...theirs, forwardedFor: '203.0.113.1' })).toBe('let in');
    await inside.shift()!.leave();
    await expect.poll(() => refusal({ ...hall, forwardedFor: '203.0.113.1' })).toBe('let in');
  });

  test('while one organization is flooded with messages, all positions in the rooms of another arrive', async () => {
    const [mine, beside] = [await open(theirs), await open(theirs)];
    const flood: VisitorSocket[] = [];
    for (let number = 0; number < 200; number++)
      flood.push(await open({ ...hall, forwardedFor: `198.51.${number}.1` }));
    let isFlooding = true;
    const flooding = (async () => {
      for (let turn = 0; isFlooding; turn++) {
        for (const [index, visitor] of flood.entries()) visitor.move(`f-${index}-${turn}`, turn);
        await new Promise((resolve) => setTimeout(resolve, 40));
      }
    })();
    for (let step = 1; step <= 5; step++) {
      // Silent clients receive no positions.
      beside.move('beside', 100);
      mine.move('mine', step);
      await expect.poll(() => beside.placeOf('mine')?.x, { timeout: 10_000 }).toBe(step);
      // The server accepts two positions a second, the pace of a page.
      await new Promise((resolve) => setTimeout(resolve, 600));
    }
    isFlooding = false;
    await flooding;
  });
});
