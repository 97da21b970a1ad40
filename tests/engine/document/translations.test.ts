import { describe, expect, test } from 'vitest';
import { checkCommand } from '../../../engine/document/check-command.ts';
import { applyCommand, Draft, type RoomCommand } from '../../../engine/document/commands.ts';
import { commandsBetween } from '../../../engine/document/commands-between.ts';
import { labelOf } from '../../../engine/document/field-labels.ts';
import { byPath, fieldsByPath } from '../../../engine/document/field-paths.ts';
import { canonicalTag, chosenLanguage, directionOfTag, languageName } from '../../../engine/document/languages.ts';
import { parseRoom, type Room } from '../../../engine/document/room.ts';
import { partsOfKey } from '../../../engine/document/translation-fields.ts';
import { hashOfText, stateOf } from '../../../engine/document/translation-state.ts';
import { sourceTexts, translatedRoom, translationsOf } from '../../../engine/document/translations.ts';
import { findElement } from '../../../engine/document/tree.ts';

const room = parseRoom({
  id: 1,
  name: 'Internal name',
  title: 'Harbour',
  description: '<p>Ships</p>',
  config: { language: 'en', languages: ['nl', 'ar'], top_left_link: { name: 'Shop' } },
  elements: [
    { id: 1, element: 'image', name: 'Boat', config: { title: 'Boat', text: 'A boat.' } },
    { id: 2, element: 'model', name: 'Anchor' },
    {
      id: 3,
      element: 'group',
      name: 'Wall 3',
      children: [{ id: 4, element: 'html', config: { body: '<b>Open</b>' } }],
    },
  ],
});

const translation = (text: string, source: string) => ({ text, source: hashOfText(source) });
const put = (of: Room, id: number | null, translations: Record<string, unknown>) => {
  const fields = { config: { translations } };
  const command = (
    id === null ? { type: 'room.update', fields } : { type: 'element.update', id, fields }
  ) as RoomCommand;
  return applyCommand(of, checkCommand(new Draft(of), command));
};

describe('source texts', () => {
  test('are those that visitors read: no internal names, no names of pictures with a title', () => {
    expect(sourceTexts(room).map(({ id, path, kind, text }) => [id, path, kind, text])).toEqual([
      [null, 'title', 'plain', 'Harbour'],
      [null, 'description', 'html', '<p>Ships</p>'],
      [null, 'config.top_left_link.name', 'plain', 'Shop'],
      [1, 'config.title', 'plain', 'Boat'],
      [1, 'config.text', 'plain', 'A boat.'],
      [2, 'name', 'plain', 'Anchor'],
      [3, 'name', 'plain', 'Wall 3'],
      [4, 'config.body', 'html', '<b>Open</b>'],
    ]);
  });

  test('have hashes of FNV-1a', () => {
    // Values of the reference implementation: the empty text, and the bytes 61 00.
    expect(hashOfText('')).toBe('cbf29ce484222325');
    expect(hashOfText('a')).toBe('089be207b544f1e4');
    expect(hashOfText('б')).not.toBe(hashOfText('1'));
  });
});

describe('a document with translations', () => {
  test('does not change without them', () => {
    expect(JSON.stringify(parseRoom({ id: 1, title: 'A', elements: [{ id: 1, element: 'text' }] }))).not.toMatch(
      /translations|language/,
    );
  });

  test('keeps translations of two people, in two languages of one text', () => {
    const dutch = put(room, 1, { 'nl:config.title': translation('Boot', 'Boat') });
    const both = put(dutch.room, 1, { 'ar:config.title': translation('قارب', 'Boat') });
    expect(Object.keys(translationsOf(findElement(both.room.elements, 1)))).toEqual([
      'nl:config.title',
      'ar:config.title',
    ]);
    const undone = applyCommand(both.room, dutch.inverse).room;
    expect(Object.keys(translationsOf(findElement(undone.elements, 1)))).toEqual(['ar:config.title']);
    expect(applyCommand(dutch.room, dutch.inverse).room).toEqual(room);
  });

  test('survives paths and comparison', () => {
    const fields = { name: 'x', config: { title: 'y', translations: { 'nl:config.title': null } } };
    expect(fieldsByPath(byPath(fields))).toEqual(fields);
    const after = put(put(room, 4, { 'nl:config.body': translation('<b>Open!</b>', '<b>Open</b>') }).room, null, {
      'nl:title': translation('Haven', 'Harbour'),
    }).room;
    for (const [from, to] of [
      [room, after],
      [after, room],
    ] as const)
      expect(commandsBetween(from, to).reduce((now, command) => applyCommand(now, command).room, from)).toEqual(to);
    expect(labelOf('config.translations.nl:config.alt.text')).toBe('Alternative text (nl)');
  });

  test('knows which ones are outdated, and which a machine wrote', () => {
    const own = translation('Boot', 'Boat');
    expect(stateOf(undefined, 'Boat')).toBe('missing');
    expect(stateOf(own, 'Boat')).toBe('done');
    expect(stateOf({ ...own, draft: true }, 'Boat')).toBe('draft');
    expect(stateOf({ ...own, draft: true }, 'Ship')).toBe('outdated');
  });

  test.each([
    ['a malformed key', { title: translation('x', 'y') }],
    ['a malformed language', { 'english!:title': translation('x', 'y') }],
    ['a language that is not canonical', { 'EN-us:title': translation('x', 'y') }],
    ['a path into a prototype', { 'nl:config.__proto__': translation('x', 'y') }],
    ['no hash', { 'nl:title': { text: 'x' } }],
    ['a NUL', { 'nl:title': translation('\0', 'y') }],
    ['too many languages', Object.fromEntries([...'abcdefghijklmnopqrstu'].map((end) => [`x-${end}:title`, {}]))],
  ])('rejects %s', (_, translations) => {
    expect(() => put(room, 1, translations as Record<string, unknown>)).toThrow();
  });
});

