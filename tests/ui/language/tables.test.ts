import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { LANGUAGES } from '../../../src/ui/language/language.ts';
import { hasTexts, textsOf } from '../../../vite.translated-texts.ts';
import { sharedTexts } from './shared-texts.ts';

const files = globSync('src/{admin,editor,ui}/**/*.{ts,tsx}').sort();
/** Every text with its first place, and the nouns shown with a number. */
const places = new Map<string, string>();
const counted = new Set<string>();
for (const file of files.filter((file) => hasTexts(resolve(file)))) {
  for (const { text, line, isCounted } of textsOf(file, readFileSync(file, 'utf8'))) {
    if (!places.has(text)) places.set(text, `${file}:${line}`);
    if (isCounted) counted.add(text);
  }
}
for (const text of sharedTexts()) if (!places.has(text)) places.set(text, 'tests/ui/language/shared-texts.ts');

const placeholders = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(([found]) => found).sort();
const edges = (text: string) => [/^\s/.test(text), /\s$/.test(text)];

describe.each(Object.keys(LANGUAGES).filter((code) => code !== 'en'))('the table of %s', (code) => {
  const table: Record<string, string> = JSON.parse(readFileSync(`src/ui/language/tables/${code}.json`, 'utf8'));

  test('has every text of the back-office', () => {
    expect(places.size).toBeGreaterThan(2000);
    const missing = [...places].filter(([text]) => !table[text]?.trim());
    expect(missing.slice(0, 10).map(([text, place]) => `${place}: ${text}`)).toEqual([]);
  });

  test('has the singular of every noun shown with a number', () => {
    expect(counted.size).toBeGreaterThan(20);
    expect([...counted].filter((noun) => !table[`1 ${table[noun]}`]?.startsWith('1 '))).toEqual([]);
  });

  test('keeps placeholders, and spaces at the edges', () => {
    const wrong = [...places.keys()].filter((text) => {
      const translation = table[text] ?? text;
      return (
        placeholders(text).join() !== placeholders(translation).join() ||
        edges(text).join() !== edges(translation).join()
      );
    });
    expect(wrong).toEqual([]);
  });

  test('has no unused texts', () => {
    const singulars = new Set([...counted].map((noun) => `1 ${table[noun]}`));
    expect(Object.keys(table).filter((text) => !places.has(text) && !singulars.has(text))).toEqual([]);
  });

  test('is sorted', () => {
    expect(Object.keys(table)).toEqual(Object.keys(table).toSorted());
  });
});
