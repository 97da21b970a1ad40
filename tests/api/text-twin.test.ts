import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Client } from '../../src/contract/client.ts';
import { ApiApp, databases } from '../harness/api-app.ts';

const EVIL = '</title><script>alert(1)</script><img src=x onerror=alert(2)>';
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

describe.each(databases)('rooms as text on %s', (kind) => {
  let api: ApiApp;
  let client: Client;
  let vault: number;
  beforeAll(async () => {
    api = await ApiApp.start(kind);
    client = api.client();
    const corner = { name: 'To the attic', navigation: { type: 'slug' as const, type_config: { slug_one: 'attic' } } };
    const hall = await client.rooms.create({
      body: { title: 'Hall', description: '<p>Welcome.</p>', config: { top_left_link: corner } },
    });
    const add = (body: Parameters<Client['rooms']['addElement']>[0]['body'], id = hall.id) =>
      client.rooms.addElement({ params: { id }, body });
    const group = await add({ element: 'group', name: 'Paintings' });
    await add({
      element: 'image',
      name: 'Reeds',
      parent_element_id: group.id,
      config: {
        file_url: 'https://pictures.example/reeds.png',
        title: 'Reeds at dusk',
        author: 'Ann',
        date: '1901',
        navigation: { type: 'modal_content', type_config: { title: 'More', content: '<p>Oil on canvas.</p>' } },
      },
    });
    await add({ element: 'text', config: { text: 'Sketches' } });
    await add({ element: 'rich_text', config: { body: '<p>A <strong>bold</strong> hand.</p>' } });
    await add({
      element: 'button',
      config: { title: 'Out', navigation: { type: 'url', type_config: { url: 'https://out.example/a?b&c' } } },
    });
    await add({ element: 'button', config: { title: 'Trap' } });
    await add({ element: 'video', name: 'Making of', config: { type: 'youtube', id: 'abc' } });
    await add({ element: 'view_point', config: { name: 'By the window' } });
    await add({ element: 'text', hidden: true, config: { text: 'A secret of the editors' } });
    const now = new Date(api.clock.now());
    const hour = (by: number) => `${String((now.getUTCHours() + by + 24) % 24).padStart(2, '0')}:00`;
    const times = { utc_offset: 0, start_time: hour(-1), end_time: hour(2) };
    await add({ element: 'text', ...times, config: { text: 'Only now' } });
    await add({ element: 'text', utc_offset: 0, start_time: hour(3), end_time: hour(5), config: { text: 'Later' } });
    await client.endpoints.create({ body: { name: 'Hall', slug: 'hall', room_id: hall.id } });
    await client.endpoints.create({
      body: { name: 'Soon', slug: 'soon', room_id: hall.id, ...later(now) },
    });
    const attic = await client.rooms.create({ body: { title: EVIL } });
    await add(
      { element: 'image', name: EVIL, config: { file_url: 'https://x.example/"><script>.png', title: EVIL } },
      attic.id,
    );
    await client.endpoints.create({ body: { name: EVIL, slug: 'attic', room_id: attic.id } });
    ({ id: vault } = await client.endpoints.create({
      body: { name: 'Vault', slug: 'vault', room_id: hall.id, is_protected: true },
    }));
  });
  afterAll(() => api.close());

  /** A start that is still to come on the server's day, whatever the hour is. */
  const later = (now: Date) => ({
    is_timed: true,
    show_countdown: true,
    start_time: '23:59',
    start_time_utc_offset: now.getUTCHours() === 23 ? 60 : 0,
  });
  const read = (path: string, headers?: Record<string, string>) => api.send('GET', path, { headers });
  const code = async (fields: Record<string, unknown> = {}) =>
    (await client.accessTokens.create({ body: { endpoint_id: vault, ...fields } })).token;
  const give = (text: string) =>
    api.send('POST', '/vault?text', { body: `code=${encodeURIComponent(text)}`, headers: FORM });

  it('say what the room shows, in reading order, with links to the text of other rooms', async () => {
    const { status, text, headers } = await read('/hall?text');
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    const order = [
      '<h1>Hall</h1>',
      '<p>Welcome.</p>',
      '<section aria-label="Paintings">',
      '<img src="https://pictures.example/reeds.png" alt="Reeds at dusk" loading="lazy">',
      'Ann, 1901',
      '<summary>Reeds at dusk</summary><p>Oil on canvas.</p>',
      '<h2>Sketches</h2>',
      '<p>A <strong>bold</strong> hand.</p>',
      '<a href="https://out.example/a?b&amp;c">Out</a>',
      '<p>Trap</p>',
      '<a href="https://www.youtube.com/watch?v=abc">Video: Making of</a>',
      '<h2>Only now</h2>',
      '<a href="/attic?text">To the attic</a>',
      'By the window</a>',
      '<a href="/hall">Enter the room itself</a>',
    ];
    const places = order.map((part) => text.indexOf(part));
    expect(places, text).not.toContain(-1);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(text).not.toContain('A secret of the editors');
    expect(text).not.toContain('Later');
    expect((await read('/?text')).text).toContain('<h1>Hall</h1>');
    expect((await read('/embed/hall?text')).text).toContain('<h1>Hall</h1>');
  });

  it('speak the language that the address or the browser asks for', async () => {
    const dutch = await read('/hall?text', { 'accept-language': 'nl-BE,nl;q=0.9,en;q=0.8' });
    expect(dutch.text).toContain('<html lang="nl">');
    expect(dutch.text).toContain('Ga de ruimte zelf in');
    expect((await read('/hall?text&lang=en', { 'accept-language': 'nl' })).text).toContain('<html lang="en">');
    expect((await read('/hall?text', { 'accept-language': 'xx,constructor' })).text).toContain('<html lang="en">');
  });

  it('security 35 and 37: run no script, whatever was written', async () => {
    const { text, headers } = await read('/attic?text');
    expect(text).not.toContain('<script');
    expect(text).not.toContain('<img src=x');
    const policy = headers.get('content-security-policy')!;
    expect(policy).toMatch(/^default-src 'none'; /);
    expect(policy).not.toContain('script-src');
    expect(policy).toContain("frame-ancestors 'self'");
  });

  it('say that there is none, or when it starts', async () => {
    const none = await read('/nothing?text');
    expect([none.status, none.text.includes('This page does not exist.')]).toEqual([404, true]);
    const soon = await read('/soon?text');
    expect(soon.text).toContain('This room starts at <time');
    expect(soon.text).not.toContain('Sketches');
  });

  it('security 17: ask for the code of a protected room, and say nothing of it before', async () => {
    const closed = await read('/vault?text');
    expect(closed.status).toBe(400);
    expect(closed.text).toContain('Enter your code');
    expect(closed.text).not.toContain('Hall');
    const day = 86_400_000;
    const at = (by: number) => new Date(api.clock.now() + by * day).toISOString();
    for (const [text, sentence] of [
      ['nonsense', 'This code is not right.'],
      ['', 'This code is not right.'],
      [await code({ valid_from: at(1) }), 'This code is not valid yet.'],
      [await code({ valid_till: at(-1) }), 'This code has expired.'],
    ] as const) {
      const answer = await give(text);
      expect([answer.status, answer.text.includes(sentence)], text).toEqual([400, true]);
      expect(answer.headers.get('set-cookie')).toBeNull();
    }
    const entered = await give(await code());
    expect([entered.status, entered.headers.get('location')]).toEqual([303, '/vault?text']);
    const cookies = entered.headers.getSetCookie();
    expect(cookies.map((cookie) => /Path=([^;]*)/.exec(cookie)?.[1])).toEqual(['/media', '/vault']);
    for (const cookie of cookies) expect(cookie).toContain('HttpOnly');
    const cookie = cookies[0]!.split(';')[0]!;
    const open = await read('/vault?text', { cookie: `${cookie.replace(/=.*/, `=${'x'.repeat(43)}`)}; ${cookie}` });
    expect(open.status).toBe(200);
    expect(open.text).toContain('<h1>Hall</h1>');
    await api.services.db.deleteFrom('visitor_sessions').execute();
    expect((await read('/vault?text', { cookie })).status).toBe(400);
  });

  it('take nothing but a small form', async () => {
    const large = await api.send('POST', '/vault?text', { body: 'x'.repeat(5000), headers: FORM });
    expect(large.status).toBe(413);
    expect((await api.send('POST', '/vault', { body: 'code=x', headers: FORM })).status).toBe(404);
    expect((await api.send('POST', '//evil.example/?text', { body: 'code=x', headers: FORM })).status).toBe(404);
  });
});
