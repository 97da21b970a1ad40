import { describe, expect, it } from 'vitest';
import { picdropItems } from '../../../../../src/server/core/files/inspect/feeds/picdrop-items.ts';
import { FEED_FIELD } from '../../../../../src/server/core/files/inspect/feeds/source-item.ts';

const NOW = '2026-03-10T12:00:00.000Z';
const read = (body: string, type = 'application/rss+xml') =>
  picdropItems({ url: 'https://source.example/feed.xml', type, body: Buffer.from(body), now: NOW });
const rss = (...items: string[]) =>
  `<?xml version="1.0"?><rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/"><channel><title>News</title>${items.map((item) => `<item>${item}</item>`).join('')}</channel></rss>`;
const withHtml = (html: string) =>
  rss(`<title>One</title><link>https://source.example/1</link><description><![CDATA[${html}]]></description>`);

const PHOTO = 'https://cdn.example/photo.jpg';

describe('images in the text of a feed', () => {
  it.each([
    [
      'behind a tracking pixel of one pixel',
      `<img src="https://t.example/p.gif" width="1" height="1"><img src="${PHOTO}">`,
    ],
    ['behind one of no width', `<img src="https://t.example/p.gif" width=0><img src="${PHOTO}">`],
    [
      'behind one whose style says so',
      `<img src='https://t.example/p' style='height:1px;width:1px'><img src="${PHOTO}">`,
    ],
    [
      'that loads late, in place of a picture of one color',
      `<img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=" data-src="${PHOTO}">`,
    ],
    ['that loads late under another name', `<img src="https://cdn.example/loading.svg" data-lazy-src="${PHOTO}">`],
    ['that has sizes only: the largest', `<img srcset="https://cdn.example/small.jpg 300w, ${PHOTO} 1200w">`],
    ['that loads late and has sizes only', `<img src="" data-srcset="https://cdn.example/small.jpg 1x, ${PHOTO} 2x">`],
    ['whose address has entities', `<img src="https://cdn.example/photo.jpg?a=1&amp;b=2">`],
  ])('are found: one %s', (_, html) => {
    const expected = html.includes('&amp;') ? `${PHOTO}?a=1&b=2` : PHOTO;
    expect(read(withHtml(html)).map(({ file_url }) => file_url)).toEqual([expected]);
  });

  it.each([
    ['a tracking pixel alone', '<img src="https://t.example/p.gif" width="1" height="1">'],
    ['a picture that stands in the text itself', '<img src="data:image/png;base64,AAAA">'],
  ])('are none: %s', (_, html) => {
    expect(read(withHtml(html)).map(({ file_url }) => file_url)).toEqual(['']);
  });
});

describe('declarations in a feed', () => {
  it.each([
    ['a whole page', '<!DOCTYPE html><html><body><p>Hello</p></body></html>'],
    ['a line of code', '<pre><!ENTITY a "b"></pre>Hello'],
  ])('are taken for text where a CDATA section quotes %s', (_, html) => {
    const [item, ...others] = read(withHtml(html));
    expect(item).toMatchObject({ name: 'One', link: 'https://source.example/1' });
    expect(item!.message).toContain('Hello');
    expect(others).toEqual([]);
  });

  it.each([
    ['in front of the feed', `<!DOCTYPE rss [<!ENTITY a "aaaa">]>${rss('<title>&a;</title>')}`],
    ['behind a CDATA section', `${withHtml('text')}<!DOCTYPE rss>`],
    [
      'behind a comment that begins like a CDATA section',
      `<!-- <![CDATA[ --><!DOCTYPE rss>${rss('<title>One</title>')}<!-- ]]> -->`,
    ],
  ])('are refused %s', (_, body) => {
    const msg = { [FEED_FIELD]: [expect.stringContaining('This feed contains a DOCTYPE.')] };
    expect(() => read(body)).toThrow(expect.objectContaining({ code: 'invalid', msg }));
  });
});

describe('items with the same guid', () => {
  const item = (guid: string, number: number) =>
    `<guid isPermaLink="false">${guid}</guid><title>Item ${number}</title><link>https://source.example/${number}</link>`;

  it('stay several where they differ, each under an id of its own that does not change', () => {
    const body = rss(item('same', 1), item('same', 2), item('same', 3));
    const found = read(body);
    expect(found.map(({ name }) => name)).toEqual(['Item 1', 'Item 2', 'Item 3']);
    const ids = found.map(({ external_id }) => external_id);
    expect(new Set(ids).size).toBe(3);
    expect(read(body).map(({ external_id }) => external_id)).toEqual(ids);
    // The first keeps its id, whatever comes behind it.
    expect(read(rss(item('same', 1)))[0]!.external_id).toBe(ids[0]);
  });

  it('are one where nothing differs', () => {
    expect(read(rss(item('same', 1), item('same', 1)))).toHaveLength(1);
  });
});
