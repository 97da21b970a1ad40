import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { type Answer, ApiApp } from '../../../harness/api-app.ts';
import { Line } from '../../../harness/line.ts';

/** Requests at once: more than there are connections. */
const CROWD = 40;

// PostgreSQL is the one that can be away.
describe.each(inject('postgres') ? ['postgres' as const] : [])('a database that is away: %s', (kind) => {
  let line: Line;
  let api: ApiApp;
  beforeAll(async () => {
    line = await Line.to(Number(new URL(inject('postgres')!).port || 5432));
    api = await ApiApp.start(kind, {}, {}, (url) => line.through(url));
    const client = api.client();
    for (const [name, isProtected] of [
      ['Hall', false],
      ['Vault', true],
    ] as const) {
      const { id } = await client.rooms.create({ body: { title: name } });
      await client.endpoints.create({ body: { name, room_id: id, is_protected: isProtected } });
    }
  });
  afterAll(async () => {
    line.mend();
    await api?.close();
    line.close();
  });

  const ready = async () => (await api.send('GET', '/readyz')).status;
  const list = () => api.send('GET', '/api/v1/backend/rooms', { token: api.one.admin.token });
  const create = (title: string) =>
    api.send('POST', '/api/v1/backend/rooms', { token: api.one.admin.token, body: { title } });
  const samples = async () => (await api.metrics()).text;

  const assertAway = ({ status, body, headers }: Answer) =>
    expect([status, body?.code, body?.retry_after, headers.get('retry-after')]).toEqual([503, 'unavailable', 5, '5']);

  const assertStale = async (path: string) => {
    const { status, headers, text } = await api.send('GET', path);
    const said = [path, status, headers.get('age'), headers.get('warning')];
    expect(said).toEqual([path, 200, '7', '110 enfilade "Response is Stale"']);
    expect(text).toContain('"title":"Hall"');
  };
  const assertNotShown = async (path: string) => {
    const { status, headers } = await api.send('GET', path);
    expect([path, status, headers.get('retry-after')]).toEqual([path, 503, '5']);
  };

  // In one outage: how long it takes until a silence is known is most of the time.
  it.each(['cut', 'silence'] as const)(
    '%s: calls answer 503 and when to come back, and none hangs; open rooms are shown as they were, and say how old that is, protected ones are not; then all is well',
    async (how) => {
      const paths = ['/hall', '/api/v1/endpoints/hall'];
      for (const path of paths) {
        const { status, headers } = await api.send('GET', path);
        expect([path, status, headers.get('age')]).toEqual([path, 200, null]);
      }
      expect((await api.send('GET', '/vault')).status).toBe(200);
      expect((await list()).status).toBe(200);
      const before = Number(/^enfilade_database_errors_total\{kind="away"\} (\d+)$/m.exec(await samples())![1]);
      line[how]();
      api.clock.advance(7000);
      const answers = Promise.all(Array.from({ length: CROWD }, (_, index) => (index % 2 ? list() : create('R'))));
      await Promise.all([
        ...paths.map(assertStale),
        ...['/vault', '/api/v1/endpoints/vault', '/never-shown'].map(assertNotShown),
      ]);
      for (const answer of await answers) assertAway(answer);
      await expect.poll(ready).toBe(503);
      const { body } = await api.send('GET', '/readyz');
      expect(body.parts.database).toMatchObject({
        state: 'failed',
        problem: expect.stringMatching(/^The database (?:can't be reached|doesn't respond)/),
      });
      // Nobody waits any more.
      await expect.poll(samples).toMatch(/^enfilade_database_pool_waiting 0$/m);
      const after = Number(/^enfilade_database_errors_total\{kind="away"\} (\d+)$/m.exec(await samples())![1]);
      expect(after).toBeGreaterThan(before);
      expect((await api.send('GET', '/healthz')).status).toBe(200);
      line.mend();
      await expect.poll(ready).toBe(200);
      expect((await list()).status).toBe(200);
      expect((await create('Back')).status).toBe(201);
      expect((await api.send('GET', '/hall')).headers.get('age')).toBe(null);
    },
  );
});
