import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Client } from '../../../../src/contract/client.ts';
import { ApiApp, databases, refused } from '../../../harness/api-app.ts';
import { FeedSource, item, rss } from '../../../harness/stand-ins/feed-source.ts';

const MINUTE = 60_000;

describe.each(databases)('feeds on %s', (kind) => {
  let api: ApiApp;
  let client: Client;
  let source: FeedSource;
  let room: number;
  beforeAll(async () => {
    source = await new FeedSource().start();
    api = await ApiApp.start(kind, {}, { allowed: [new URL(source.url).host] });
    client = api.client();
    room = (await client.rooms.create({ body: { title: 'Hall' } })).id;
    await client.endpoints.create({ body: { name: 'Hall', room_id: room } });
  });
  afterEach(() => expect(source.wrong.splice(0)).toEqual([]));
  afterAll(async () => {
    await api.close();
    await source.stop();
  });

  const advance = async (milliseconds: number) => {
    api.clock.advance(milliseconds);
    client = api.client({ token: await api.signIn(api.one.admin) });
  };
  const show = (feed_id: number) =>
    client.rooms.addElement({
      params: { id: room },
      body: { element: 'group', config: { feed_enabled: true, feed_id } },
    });
  const picdrop = (feed_url: string, name = 'Gallery') =>
    client.feeds.create({ body: { name, type: 'picdrop', config: { feed_url } } });
  const items = (id: number) => api.client({ token: null }).visit.feedItems({ params: { id } });
  const read = (id: number) => client.feeds.read({ params: { id } });

  it('are listed by name, changed and removed; the type stays', async () => {
    const made = await client.feeds.create({ body: { name: 'Wall', type: 'local' } });
    expect(made).toMatchObject({
      type: 'local',
      config: { feed_url: '' },
      is_connected: true,
      redirect_url: null,
      problem: '',
      items_count: 0,
    });
    const params = { id: made.id };
    expect(await read(made.id)).toEqual(made);
    const changed = await client.feeds.update({ params, body: { name: 'Guest book', updated_at: made.updated_at } });
    expect(changed.name).toBe('Guest book');
    const late = client.feeds.update({ params, body: { name: 'Late', updated_at: made.updated_at } });
    expect((await refused(late)).code).toBe('stale');
    const type = client.feeds.update({ params, body: { type: 'picdrop' } as never });
    expect((await refused(type)).code).toBe('unknown_field');
    const address = client.feeds.update({ params, body: { config: { feed_url: 'https://example.org/' } } });
    expect(Object.keys((await refused(address)).msg)).toEqual(['config.feed_url']);
    const { data, meta } = await client.feeds.list({ query: { search: 'guest' } });
    expect([data, meta.total]).toEqual([[changed], 1]);
    const foreign = api.client(api.two.admin).feeds;
    expect((await refused(foreign.read({ params }))).code).toBe('not_found');
    await client.feeds.remove({ params });
    expect((await refused(read(made.id))).code).toBe('not_found');
    const log = await api.services.db
      .selectFrom('changes')
      .select(['action', 'entity'])
      .where('entity_id', '=', made.id)
      .where('entity', '=', 'feed')
      .orderBy('id')
      .execute();
    expect(log.map(({ action }) => action)).toEqual(['create', 'update', 'delete']);
  });

  describe('of Picdrop', () => {
    it('are read from RSS: plain texts, pictures, and links to the web only', async () => {
      const url = source.put(
        '/a.xml',
        rss(
          item(
            1,
            '<description>&lt;p&gt;Tom &amp;amp; &lt;b&gt;Eva&lt;/b&gt;&lt;script&gt;alert(1)&lt;/script&gt;&lt;/p&gt;</description><link>/one</link><enclosure url="https://img.example/1.jpg" type="image/jpeg" length="1"/>',
          ),
          item(
            2,
            '<link>javascript:alert(1)</link><media:content url="https://img.example/2.jpg" medium="image" width="640" height="480"/>',
          ),
          item(
            3,
            '<content:encoded><![CDATA[<a onclick="x">Look</a> <img src="https://img.example/3.jpg" onerror="x">]]></content:encoded><enclosure url="data:image/png;base64,AA" type="image/png" length="1"/>',
          ),
        ),
      );
      const feed = await picdrop(url);
      expect(feed).toMatchObject({ items_count: 3, problem: '', fetched_at: expect.any(String) });
      await show(feed.id);
      const [third, second, first] = await items(feed.id);
      expect(first).toMatchObject({
        name: 'Item 1',
        message: 'Tom & Eva',
        file_url: 'https://img.example/1.jpg',
        link: `${source.url}/one`,
        created_at: '2026-03-10T10:01:00.000Z',
      });
      expect(second).toMatchObject({ link: '', file_url: 'https://img.example/2.jpg', width: 640, height: 480 });
      expect(third).toMatchObject({ message: 'Look', file_url: '' });
    });

    it('are read from Atom, RDF and JSON Feed as well', async () => {
      const atom = source.put(
        '/atom.xml',
        '<?xml version="1.0" encoding="iso-8859-1"?><feed xmlns="http://www.w3.org/2005/Atom"><title>T</title><id>t</id><updated>2026-03-10T10:00:00Z</updated><entry><id>a</id><title>Atom</title><updated>2026-03-10T10:00:00Z</updated><link href="https://example.org/a"/><link rel="enclosure" type="image/png" href="https://img.example/a.png"/><summary>Words</summary></entry></feed>',
      );
      const rdf = source.put(
        '/rdf.xml',
        '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"><channel rdf:about="c"><title>T</title><link>https://example.org/</link><description>d</description></channel><item rdf:about="r"><title>RDF</title><link>https://example.org/r</link><description>Words</description></item></rdf:RDF>',
      );
      const json = source.put(
        '/feed.json',
        JSON.stringify({
          version: 'https://jsonfeed.org/version/1.1',
          title: 'T',
          items: [
            {
              id: 'j',
              title: 'JSON',
              content_text: 'Words',
              url: 'https://example.org/j',
              image: 'https://img.example/j.png',
              date_published: '2026-03-10T10:00:00Z',
            },
          ],
        }),
        'application/feed+json',
      );
      for (const [url, name, picture] of [
        [atom, 'Atom', 'https://img.example/a.png'],
        [rdf, 'RDF', ''],
        [json, 'JSON', 'https://img.example/j.png'],
      ] as const) {
        const feed = await picdrop(url);
        await show(feed.id);
        const letter = name[0]!.toLowerCase();
        expect(await items(feed.id)).toMatchObject([
          { name, message: 'Words', file_url: picture, link: `https://example.org/${letter}` },
        ]);
      }
    });

    it('security 43: entities of XML are not unfolded, and files are not read', async () => {
      const hostile = [
        `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>${rss(item(1, '<description>&a;</description>'))}`,
        `<!doctype x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]>${rss(item(1))}`,
        rss(`<!-- <![CDATA[ --><!DOCTYPE x [<!ENTITY a SYSTEM "http://127.0.0.1/">]><!-- ]]> -->${item(1)}`),
      ];
      for (const [index, text] of hostile.entries()) {
        const { status, msg } = await refused(picdrop(source.put(`/hostile-${index}.xml`, text)));
        expect([status, msg['config.feed_url']?.[0]]).toEqual([422, expect.stringMatching(/DOCTYPE/)]);
      }
      const deep = source.put('/deep.xml', rss(item(1, `${'<a>'.repeat(100_000)}${'</a>'.repeat(100_000)}`)));
      const answer = await picdrop(deep).catch((error) => error.status);
      expect([422, 'object']).toContain(typeof answer === 'object' ? 'object' : answer);
      expect((await api.send('GET', '/api/v1/settings')).status).toBe(200);
    });

    it('security 41: addresses that lead elsewhere than to a public feed are refused, and nothing is kept', async () => {
      const before = await api.dump(['sessions']);
      for (const url of [
        'http://127.0.0.1:9/feed.xml',
        'http://localhost/feed.xml',
        'http://169.254.169.254/latest/meta-data/',
        'http://[::ffff:10.0.0.1]/',
        'http://0x7f.1/',
        'http://user:password@example.com/',
        'file:///etc/passwd',
        'javascript:alert(1)',
        `${source.url}/missing.xml`,
        source.put('/page.html', '<!-- a page --><html><body>No feed</body></html>', 'text/html'),
        source.put('/empty', ''),
      ]) {
        const { status, msg } = await refused(picdrop(url));
        expect([status, Object.keys(msg)], url).toEqual([422, ['config.feed_url']]);
      }
      const none = client.feeds.create({ body: { name: 'None', type: 'picdrop' } });
      expect(Object.keys((await refused(none)).msg)).toEqual(['config.feed_url']);
      expect(await api.dump(['sessions'])).toBe(before);
    });

    it('are read again after five minutes, once for all who ask, and keep a hundred items at most', async () => {
      const many = Array.from({ length: 150 }, (_, index) => item(index));
      const url = source.put('/many.xml', rss(...many));
      const feed = await picdrop(url);
      await show(feed.id);
      const first = await items(feed.id);
      expect([first.length, feed.items_count]).toEqual([100, 100]);
      source.takeSeen();
      await advance(5 * MINUTE - 1);
      await items(feed.id);
      expect(source.takeSeen()).toEqual([]);
      await advance(1);
      source.put('/many.xml', rss(many[0]!, item(200)));
      const answers = await Promise.all(Array.from({ length: 20 }, () => items(feed.id)));
      expect(source.takeSeen()).toEqual(['GET /many.xml']);
      for (const answer of answers) expect(answer.map(({ name }) => name).sort()).toEqual(['Item 0', 'Item 200']);
      const idOf = (list: typeof first) => list.find(({ name }) => name === 'Item 0')!.id;
      expect(idOf(answers[0]!)).toBe(idOf(first));
    });

    it('security 43: a source that fails leaves the last good items, and says what is wrong', async () => {
      const url = source.put('/failing.xml', rss(item(1)));
      const feed = await picdrop(url);
      await show(feed.id);
      const good = await items(feed.id);
      for (const fail of [
        () => source.failNext('broken'),
        () => source.failNext('cut'),
        () => source.put('/failing.xml', 'no feed any more'),
      ]) {
        fail();
        await advance(5 * MINUTE);
        source.takeSeen();
        expect(await items(feed.id)).toEqual(good);
        expect(source.takeSeen()).toHaveLength(1);
        expect((await read(feed.id)).problem).not.toBe('');
        expect(await items(feed.id)).toEqual(good);
        expect(source.takeSeen()).toEqual([]);
      }
      source.put('/failing.xml', rss(item(2)));
      await advance(5 * MINUTE);
      expect(await items(feed.id)).toMatchObject([{ name: 'Item 2' }]);
      expect(await read(feed.id)).toMatchObject({ problem: '', items_count: 1 });
    });

    it("a new address is read at once; one that can't be read changes nothing", async () => {
      const feed = await picdrop(source.put('/old.xml', rss(item(1))));
      await show(feed.id);
      const params = { id: feed.id };
      const wrong = client.feeds.update({ params, body: { config: { feed_url: `${source.url}/none.xml` } } });
      expect((await refused(wrong)).status).toBe(422);
      expect(await read(feed.id)).toEqual(feed);
      const feed_url = source.put('/new.xml', rss(item(7)));
      expect(await client.feeds.update({ params, body: { config: { feed_url } } })).toMatchObject({
        config: { feed_url },
      });
      expect(await items(feed.id)).toMatchObject([{ name: 'Item 7' }]);
    });
  });
});
