import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { calls } from '../../../src/contract/calls.ts';
import { ApiApp, databases } from '../../harness/api-app.ts';

const OTHER = 'https://evil.example';
const PUBLIC_URL = 'https://rooms.example.com';

describe.each(databases)('what pages of other sites send, on %s', (kind) => {
  let api: ApiApp;
  beforeAll(async () => {
    api = await ApiApp.start(kind, { PUBLIC_URL });
    const room = await api.client().rooms.create({ body: { title: 'Hall' } });
    await api.client().endpoints.create({ body: { name: 'Hall', room_id: room.id, is_protected: true } });
  });
  afterAll(() => api.close());

  const host = () => new URL(api.origin).host;
  const code = (headers: Record<string, string>) =>
    api.app.inject({
      method: 'POST',
      url: '/hall?text',
      headers: { host: host(), 'content-type': 'application/x-www-form-urlencoded', ...headers },
      payload: 'token=guess',
    });
  const attempts = async () =>
    Number(
      (
        await api.services.db
          .selectFrom('attempts')
          .select(({ fn }) => fn.countAll<number>().as('count'))
          .executeTakeFirstOrThrow()
      ).count,
    );

  it('is refused before it counts as a guess or a message', async () => {
    const before = await attempts();
    const foreign: Record<string, string>[] = [
      { origin: OTHER },
      { origin: 'null' },
      { origin: OTHER, 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { origin: `https://${host()}.evil.example` },
      { origin: `${PUBLIC_URL}.evil.example` },
      { origin: 'https://rooms.example.com:8443' },
      { origin: 'not an origin' },
    ];
    for (const headers of foreign) {
      const { statusCode, body } = await code(headers);
      expect(statusCode, JSON.stringify(headers)).toBe(403);
      expect(JSON.parse(body).code).toBe('foreign_site');
      const shared = await api.app.inject({
        method: 'POST',
        url: '/api/v1/share',
        headers: { host: host(), ...headers },
      });
      expect(shared.statusCode).toBe(403);
    }
    expect(await attempts()).toBe(before);
  });

  it('is heard where a page of ours sends it, or a program', async () => {
    const known: Record<string, string>[] = [
      {},
      { origin: `http://${host()}` },
      { origin: `https://${host()}`, 'sec-fetch-site': 'same-origin' },
      { origin: PUBLIC_URL },
      { 'sec-fetch-site': 'none' },
    ];
    for (const headers of known) expect((await code(headers)).statusCode, JSON.stringify(headers)).not.toBe(403);
  });

  it('is refused by every call that changes something, and by none that only reads', async () => {
    for (const table of Object.values(calls))
      for (const call of Object.values(table)) {
        const { status, body } = await api.send(call.method, `/api/v1${call.path.replace(/:\w+/g, '1')}`, {
          headers: { origin: OTHER },
        });
        if (call.method === 'GET') expect(status, call.path).not.toBe(403);
        else expect(body.code, call.path).toBe('foreign_site');
      }
  });
});
