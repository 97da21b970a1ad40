import { describe, expect, it, test } from 'vitest';
import { ELEMENT_TYPES, type Element, flatElementSchema } from '../../../engine/document/element.ts';
import { type Room, roomSchema } from '../../../engine/document/room.ts';
import {
  hostOf,
  hostsOfElement,
  hostsOfHtml,
  thirdPartiesOf,
  withoutThirdParties,
} from '../../../engine/document/third-parties.ts';

const OWN = ['https://rooms.example.com'];
const element = (type: string, fields: object = {}): Element =>
  flatElementSchema.parse({ id: 1, element: type, ...fields });
const hosts = (type: string, config: object): string[] => hostsOfElement(element(type, { config }), OWN);
const room = (fields: object, elements: Element[] = []): Room => ({
  ...roomSchema.parse({ id: 1, title: 'Room', ...fields }),
  elements,
});

describe('the host of a URL', () => {
  test.each([
    ['https://www.youtube-nocookie.com/embed/a', 'youtube.com'],
    ['https://i.ytimg.com/vi/a/0.jpg', 'youtube.com'],
    ['https://player.vimeo.com/video/1', 'vimeo.com'],
    ['https://cdn.example.org:8443/a.m3u8', 'cdn.example.org:8443'],
    ['//cdn.example.org/a.png', 'cdn.example.org'],
    ['https:\\\\cdn.example.org/a.png', 'cdn.example.org'],
    ['HTTPS://CDN.example.org/a.png', 'cdn.example.org'],
    ['https://notyoutube.com/a', 'notyoutube.com'],
  ])('%s', (address, host) => {
    expect(hostOf(address, OWN)).toBe(host);
  });

  test.each(['', '/media/a.jpg', 'data:image/png;base64,AA', 'https://rooms.example.com/media/a.jpg', 'abc123'])(
    '%j is of the platform itself',
    (address) => {
      expect(hostOf(address, OWN)).toBeNull();
    },
  );
});

describe('the hosts of an element', () => {
  it('are those of every field with a URL that visitors load', () => {
    const url = 'https://third.example/file';
    const found: string[] = [];
    for (const type of ELEMENT_TYPES) {
      const defaults = element(type).config as Record<string, unknown>;
      for (const [name, value] of Object.entries(defaults)) {
        const parse = (given: string) =>
          flatElementSchema.safeParse({ id: 1, element: type, config: { ...defaults, type: 'local', [name]: given } });
        // A field that takes URLs only.
        if (value !== '' || parse('no address').success) continue;
        const given = flatElementSchema.safeParse({ id: 1, element: type, config: { [name]: url } });
        if (!given.success) continue;
        found.push(`${type}.${name}`);
        const local = type === 'video' ? { type: 'local' } : type === 'live_stream' ? { type: 'wowza_live' } : {};
        expect(hosts(type, { ...local, [name]: url }), `${type}.${name}`).toEqual(['third.example']);
      }
    }
    expect(found).toEqual(
      expect.arrayContaining([
        'iframe.src',
        'native_video.direct_url',
        'native_video.model_file_url',
        'audio.file_url',
      ]),
    );
  });

  it('are only those of the platform for its videos and streams', () => {
    expect(hosts('video', { type: 'youtube', id: 'abc' })).toEqual(['youtube.com']);
    expect(hosts('video', { type: 'vimeo', id: '1' })).toEqual(['vimeo.com']);
    expect(hosts('live_stream', { type: 'youtube_live', id: 'abc' })).toEqual(['youtube.com']);
    expect(hosts('live_stream', { type: 'vimeo_live', id: '1' })).toEqual(['vimeo.com']);
    expect(hosts('live_stream', { type: 'wowza_live', src: 'https://cdn.example.org/a.m3u8' })).toEqual([
      'cdn.example.org',
    ]);
  });

  it('include thumbnails and subtitles', () => {
    const thumb = 'https://i.ytimg.com/vi/a/0.jpg';
    expect(hosts('native_video', { file_url: '/media/a.mp4', thumb })).toEqual(['youtube.com']);
    const text_tracks = [{ id: '1', name: 'English', language: 'en', link: 'https://subtitles.example/a.vtt' }];
    expect(hosts('native_video', { file_url: '/media/a.mp4', text_tracks })).toEqual(['subtitles.example']);
  });

  it('are none for content of the platform', () => {
    expect(hosts('image', { file_url: '/media/a.jpg' })).toEqual([]);
    expect(hosts('iframe', { src: 'https://rooms.example.com/page' })).toEqual([]);
    expect(hosts('text', { text: 'https://third.example' })).toEqual([]);
  });
});

