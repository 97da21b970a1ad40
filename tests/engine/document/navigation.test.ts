import { describe, expect, test } from 'vitest';
import { href } from '../../../engine/document/fields.ts';
import { linkSchema, navigationSchema } from '../../../engine/document/navigation.ts';

const defaults = {
  disabled: {},
  space: { endpoint: null, endpoint_url: '' },
  url: { url: '' },
  slug: { slug_one: '', slug_two: '' },
  event: { name: '' },
  view_point: { view_point_id: null },
  slider: {},
  modal_url: { url: '', title: '' },
  modal_content: { content: '', title: '' },
  modal_static: { name: 'about' },
  modal_share: { feed_id: null, success_message: '', reload_room: false },
};

const filled = {
  disabled: {},
  space: { endpoint: 4, endpoint_url: '/museum/hall' },
  url: { url: 'https://example.org/' },
  slug: { slug_one: 'museum', slug_two: 'hall' },
  event: { name: 'opened' },
  view_point: { view_point_id: 7 },
  slider: {},
  modal_url: { url: '/page', title: 'Page' },
  modal_content: { content: '<p>Hello</p>', title: 'Hello' },
  modal_static: { name: 'help' },
  modal_share: { feed_id: 2, success_message: 'Thank you', reload_room: true },
};

const refused = [
  'http://example.org',
  'HTTP://example.org',
  '//example.org',
  '/\\example.org',
  '\\\\example.org',
  '/\t/example.org',
  '/\n/example.org',
  'https:example.org',
  'https://',
  'https:///example.org',
  'https://exa mple.org',
  'https://example.org@evil.org',
  'https://user:password@example.org',
  'https://:443',
  'https://<b>',
  'https://example.org\\@evil.org',
  'https://example.org/a\u0000b',
  'https://example.org/\ud800',
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  ' javascript:alert(1)',
  'java\nscript:alert(1)',
  '\u0001javascript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:msgbox(1)',
  'blob:https://example.org/1',
  'file:///etc/passwd',
  'ftp://example.org',
  'mailto:a@example.org',
  'example.org',
  'relative/path',
  '?query',
  '#hash',
  `https://example.org/${'x'.repeat(2048)}`,
];

describe('the eleven types', () => {
  const types = Object.keys(defaults) as (keyof typeof defaults)[];

  test('are eleven', () => expect(types).toHaveLength(11));

  test.each(types)('%s takes an empty type_config, as a change of type leaves it', (type) => {
    expect(navigationSchema.parse({ type, type_config: {} })).toEqual({ type, type_config: defaults[type] });
    expect(navigationSchema.parse({ type })).toEqual({ type, type_config: defaults[type] });
  });

  test.each(types)('%s keeps its settings and drops those of other types', (type) => {
    const others = Object.assign({ extra: 1 }, ...Object.values(filled));
    expect(navigationSchema.parse({ type, type_config: { ...others, ...filled[type] } })).toEqual({
      type,
      type_config: filled[type],
    });
  });

  test('nothing set is disabled', () => {
    expect(navigationSchema.parse(undefined)).toEqual({ type: 'disabled', type_config: {} });
    expect(linkSchema.parse({})).toEqual({ name: '', navigation: { type: 'disabled', type_config: {} } });
  });

  test.each(['modal', '', null, 3, 'URL'])('there is no type %o', (type) => {
    expect(navigationSchema.safeParse({ type, type_config: {} }).success).toBe(false);
  });

  test.each([
    { type: 'modal_static', type_config: { name: 'contact' } },
    { type: 'view_point', type_config: { view_point_id: -1 } },
    { type: 'space', type_config: { endpoint: '4' } },
    { type: 'slug', type_config: { slug_one: 'x'.repeat(121) } },
    { type: 'event', type_config: { name: 'a\nb' } },
    { type: 'modal_content', type_config: { content: 'x'.repeat(200_001) } },
    { type: 'url', type_config: null },
  ])('refuses %o', (navigation) => {
    expect(navigationSchema.safeParse(navigation).success).toBe(false);
  });
});

describe('security 40: a link leads to https or this site only', () => {
  test.each(refused)('%j is refused as a url, in a frame and as a space', (address) => {
    expect(navigationSchema.safeParse({ type: 'url', type_config: { url: address } }).success).toBe(false);
    expect(navigationSchema.safeParse({ type: 'modal_url', type_config: { url: address } }).success).toBe(false);
    expect(navigationSchema.safeParse({ type: 'space', type_config: { endpoint_url: address } }).success).toBe(false);
  });

  test.each([
    'https://example.org',
    'HTTPS://Example.org:8443/a?b=//c#d',
    '/',
    '/museum/hall?x=1',
    '',
    ' https://a.b ',
  ])('%j is taken', (address) => expect(href.parse(address)).toBe(address.trim()));

  test('what is taken never leaves this site except by https, as a browser reads it', () => {
    const pieces = [
      '/',
      '\\',
      '\t',
      '\n',
      ' ',
      '.',
      '@',
      ':',
      'a.b',
      'https:',
      'javascript:',
      'data:',
      '?',
      '#',
      '\u0000',
    ];
    let taken = 0;
    for (const a of pieces)
      for (const b of pieces)
        for (const c of pieces)
          for (const d of pieces) {
            const parsed = href.safeParse(a + b + c + d);
            if (!parsed.success) continue;
            taken++;
            const url = new URL(parsed.data, 'https://here.example');
            expect(url.protocol, JSON.stringify(parsed.data)).toBe('https:');
            if (!/^https:/i.test(parsed.data)) expect(url.host, JSON.stringify(parsed.data)).toBe('here.example');
          }
    expect(taken).toBeGreaterThan(100);
  });
});

describe('security 37: javascript: and data: are dropped wherever a room holds an address', () => {
  test.each(refused.filter((address) => /script:|data:/i.test(address)))('%j', (address) => {
    expect(href.safeParse(address).success).toBe(false);
    expect(linkSchema.safeParse({ navigation: { type: 'url', type_config: { url: address } } }).success).toBe(false);
  });
});
