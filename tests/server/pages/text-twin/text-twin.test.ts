import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Client } from '../../../../src/contract/client.ts';
import { ApiApp, oneDatabase } from '../../../harness/api-app.ts';
import { laterToday } from '../../../harness/later-today.ts';
import { FeedSource, item, rss } from '../../../harness/stand-ins/feed-source.ts';

const EVIL = '</title><script>alert(1)</script><img src=x onerror=alert(2)>';
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

describe.each(oneDatabase)('rooms as text on %s', (kind) => {
  let api: ApiApp;
  let client: Client;
  let vault: number;
  let source: FeedSource;
  beforeAll(async () => {
    source = await new FeedSource().start();
    api = await ApiApp.start(kind, {}, { allowed: [new URL(source.url).host] });
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
        alt: 'Reeds bend over dark water',
        author: 'Ann',
        date: '1901',
        navigation: { type: 'modal_content', type_config: { title: 'More', content: '<p>Oil on canvas.</p>' } },
      },
    });
    const ornament = { file_url: 'https://pictures.example/ornament.png', decorative: true };
    await add({ element: 'image', name: 'Ornament', config: ornament });
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
      body: { name: 'Soon', slug: 'soon', room_id: hall.id, ...laterToday(now) },
    });
    const attic = await client.rooms.create({ body: { title: EVIL } });
    await add(
      { element: 'image', name: EVIL, config: { file_url: 'https://x.example/"><script>.png', title: EVIL } },
      attic.id,
    );
    await client.endpoints.create({ body: { name: EVIL, slug: 'attic', room_id: attic.id } });
    const tour = await client.rooms.create({ body: { title: 'Tour' } });
    const hallway = await add({ element: 'view_point', config: { name: 'Hallway' } }, tour.id);
    const kitchen = await add({ element: 'view_point', config: { name: 'Kitchen', order_rank: 1 } }, tour.id);
    await add({ element: 'view_point', config: { name: 'Roof', order_rank: 2 } }, tour.id);
    const toKitchen = { type: 'view_point', type_config: { view_point_id: kitchen.id } };
    await add(
      { element: 'button', visible_at: [hallway.id], config: { title: 'On to the stove', navigation: toKitchen } },
      tour.id,
    );
    const shelf = await add({ element: 'group', name: 'Shelf', visible_at: [kitchen.id] }, tour.id);
    await add({ element: 'text', parent_element_id: shelf.id, config: { text: 'Pots' } }, tour.id);
    await add({ element: 'text', config: { text: 'Opening hours' } }, tour.id);
    await client.endpoints.create({ body: { name: 'Tour', slug: 'tour', room_id: tour.id } });
    ({ id: vault } = await client.endpoints.create({
      body: { name: 'Vault', slug: 'vault', room_id: hall.id, is_protected: true },
    }));
  });
  afterAll(async () => {
    await api.close();
    await source.stop();
  });

  const read = (path: string, headers?: Record<string, string>) => api.send('GET', path, { headers });
  const code = async (fields: Record<string, unknown> = {}) =>
    (await client.accessTokens.create({ body: { endpoint_id: vault, ...fields } })).token;
  const give = (text: string) =>
    api.send('POST', '/vault?text', { body: `code=${encodeURIComponent(text)}`, headers: FORM });

  it('has one heading per place, with the elements visible there', async () => {
    const { text } = await read('/tour?text');
    const [everywhere = '', hallway = '', kitchen = ''] = text.split('<section id="place-');
    expect(everywhere).toContain('Opening hours');
    expect(everywhere).not.toMatch(/Pots|stove/);
    expect(hallway).toMatch(/#view_point=\d+">Hallway<\/a><\/h2>[\s\S]*<a href="#place-\d+">On to the stove/);
    expect(hallway).not.toContain('Pots');
    expect(kitchen).toMatch(/>Kitchen<\/a><\/h2>[\s\S]*aria-label="Shelf"[\s\S]*Pots/);
    expect(text.match(/>Kitchen</g)).toHaveLength(1);
    expect(kitchen).toContain('Roof');
  });

  it('has elements of several places once, and links to them at the others', async () => {
    const { id } = await client.rooms.create({ body: { title: 'Long' } });
    let last = -10;
    const text = (name: string, body: string, visible_at: number[], more: object = {}) => {
      const element = {
        id: last--,
        element: 'rich_text',
        name,
        visible_at,
        config: { body: `<p>${body}</p>` },
        ...more,
      };
      return { type: 'element.add' as const, element };
    };
    const point = (id: number, name: string) => ({
      type: 'element.add' as const,
      element: { id, element: 'view_point', config: { name, order_rank: -id } },
    });
    const feed = await client.feeds.create({ body: { name: 'Hall wall', type: 'local' } });
    const { ids } = await client.rooms.commit({
      params: { id },
      body: {
        client: 'desk',
        mutation: 1,
        commands: [
          point(-1, 'One'),
          point(-2, 'Two'),
          point(-3, 'Three'),
          text('A & B', 'everybody', [-3, -1, -2]),
          text('', 'nameless', [-1, -2]),
          { type: 'element.add', element: { id: -4, element: 'light', name: 'Lamp', visible_at: [-1, -2] } },
          {
            type: 'element.add',
            element: {
              ...{ id: -5, element: 'group', name: 'Case', visible_at: [-1, -2] },
              config: { feed_enabled: true, feed_id: feed.id },
              children: [
                text('Coin', 'copper', []).element,
                text('Ring', 'golden', [-2, -3]).element,
                text('Pin', 'hidden pin', [-3]).element,
              ],
            },
          },
          ...Array.from({ length: 60 }, (_, nth) => text(`Item ${nth}.`, `thing ${nth}.`, [-2, -3])),
        ],
      },
    });
    await client.endpoints.create({ body: { name: 'Long', slug: 'long', room_id: id } });
    const page = (await read('/long?text')).text;
    const [everywhere, one, two, three] = page.split('<section id="place-') as [string, string, string, string];
    expect(everywhere).not.toMatch(/everybody|nameless|copper|golden/);
    for (const once of ['everybody', 'nameless', 'copper', 'golden', 'thing 59.'])
      expect(page.split(once), once).toHaveLength(2);
    const link = (place: number, name: string) => `<p><a href="#place-${ids[place]}">${name}</a></p>`;
    expect(one).toMatch(/everybody[\s\S]*nameless[\s\S]*aria-label="Case"[\s\S]*copper/);
    expect(one).not.toContain('<p><a href="#');
    for (const part of [link(-1, 'A &amp; B'), link(-1, 'Case'), 'thing 59.']) expect(two).toContain(part);
    // Below their group, with the rest of it elsewhere.
    expect(two).toMatch(/aria-label="Case"><div><p>golden/);
    expect(two).not.toMatch(/Lamp|>Coin|>Ring/);
    expect(three).toContain(link(-1, 'A &amp; B'));
    expect(three).not.toMatch(/Ring|Case/);
    expect(page).not.toContain('hidden pin');
    // At most fifty links per place.
    expect(three.match(/<p><a href="#place-/g)).toHaveLength(50);
  });

  it('say what the room shows, in reading order, with links to the text of other rooms', async () => {
    const { status, text, headers } = await read('/hall?text');
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    const order = [
      '<h1>Hall</h1>',
      '<p>Welcome.</p>',
      '<section aria-label="Paintings">',
      '<img src="https://pictures.example/reeds.png" alt="Reeds bend over dark water" loading="lazy">',
      'Ann, 1901',
      '<summary>Reeds at dusk</summary><p>Oil on canvas.</p>',
      '<img src="https://pictures.example/ornament.png" alt="" loading="lazy">',
      '<h2>Sketches</h2>',
      '<p>A <strong>bold</strong> hand.</p>',
      '<a href="https://out.example/a?b&amp;c">Out</a>',
      '<p>Trap</p>',
      '<a href="https://www.youtube.com/watch?v=abc">Video: Making of</a>',
      '<h2>Only now</h2>',
      '<a href="/attic?text">To the attic</a>',
      'By the window</a>',
      '<a href="/hall">Enter the room</a>',
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
    expect(dutch.text).toContain('<html lang="nl" dir="ltr">');
    expect(dutch.text).toContain('Ga de ruimte zelf in');
    expect((await read('/hall?text&lang=en', { 'accept-language': 'nl' })).text).toContain(
      '<html lang="en" dir="ltr">',
    );
    expect((await read('/hall?text', { 'accept-language': 'xx,constructor' })).text).toContain(
      '<html lang="en" dir="ltr">',
    );
    const japanese = await read('/hall?text', { 'accept-language': 'ja-JP' });
    expect(japanese.text).toContain('<html lang="ja" dir="ltr">');
    expect(japanese.text).toContain('>ルームに入る</a>');
    const arabic = await read('/hall?text&lang=AR-eg', { 'accept-language': 'nl' });
    expect(arabic.text).toContain('<html lang="ar" dir="rtl">');
    expect(arabic.text).toContain('<main dir="auto"><h1>Hall</h1>');
    expect(arabic.text).toContain('>الدخول إلى القاعة</a>');
    const malformed = await read('/hall?text&lang=not_a_tag', { 'accept-language': 'nl;q=0.8' });
    expect(malformed.text).toContain('<html lang="nl" dir="ltr">');
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
      ['nonsense', 'That code isn’t valid.'],
      ['', 'That code isn’t valid.'],
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

  it('hold what the feeds of the room hold, as fresh as in the room, for those who may enter', async () => {
    const body =
      '<description>&lt;p&gt;Fish &amp;amp; chips&lt;/p&gt;</description><link>https://blog.example/a?b&amp;c</link>';
    const picture = '<enclosure url="https://pictures.example/quay.jpg" type="image/jpeg" length="1"/>';
    const url = source.put('/blog.xml', rss(item(1, body + picture), item(2)));
    const blog = await client.feeds.create({ body: { name: 'Blog', type: 'picdrop', config: { feed_url: url } } });
    const wall = await client.feeds.create({ body: { name: 'Wall', type: 'local' } });
    const quay = await client.rooms.create({ body: { title: 'Quay' } });
    const group = (config: Record<string, unknown>, more: Record<string, unknown> = {}) =>
      client.rooms.addElement({ params: { id: quay.id }, body: { element: 'group', name: 'News', config, ...more } });
    await group({ feed_enabled: true, feed_id: blog.id });
    await group({ feed_enabled: true, feed_id: wall.id }, { name: 'Wall' });
    await group({ feed_enabled: true, feed_id: wall.id + 1000 }, { name: 'Gone' });
    const hiddenFeed = await client.feeds.create({ body: { name: 'Hidden', type: 'local' } });
    await group({ feed_enabled: true, feed_id: hiddenFeed.id }, { hidden: true });
    await group({ feed_enabled: false, feed_id: hiddenFeed.id });
    const said = { link: '', width: null, height: null, media_id: null };
    const items = [
      ...Array.from({ length: 120 }, (_, index) => ({ name: `Guest ${index}`, feed_id: wall.id })),
      { name: EVIL, feed_id: wall.id },
      { name: 'Nobody', feed_id: hiddenFeed.id },
    ];
    for (const [index, each] of items.entries()) {
      const created_at = new Date(api.clock.now() + index * 1000).toISOString();
      const message = `${EVIL} said ${index}`;
      const file_url = index % 2 ? 'javascript:alert(1)' : '';
      await api.services.db
        .insertInto('feed_items')
        .values({ ...said, ...each, external_id: `own ${index}`, message, file_url, created_at })
        .execute();
    }
    await client.endpoints.create({ body: { name: 'Quay', slug: 'quay', room_id: quay.id } });
    const { text } = await read('/quay?text');
    for (const part of [
      '<section aria-label="News">',
      '<img src="https://pictures.example/quay.jpg" alt="Item 1" loading="lazy">',
      '<strong>Item 1</strong> <p>Fish &amp; chips</p> <time datetime="2026-03-10T10:01:00.000Z">Mar 10, 2026</time>',
      '<a href="https://blog.example/a?b&amp;c">More: Item 1</a>',
      '<strong>Item 2</strong>',
      '<section aria-label="Wall">',
    ])
      expect(text).toContain(part);
    // The newest hundred of a feed, and nothing that runs.
    expect(text.match(/ said \d+/g)).toHaveLength(100);
    expect(text).toContain('said 120');
    expect(text).not.toMatch(/<script|<img src=x|javascript:|Nobody/);
    expect((await read('/quay?text&lang=nl')).text).toContain('Meer: Item 1');

    source.put('/blog.xml', rss(item(3)));
    api.clock.advance(5 * 60_000 - 1000);
    expect((await read('/quay?text')).text).toContain('<strong>Item 1</strong>');
    api.clock.advance(2000);
    const fresh = (await read('/quay?text')).text;
    expect(fresh).toContain('<strong>Item 3</strong>');
    expect(fresh).not.toContain('<strong>Item 1</strong>');
    source.files.delete('/blog.xml');
    api.clock.advance(10 * 60_000);
    expect((await read('/quay?text')).text).toContain('<strong>Item 3</strong>');

    const { slug } = await client.endpoints.create({
      body: { name: 'Members', slug: 'members', room_id: quay.id, is_protected: true },
    });
    expect((await read(`/${slug}?text`)).text).not.toContain('Item 3');
  });
});