describe('the hosts of HTML', () => {
  test.each([
    ['<p><img src="https://a.example/x.png"></p>', ['a.example']],
    ['<img src="/media/x.png" srcset="https://a.example/1.png 1x, //b.example/2.png 2x">', ['a.example', 'b.example']],
    ['<p style="background: url(https://a.example/x.png)">Text</p>', ['a.example']],
    ['<style>@import "https://a.example/x.css";</style>', ['a.example']],
    ['<a href="https://a.example">https://b.example</a>', []],
    ['<video poster="https://a.example/p.jpg" src="https://b.example/v.mp4"></video>', ['a.example', 'b.example']],
    ['<a href="https://a.example" style="background:url(https://b.example/x.png)">Text</a>', ['b.example']],
    ['<p style="background:url(&quot;https://a.example/x.png&quot;)">Text</p>', ['a.example']],
    ['<style>p { background: url("//a.example/x.png") }</style>', ['a.example']],
    ["<IMG alt='>' SRC = 'https://a.example/x.png'>", ['a.example']],
    ['<img src=https://a.example/x.png>', ['a.example']],
    ['<img src="/own.png" alt="From https://a.example/x" title="src=&quot;//b.example&quot; src=//c.example">', []],
    ['<img src="/media/a//b.png" srcset="/media/a//b.png 1x">', []],
    [
      '<img src="data:image/png;base64,AA//8A" srcset="data:image/png;base64,//8A 1x, //a.example/2.png 2x">',
      ['a.example'],
    ],
    ['<p style="background:url(data:image/png;base64,//8A),url(https://a.example/x.png)">Text</p>', ['a.example']],
    [
      `<p style="background:url('data:image/svg+xml,<svg xmlns=%22http://www.w3.org/2000/svg%22> //b.example</svg>')">Text</p>`,
      [],
    ],
  ])('%s', (html, expected) => {
    expect(hostsOfHtml(html, OWN)).toEqual(expected);
  });
});

test('HTML without third parties keeps its own images, its links and its words', () => {
  const html =
    '<p>https://a.example <img src="https://a.example/x.png"><img src="/own.png"><a href="https://b.example">B</a></p>';
  expect(withoutThirdParties(html, OWN)).toBe(
    '<p>https://a.example <img src=""><img src="/own.png"><a href="https://b.example">B</a></p>',
  );
  const own = '<img src="data:image/png;base64,//8A" alt="See https://a.example"><a title=">" href=\'/b\'>B</a>';
  expect(withoutThirdParties(own, OWN)).toBe(own);
  expect(withoutThirdParties('<p style="color:red;background:url(https://a.example/x?a=1&amp;b=2)">A</p>', OWN)).toBe(
    '<p style="color:red;background:url()">A</p>',
  );
});

test('the third parties of a room are listed once each, with what they are for and their elements', () => {
  const elements = [
    element('video', { id: 1, config: { type: 'youtube', id: 'abc' } }),
    element('iframe', { id: 2, config: { src: 'https://page.example/a' } }),
    element('video', { id: 3, config: { type: 'youtube', id: 'def' } }),
    element('image', {
      id: 4,
      config: { file_url: '/a.png', navigation: { type: 'modal_url', type_config: { url: 'https://dialog.example' } } },
    }),
    element('image', {
      id: 5,
      config: { file_url: '/a.png', navigation: { type: 'url', type_config: { url: 'https://opened.example' } } },
    }),
  ];
  const description = '<img src="https://popup.example/a.png">';
  expect(thirdPartiesOf(room({ description }, elements), OWN)).toEqual([
    { host: 'youtube.com', name: 'YouTube', uses: ['video'], elements: [1, 3] },
    { host: 'page.example', name: 'page.example', uses: ['page'], elements: [2] },
    { host: 'dialog.example', name: 'dialog.example', uses: ['page'], elements: [4] },
    { host: 'popup.example', name: 'popup.example', uses: ['file'], elements: [] },
  ]);
  expect(thirdPartiesOf(room({}), OWN)).toEqual([]);
});

test('360° videos of a template, and links in the corners of a room, count too', () => {
  const link = { name: 'More', navigation: { type: 'modal_url', type_config: { url: 'https://corner.example' } } };
  const template = {
    id: 1,
    name: 'Sky',
    model_type: 'pano',
    config: { camera: {}, video_url: 'https://sky.example/a.m3u8' },
  };
  const found = thirdPartiesOf(room({ template, config: { top_left_link: link } }), OWN);
  expect(found.map(({ host, uses }) => [host, uses])).toEqual([
    ['sky.example', ['video']],
    ['corner.example', ['page']],
  ]);
});
