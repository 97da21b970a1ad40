import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ApiApp } from '../../../harness/api-app.ts';

describe('names of requests', () => {
  let api: ApiApp;
  beforeAll(async () => {
    api = await ApiApp.start('sqlite');
  });
  afterAll(() => api.close());

  it('a well-formed X-Request-Id comes back in the header and in errors', async () => {
    const headers = { 'x-request-id': 'proxy-7:a/b.c=1' };
    const wrong = await api.send('GET', '/api/v1/backend/rooms', { headers });
    expect([wrong.status, wrong.headers.get('x-request-id'), wrong.body.request_id]).toEqual([
      401,
      'proxy-7:a/b.c=1',
      'proxy-7:a/b.c=1',
    ]);
    expect((await api.send('GET', '/api/v1/settings', { headers })).headers.get('x-request-id')).toBe(
      'proxy-7:a/b.c=1',
    );
    expect((await api.send('GET', '/', { headers })).headers.get('x-request-id')).toBe('proxy-7:a/b.c=1');
  });

  it.each([
    ['nothing', undefined],
    ['one that is too long', 'x'.repeat(129)],
    ['one that breaks a line of the log', 'a b"{}'],
  ])('%s makes for one of its own', async (_, given) => {
    const { headers, body } = await api.send('GET', '/api/v1/none', {
      headers: given === undefined ? {} : { 'x-request-id': given },
    });
    const id = headers.get('x-request-id');
    expect(id).toMatch(/^[0-9a-f-]{36}$/);
    expect(body.request_id).toBe(id);
  });

  it('what is no HTTP request gets one as well', async () => {
    const { hostname, port } = new URL(api.origin);
    const socket = connect(Number(port), hostname);
    socket.write('nonsense\r\n\r\n');
    const [answer] = await once(socket, 'data');
    const id = /x-request-id: (\S+)/.exec(String(answer))![1];
    expect(String(answer)).toContain(`"request_id":"${id}"`);
    socket.destroy();
  });
});
