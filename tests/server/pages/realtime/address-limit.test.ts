import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ApiApp } from '../../../harness/api-app.ts';
import { VisitorSocket } from './visitor-socket.ts';

describe('connections of one address', () => {
  let api: ApiApp;
  let key: string;
  beforeAll(async () => {
    api = await ApiApp.start('sqlite', { SOCKETS_PER_ADDRESS: '3', TRUSTED_PROXIES: '127.0.0.1' });
    key = (await api.send('GET', '/api/v1/settings')).body.data.realtime_api_key;
  });
  afterAll(() => api.close());

  const from = (address: string) => VisitorSocket.open(api.origin, { key, forwardedFor: address });
  const refusalFrom = (address: string) =>
    from(address).then(
      () => 'let in',
      (error: Error) => error.message,
    );

  test('are so many and no more; another address has its own, a /64 of IPv6 shares one, who leaves makes room', async () => {
    const inside = [await from('198.51.100.7'), await from('198.51.100.7'), await from('198.51.100.7')];
    expect(await refusalFrom('198.51.100.7')).toContain('429');
    const others = [await from('198.51.100.8')];
    for (const end of ['1', '2', '3']) others.push(await from(`2001:db8:1:2::${end}`));
    expect(await refusalFrom('2001:db8:1:2:ffff::4')).toContain('429');
    others.push(await from('2001:db8:1:3::1'));
    await inside.pop()!.leave();
    await expect.poll(() => refusalFrom('198.51.100.7')).toBe('let in');
    await Promise.all([...inside, ...others].map((visitor) => visitor.leave()));
  });
});
