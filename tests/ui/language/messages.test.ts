import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { LANGUAGES } from '../../../src/ui/language/language.ts';
import { MESSAGE_FILES, sourceMessages } from './message-sources.ts';
import { tableOf, translatorOf } from './translator-of.ts';

const sources = sourceMessages();
const ZOD = 'node_modules/zod/v4/locales/en.js';
const code = [...MESSAGE_FILES.flatMap((pattern) => globSync(pattern)), ZOD]
  .map((file) => readFileSync(file, 'utf8'))
  .join('\n')
  .replace(/\\'/g, "'");

/** Whether the words of a message, or of a part of one, are in the sources. Zod makes its messages of single words. */
const isInSources = (text: string) =>
  sources.has(text) ||
  text
    .split(/^(?:Invalid|Too big|Too small|Unrecognized)\b/.test(text) ? /\W+|\d/ : /\{\d+\}|; |[()"“”]/)
    .every((part) => code.includes(part.trim()));

const PLACE = /\{\d+\}/;
const placeholders = (text: string) => [...text.matchAll(/\{\d+\}/g)].map(([found]) => found).sort();

describe.each(Object.keys(LANGUAGES).filter((language) => language !== 'en'))('messages in %s', (language) => {
  const table = tableOf('tables', language);
  const messages = tableOf('messages', language);

  test('every message of the server, the contract and the document is translated', () => {
    expect(sources.size).toBeGreaterThan(800);
    const missing = [...sources].filter(([text]) => !messages[text]?.trim() && (!table[text] || PLACE.test(text)));
    expect(missing.map(([text, place]) => `${place}: ${text}`)).toEqual([]);
  });

  test('values are kept', () => {
    const wrong = Object.entries(messages).filter(([text, translation]) =>
      sources.has(text)
        ? placeholders(text).join() !== placeholders(translation).join()
        : placeholders(translation).some((place) => !text.includes(place)),
    );
    expect(wrong).toEqual([]);
  });

  test('there are no unused messages, none that the other table has, and they are sorted', () => {
    expect(Object.keys(messages).filter((text) => !isInSources(text))).toEqual([]);
    // Templates are found only in this table.
    expect(Object.keys(messages).filter((text) => text in table && !PLACE.test(text))).toEqual([]);
    for (const [text, translation] of Object.entries(messages)) expect(table[text] ?? translation).toBe(translation);
    expect(Object.keys(messages)).toEqual(Object.keys(messages).toSorted());
  });
});

describe('translating messages', () => {
  const dutch = translatorOf('nl');
  const german = translatorOf('de');

  test('messages with values', () => {
    expect(dutch.translate('Use at most 2,000 translations.')).toBe('Gebruik hoogstens 2.000 vertalingen.');
    expect(dutch.translate('The template "Use it." has no model.')).toBe('Het sjabloon “Use it.” heeft geen model.');
  });

  test('messages in messages, and several sentences', () => {
    expect(dutch.translate('Nothing was translated. The webhook returned status 500.')).toBe(
      'Er is niets vertaald. De webhook antwoordde met status 500.',
    );
    expect(dutch.translate('Enter your name. Something unknown. Enter a text.')).toBe(
      'Vul je naam in. Something unknown. Vul een tekst in.',
    );
    expect(dutch.translate('Line 3: This is a PDF. Send a CSV file.')).toBe(
      'Regel 3: Dit is een pdf. Stuur een CSV-bestand.',
    );
    expect(dutch.translate('Scene “a”: has no text; left out')).toBe('Scène “a”: heeft geen tekst; weggelaten');
  });

  test('values that are words of the server', () => {
    expect(dutch.translate('This is a text file, but a 3D model is required.')).toBe(
      'Dit is een tekstbestand, maar nodig is een 3D-model.',
    );
    expect(german.translate('The panorama of the view point "Hall" has no alternative text.')).toBe(
      'Das Panorama von Blickpunkt „Hall“ hat keinen Alternativtext.',
    );
    expect(dutch.translate('This would exceed the limit of 1 space: 1 space in use, 2 spaces needed.')).toBe(
      'Dit zou de limiet van 1 ruimte overschrijden: 1 ruimte in gebruik, 2 ruimtes nodig.',
    );
  });

  test('lists in messages', () => {
    expect(dutch.translate('Not restored: 2 of 3 tokens; The space of Hall.')).toBe(
      'Niet hersteld: 2 van 3 codes; De ruimte van Hall.',
    );
    expect(dutch.translate('Choose a file of type image or video.')).toBe(
      'Kies een bestand van het type afbeelding of video.',
    );
  });

  test('unknown texts stay', () => {
    expect(dutch.translate('A text that nobody knows')).toBe('A text that nobody knows');
    expect(dutch.translate('')).toBe('');
  });
});
