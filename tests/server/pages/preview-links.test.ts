import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Client } from '../../../src/contract/client.ts';
import { ApiApp, databases, refused } from '../../harness/api-app.ts';

const MINUTE = 60_000;

describe.each(databases)('a preview link, on %s', (kind) => {
  let api: ApiApp;
  let client: Client;
  let room: number;
  let endpoint: number;
  beforeAll(async () => {
    api = await ApiApp.start(kind);
    client = api.client();
    room = (await client.rooms.create({ body: { title: 'First state' } })).id;
    const body = { name: 'Hall', slug: 'hall', room_id: room, shows: 'published' as const };
    endpoint = (await client.endpoints.create({ body })).id;
    await client.endpoints.create({ body: { name: 'Other', slug: 'other', room_id: room } });
    await client.publications.publish({ params: { id: room }, body: {} });
    await client.rooms.update({ params: { id: room }, body: { title: 'Second state' } });
  });
  afterAll(() => api.close());

  const make = async (expires_in = 60, endpoint_id?: number) => {
    const body = { expires_in, ...(endpoint_id && { endpoint_id }) };
    const { url } = await client.publications.createPreviewLink({ params: { id: room }, body });
    expect(new URL(url).origin).toBe(api.origin.replace('127.0.0.1', 'localhost'));
    return url.slice(new URL(url).origin.length);
  };
  const change = (body: Parameters<Client['endpoints']['update']>[0]['body']) =>
    client.endpoints.update({ params: { id: endpoint }, body });

  it('shows the space as it is edited, as a page, in a frame and as text, and is neither cached nor indexed', async () => {
    const path = await make();
    expect(path).toMatch(/^\/hall\?preview=v1\.[\w-]+$/);
    for (const address of [path, `/embed${path}`, `${path}&text`]) {
      const { status, text, headers } = await api.send('GET', address);
      expect([address, status]).toEqual([address, 200]);
      expect(text).toContain('Second state');
      expect(text).toContain('content="noindex,nofollow"');
      expect(headers.get('x-robots-tag')).toBe('noindex, nofollow, noarchive');
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('set-cookie')).toMatch(
        /^enfilade_preview_\d+=.+; Max-Age=60; Path=\/; HttpOnly; SameSite=Lax$/,
      );
    }
    // Others who come to the address itself still find what is published, and nothing of the preview.
    const { text, headers } = await api.send('GET', '/hall');
    expect(text).toContain('First state');
    expect(headers.get('set-cookie')).toBeNull();
    expect((await api.send('GET', path)).text).toContain('"access_ends_at":');
  });

  it('opens a structure that is hidden, protected or not yet open; its address alone does not', async () => {
    const path = await make();
    const later = new Date(api.clock.now() + 5 * MINUTE).toISOString().slice(11, 16);
    for (const closed of [
      { is_visible: false },
      { is_visible: true, is_protected: true },
      { is_protected: false, show_countdown: true, start_time: later, start_time_utc_offset: 0 },
    ]) {
      await change(closed);
      expect((await api.send('GET', path)).text).toContain('Second state');
      expect((await api.send('GET', '/hall')).text).not.toMatch(/(First|Second) state/);
    }
    await change({ show_countdown: false, start_time: null });
  });

  it('is refused once it has expired, was changed, or is another structure’s or organization’s', async () => {
    const path = await make();
    const [, token = ''] = path.split('preview=');
    const other = await api.addOrganization(`preview-${kind}.example`);
    const theirs = api.client(other.admin);
    const own = (await theirs.rooms.create({ body: { title: 'Theirs' } })).id;
    await theirs.endpoints.create({ body: { name: 'Hall', slug: 'hall', room_id: own } });
    const flipped = token.slice(0, -5) + (token.at(-5) === 'A' ? 'B' : 'A') + token.slice(-4);
    const refusedAt = async (address: string, headers: Record<string, string> = {}) => {
      for (const one of [address, `/embed${address}`, `${address}&text`]) {
        const { status, text, headers: sent } = await api.send('GET', one, { headers });
        expect([one, status]).toEqual([one, 403]);
        expect(text).not.toMatch(/(First|Second) state|Theirs/);
        expect([sent.get('set-cookie'), sent.get('cache-control')]).toEqual([null, 'no-store']);
      }
    };
    for (const wrong of [flipped, token.slice(3), '', 'v1.', `v2.${token.slice(3)}`, 'x'.repeat(5000)])
      await refusedAt(`/hall?preview=${wrong}`);
    await refusedAt(`/other?preview=${token}`);
    await refusedAt(`/nowhere?preview=${token}`);
    expect(
      (await refused(client.publications.createPreviewLink({ params: { id: own }, body: { expires_in: 60 } }))).status,
    ).toBe(404);
    const found = await api.app.inject({ url: path, headers: { host: other.host! } });
    expect([found.statusCode, found.body.includes('Theirs')]).toEqual([403, false]);
    expect((await api.send('GET', path)).status).toBe(200);
    api.clock.advance(59_000);
    expect((await api.send('GET', path)).status).toBe(200);
    api.clock.advance(1000);
    await refusedAt(path);
  });

  it('ends when the structure shows another space, and is made for a structure that shows this one only', async () => {
    const path = await make();
    const next = (await client.rooms.create({ body: { title: 'Next' } })).id;
    const alone = client.publications.createPreviewLink({ params: { id: next }, body: { expires_in: 60 } });
    expect((await refused(alone)).code).toBe('invalid');
    const elsewhere = { expires_in: 60, endpoint_id: endpoint };
    const wrong = client.publications.createPreviewLink({ params: { id: next }, body: elsewhere });
    expect(Object.keys((await refused(wrong)).msg)).toEqual(['endpoint_id']);
    await change({ room_id: next });
    expect((await api.send('GET', path)).status).toBe(403);
    await change({ room_id: room });
    expect((await api.send('GET', path)).status).toBe(200);
  });

  it.each([0, 59, 604_801, 1.5])('does not work for %d seconds', async (expires_in) => {
    const made = client.publications.createPreviewLink({ params: { id: room }, body: { expires_in } });
    expect((await refused(made)).status).toBe(422);
  });

  it('gets the feeds of what is edited', async () => {
    const feed = (await client.feeds.create({ body: { name: 'Wall', type: 'local' } })).id;
    const config = { feed_enabled: true, feed_id: feed };
    await client.endpoints.remove({
      params: { id: (await client.endpoints.list()).find(({ slug }) => slug === 'other')!.id },
    });
    await client.rooms.addElement({ params: { id: room }, body: { element: 'group', config } });
    const items = (headers: Record<string, string> = {}) => api.send('GET', `/api/v1/feeds/${feed}/items`, { headers });
    expect((await items()).status).toBe(404);
    const { headers } = await api.send('GET', await make());
    const cookie = headers.get('set-cookie')!.split(';')[0]!;
    expect((await items({ cookie })).status).toBe(200);
    api.clock.advance(61_000);
    expect((await items({ cookie })).status).toBe(404);
  });
});
