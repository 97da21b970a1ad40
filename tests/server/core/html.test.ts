import { describe, expect, it } from 'vitest';
import { sanitizePage } from '../../../src/server/core/html/sanitize-html.ts';

/** The style that is left of an element's. */
const styleOf = (style: string): string | undefined =>
  /style="([^"]*)"/.exec(sanitizePage(`<p style="${style.replaceAll('"', '&quot;')}">a</p>`))?.[1];

const LOADING = ['url', 'src', 'image', 'image-set', '-webkit-image-set', 'cross-fade', 'element', '-moz-element'];
const LOOKING_UP = ['paint', 'expression', 'attr', 'env', 'var'];
const SPACES = ['', ' ', '\n', '\r\n', '\t', '\f', '\u00a0', '\u2028', ' \n '];
const FRONTS = ['', 'red ', 'red\n', 'red\r\n', 'red\f', '\n\n', 'red,\n', "'\n' "];
const PLAIN = [
  'red',
  '#abc',
  '1px solid rgba(0, 0, 0, 0.5)',
  'calc(100% - 2px)',
  "Inter, 'Open Sans', sans-serif",
  'linear-gradient(90deg, red, blue)',
  'repeat(2, minmax(10px, 1fr))',
  'red !important',
  '1px\n2px',
];

describe('styles of HTML', () => {
  it('load and look up nothing, however that is spelled', () => {
    for (const name of [...LOADING, ...LOOKING_UP])
      for (const spelling of [name, name.toUpperCase(), name.slice(0, 1).toUpperCase() + name.slice(1)])
        for (const space of SPACES)
          for (const front of FRONTS)
            for (const inner of [
              '//evil.example/x',
              "'//evil.example/x'",
              '"//evil.example/x"',
              '\n//evil.example/x',
            ]) {
              const value = `${front}${spelling}${space}(${inner})`;
              for (const property of ['background', 'color', 'font', 'list-style'])
                expect(styleOf(`${property}: ${value}`), JSON.stringify(value)).toBeUndefined();
            }
  });

  it('have no comments and no escapes, which hide what a word is', () => {
    const spellings = [
      'u/**/rl(//evil.example)',
      'url/**/(//evil.example)',
      '/**/url(//evil.example)',
      'u/*\n*/rl(//evil.example)',
      'red/*',
      '\\75rl(//evil.example)',
      'u\\72 l(//evil.example)',
      '\\000075\\000072\\00006c(//evil.example)',
      'ur\\\nl(//evil.example)',
      'red\\',
    ];
    for (const value of spellings)
      for (const front of FRONTS) {
        const style = `background: ${front}${value}`;
        const left = styleOf(style);
        expect(left ?? '', style).not.toMatch(/\(|\\|\/\*|evil/);
      }
  });

  it('keep what only draws', () => {
    for (const value of PLAIN) expect(styleOf(`background: ${value}`), value).toBe(`background:${value}`);
  });
});
