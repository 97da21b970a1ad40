import { describe, expect, test } from 'vitest';
import { ALL_TEXTS } from '../../src/contract/viewer-texts/all.ts';
import { errors as ar } from '../../src/contract/viewer-texts/ar.ts';
import { errors as de } from '../../src/contract/viewer-texts/de.ts';
import { errors as es } from '../../src/contract/viewer-texts/es.ts';
import { type Forms, fillText } from '../../src/contract/viewer-texts/fill-text.ts';
import { errors as fr } from '../../src/contract/viewer-texts/fr.ts';
import { errors as it } from '../../src/contract/viewer-texts/it.ts';
import { errors as ja } from '../../src/contract/viewer-texts/ja.ts';
import { directionOf, LANGUAGES, type Language, preferredLanguage } from '../../src/contract/viewer-texts/limits.ts';
import { errors as nl } from '../../src/contract/viewer-texts/nl.ts';
import { errors as pl } from '../../src/contract/viewer-texts/pl.ts';
import { errors as pt } from '../../src/contract/viewer-texts/pt.ts';

type Table = Record<string, string | Forms>;

const ERRORS: Record<Exclude<Language, 'en'>, Table> = { de, fr, nl, es, it, pt, pl, ja, ar };
const OTHERS = LANGUAGES.filter((language) => language !== 'en');

const placeholders = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(([name]) => name).toSorted();
const formsOf = (text: string | Forms) => (typeof text === 'string' ? [text] : Object.values(text));

function compare(language: Language, table: Table, model: Table): void {
  expect(Object.keys(table).toSorted()).toEqual(Object.keys(model).toSorted());
  for (const [key, text] of Object.entries(table)) {
    const ours = model[key]!;
    expect(typeof text, key).toBe(typeof ours);
    expect(
      formsOf(text).every((form) => form.trim() === form && form !== ''),
      key,
    ).toBe(true);
    const wanted = placeholders(typeof ours === 'string' ? ours : ours.other);
    expect(placeholders(typeof text === 'string' ? text : text.other), key).toEqual(wanted);
    if (typeof text === 'string') continue;
    const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions();
    expect(Object.keys(text).toSorted(), key).toEqual(pluralCategories.toSorted());
    // “One minute” and “two minutes” may be words without a number.
    for (const [category, form] of Object.entries(text))
      if (!['one', 'two'].includes(category)) expect(placeholders(form), key).toEqual(wanted);
  }
}

describe('the texts of visitors', () => {
  test.each(LANGUAGES)('are complete in %s, with the same placeholders and all its plural forms', (language) => {
    compare(language, ALL_TEXTS[language], ALL_TEXTS.en);
  });

  test.each(OTHERS)('include every API error in %s', (language) => compare(language, ERRORS[language], de));

  test('are translated: few are the same as in English', () => {
    for (const language of OTHERS) {
      const same = Object.entries(ALL_TEXTS[language]).filter(([key, text]) => text === (ALL_TEXTS.en as Table)[key]);
      expect(same.length, `${language}: ${same.map(([key]) => key)}`).toBeLessThan(20);
    }
  });

  const ends = (language: Language, count: number) => fillText(language, ALL_TEXTS[language].accessEndsIn, { count });

  test('take the plural form of their number', () => {
    expect([1, 2].map((count) => ends('en', count))).toEqual([
      'Your access ends in 1 minute.',
      'Your access ends in 2 minutes.',
    ]);
    expect([1, 2, 5, 22].map((count) => ends('pl', count))).toEqual([
      'Dostęp zakończy się za 1 minutę.',
      'Dostęp zakończy się za 2 minuty.',
      'Dostęp zakończy się za 5 minut.',
      'Dostęp zakończy się za 22 minuty.',
    ]);
    expect([0, 1, 2, 3, 11, 100].map((count) => ends('ar', count))).toEqual([
      'ينتهي وصولك خلال 0 دقيقة.',
      'ينتهي وصولك خلال دقيقة واحدة.',
      'ينتهي وصولك خلال دقيقتين.',
      'ينتهي وصولك خلال 3 دقائق.',
      'ينتهي وصولك خلال 11 دقيقة.',
      'ينتهي وصولك خلال 100 دقيقة.',
    ]);
    expect(ends('ja', 1)).toBe('あと1分でアクセスが終了します。');
    expect(ends('fr', 1_000_000)).toMatch(/ de minutes\.$/);
  });

  test('write numbers as their language does; a text without plural forms is used for all', () => {
    expect(fillText('de', ALL_TEXTS.de.longMessage, { count: 2000 })).toBe('Verwenden Sie höchstens 2.000 Zeichen.');
    expect(fillText('pl', 'Jeszcze {count}', { count: 1 })).toBe('Jeszcze 1');
    expect(fillText('en', '{name} and {unknown}, {constructor}', { name: '{name}' })).toBe(
      '{name} and {unknown}, {constructor}',
    );
  });
});

describe('the language of a visit', () => {
  test.each([
    [['pt-BR'], 'pt'],
    [['ar-EG', 'en'], 'ar'],
    [['AR'], 'ar'],
    [['zh-Hant-TW', 'ja-JP'], 'ja'],
    [['fil', 'pl'], 'pl'],
    [['', 'not a tag', 'de_DE', '*', 'it'], 'it'],
    [['constructor'], 'en'],
    [[], 'en'],
  ] as const)('of %j is %s', (tags, language) => expect(preferredLanguage(tags)).toBe(language));

  test('runs from right to left only in Arabic', () => {
    expect(LANGUAGES.filter((language) => directionOf(language) === 'rtl')).toEqual(['ar']);
  });
});