describe('a space in a language', () => {
  const after = put(
    put(put(room, 1, { 'nl:config.title': translation('Boot', 'Ship') }).room, null, {
      'nl:title': translation('Haven', 'Harbour'),
      'nl:config.top_left_link.name': translation('Winkel', 'Shop'),
    }).room,
    2,
    { 'nl:name': { ...translation('Anker', 'Anchor'), draft: true } },
  ).room;

  test('shows its translations, outdated ones too, and drafts of machines only once confirmed', () => {
    const { room: shown, untranslated } = translatedRoom(after, 'nl');
    expect(shown.title).toBe('Haven');
    expect(shown.config.top_left_link?.name).toBe('Winkel');
    expect(findElement(shown.elements, 1)!.config).toMatchObject({ title: 'Boot', text: 'A boat.' });
    expect(findElement(shown.elements, 2)!.name).toBe('Anchor');
    expect(untranslated).toEqual([
      { id: null, path: 'description' },
      { id: 1, path: 'config.text' },
      { id: 2, path: 'name' },
      { id: 3, path: 'name' },
      { id: 4, path: 'config.body' },
    ]);
    expect(JSON.stringify(shown)).not.toContain('translations');
  });

  test('is the source in the main language, and stays itself without translations', () => {
    expect(translatedRoom(after, 'en')).toEqual({ room, untranslated: [] });
    expect(translatedRoom(after).room).toEqual(room);
    const { room: same } = translatedRoom(room);
    for (const [index, element] of room.elements.entries()) expect(same.elements[index]).toBe(element);
  });
});

describe('languages', () => {
  test('are chosen by preference, with regions as a second choice', () => {
    expect(chosenLanguage(['fr', 'pt-PT', 'en'], ['en', 'pt-BR'])).toBe('pt-BR');
    expect(chosenLanguage(['PT-br'], ['pt', 'pt-BR'])).toBe('pt-BR');
    expect(chosenLanguage(['!!', 'x'.repeat(40), ''], ['en'])).toBeUndefined();
  });

  test.each([
    ['zh-Hant-TW', ['zh-Hans', 'zh-Hant'], 'zh-Hant'],
    ['zh-TW', ['zh-Hans', 'zh-Hant'], 'zh-Hant'],
    ['zh-TW', ['zh', 'zh-Hant-HK'], 'zh-Hant-HK'],
    ['zh-TW', ['en', 'zh'], 'zh'],
    ['zh', ['zh-Hant', 'zh-Hans'], 'zh-Hans'],
    ['es-ES', ['es-419', 'es'], 'es'],
    ['en-US', ['en-GB', 'en'], 'en'],
    ['en', ['en-GB', 'en-US'], 'en-GB'],
    ['sr-Latn-RS', ['sr', 'sr-Latn'], 'sr-Latn'],
    ['sr', ['sr-Latn', 'sr-Cyrl'], 'sr-Cyrl'],
    ['de-AT', ['de-x-leicht', 'de-CH', 'de'], 'de'],
    ['de-x-leicht', ['de', 'de-x-leicht'], 'de-x-leicht'],
    ['de-x-leicht', ['de-CH', 'de'], 'de'],
  ])('are chosen like %s of %j', (wanted, available, chosen) => {
    expect(chosenLanguage([wanted, 'en'], available)).toBe(chosen);
  });

  test('have a name, unless they are private', () => {
    expect(['nl', 'pt-BR', 'de-x-leicht', '!!'].map((tag) => languageName(tag, 'en'))).toEqual([
      'Dutch',
      'Brazilian Portuguese',
      'de-x-leicht',
      '!!',
    ]);
    expect(languageName('nl', 'nl')).toBe('Nederlands');
    expect(languageName('nl', '!!')).toBe('nl');
  });

  test('have a direction', () => {
    expect(['ar', 'he', 'fa', 'az-Arab', 'nl', 'ja', 'nonsense!'].map(directionOfTag)).toEqual([
      'rtl',
      'rtl',
      'rtl',
      'rtl',
      'ltr',
      'ltr',
      '',
    ]);
    expect(canonicalTag('EN-us')).toBe('en-US');
    expect(partsOfKey('pt-BR:config.title')).toEqual({ language: 'pt-BR', path: 'config.title' });
  });
});
