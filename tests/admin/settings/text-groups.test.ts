import { describe, expect, test } from 'vitest';
import { bracesProblem, defaultText, filledIn, TEXT_GROUPS } from '../../../src/admin/settings/texts/text-groups.ts';
import { en } from '../../../src/contract/viewer-texts/en.ts';
import { LANGUAGES } from '../../../src/contract/viewer-texts/limits.ts';

describe('the texts of the settings', () => {
  test('stand in one group each', () => {
    const keys = TEXT_GROUPS.flatMap((group) => group.keys);
    expect(keys.toSorted()).toEqual([...Object.keys(en), 'accessEndsInMinute'].toSorted());
  });

  test('explain what is filled in, in every language the same', () => {
    expect(filledIn('This room starts at {time}')).toBe('Placeholders: {time} is the start time of the room.');
    expect(filledIn('Back')).toBeUndefined();
    for (const language of LANGUAGES)
      for (const key of TEXT_GROUPS.flatMap((group) => group.keys))
        expect(filledIn(defaultText(language, key)), `${language} ${key}`).toBe(filledIn(defaultText('en', key)));
  });

  test('show the form of most numbers as the default, and that of one minute for its own text', () => {
    expect(defaultText('en', 'accessEndsIn')).toBe('Your access ends in {count} minutes.');
    expect(defaultText('pl', 'accessEndsIn')).toBe('Dostęp zakończy się za {count} minut.');
    expect(defaultText('fr', 'accessEndsInMinute')).toBe('Votre accès se termine dans 1 minute.');
  });

  test('say what in braces nothing is filled in for, and what is left out', () => {
    expect(bracesProblem('Hello {name}', 'Hi {name}')).toBeUndefined();
    expect(bracesProblem('Hello {name}', '')).toBeUndefined();
    expect(bracesProblem('Hello', 'Hi {name}')).toMatch(/^Unknown placeholder: \{name\}/);
    expect(bracesProblem('Hello {name}', 'Hi')).toMatch(/^\{name\} is missing/);
  });
});
