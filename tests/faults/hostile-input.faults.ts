import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ApiApp, formOf } from '../harness/api-app.ts';
import { FeedSource, rss } from '../harness/stand-ins/feed-source.ts';
import { withSlack } from './installation.ts';

/** Milliseconds that others may wait while the server reads what somebody sent. */
const LONGEST_WAIT = 400;
const MEGABYTE = 1024 * 1024;

describe('hostile input leaves /healthz answering', () => {
  let api: ApiApp;
  let source: FeedSource;
  let room: number;
  beforeAll(async () => {
    source = await new FeedSource().start();
    api = await ApiApp.start('sqlite', {}, { allowed: [new URL(source.url).host] });
    room = (await api.client().rooms.create({ body: { title: 'Hall' } })).id;
  });
  afterAll(async () => {
    await api?.close();
    await source?.stop();
  });

  /** The longest that /healthz takes while something is sent. */
  async function waitsDuring(send: () => Promise<unknown>): Promise<number> {
    let isOver = false;
    let longest = 0;
    const sending = send().finally(() => {
      isOver = true;
    });
    do {
      const begun = performance.now();
      expect((await api.send('GET', '/healthz')).status).toBe(200);
      longest = Math.max(longest, performance.now() - begun);
    } while (!isOver);
    await sending;
    return longest;
  }

  const token = () => api.one.admin.token;
  const json = (method: string, path: string, body: string) => () =>
    api.send(method, `/api/v1/backend${path}`, { token: token(), body });
  const html = (body: string) => ({ element: 'html', config: { body } });
  const upload = (content: string) => {
    const form = formOf({}, { field: 'file', name: 'file.bvh', content: new Blob([content]) });
    return () => api.send('POST', '/api/v1/backend/media', { token: token(), form });
  };
  const feed = (path: string, text: string) => {
    const feed_url = source.put(path, text);
    return () =>
      api
        .client()
        .feeds.create({ body: { name: path, type: 'picdrop', config: { feed_url } } })
        .catch(() => null);
  };
  const HTML: Record<string, string> = {
    'tags that are not closed': '<div>'.repeat(20_000),
    'tags that are closed by others': '<b>x</i>'.repeat(10_000),
    'too many tags': '<b>'.repeat(66_000),
    'styles of nested brackets': `<p style="${'{'.repeat(3900)}">`.repeat(50),
    attributes: `<div ${Array.from({ length: 25_000 }, (_, index) => `a${index}`).join(' ')}>`,
  };
  const cases: [string, () => () => Promise<unknown>][] = [
    ['motion capture of line breaks', () => upload(`HIERARCHY\n${'\n'.repeat(20 * MEGABYTE)}`)],
    ...Object.entries(HTML).flatMap(([name, body]): typeof cases => [
      [`an element of ${name}`, () => json('POST', `/rooms/${room}/element`, JSON.stringify(html(body)))],
      [
        `an import of ten elements of ${name}`,
        () => {
          const elements = Array.from({ length: 10 }, (_, index) => ({ id: index + 1, ...html(body) }));
          return json('POST', '/imports/rooms', JSON.stringify({ items: [{ title: name, elements }] }));
        },
      ],
    ]),
    [
      'a feed of 9.9 MB of attributes',
      () => {
        const names = Array.from({ length: 700_000 }, (_, index) => `a${index}="1"`).join(' ');
        return feed('/attributes', rss(`<item ${names.slice(0, 9.8 * MEGABYTE)}/>`));
      },
    ],
    ['a feed of 9.9 MB of items', () => feed('/items', rss('<item><title>a</title></item>'.repeat(340_000)))],
    [
      'a feed of pictures without an end',
      () =>
        feed(
          '/pictures',
          rss(`<item><description><![CDATA[${'<img src='.repeat(11_000)}]]></description></item>`.repeat(90)),
        ),
    ],
  ];

  it.each(cases)('%s', async (name, make) => {
    const longest = await waitsDuring(make());
    console.log(`${name}: ${longest.toFixed(0)} ms`);
    expect(longest).toBeLessThan(withSlack(LONGEST_WAIT));
  });
});
