import { describe, expect, test } from 'vitest';
import { bracesProblem, filledIn, TEXT_GROUPS } from '../../../src/admin/settings/texts/text-groups.ts';
import { ALL_TEXTS } from '../../../src/contract/viewer-texts/all.ts';
import { LANGUAGES } from '../../../src/contract/viewer-texts/limits.ts';

describe('the texts of the settings', () => {
  test('stand in one group each', () => {
    const keys = TEXT_GROUPS.flatMap((group) => group.keys);
    expect(keys.toSorted()).toEqual(Object.keys(ALL_TEXTS.en).toSorted());
  });

  test('explain what is filled in, in every language the same', () => {
    expect(filledIn('This room starts at {time}')).toBe('Placeholders: {time} is the start time of the room.');
    expect(filledIn('Back')).toBeUndefined();
    for (const language of LANGUAGES)
      for (const [key, words] of Object.entries(ALL_TEXTS.en))
        expect(filledIn(ALL_TEXTS[language][key as keyof typeof ALL_TEXTS.en]), `${language} ${key}`).toBe(
          filledIn(words),
        );
  });

  test('say what in braces nothing is filled in for, and what is left out', () => {
    expect(bracesProblem('Hello {name}', 'Hi {name}')).toBeUndefined();
    expect(bracesProblem('Hello {name}', '')).toBeUndefined();
    expect(bracesProblem('Hello', 'Hi {name}')).toMatch(/^Unknown placeholder: \{name\}/);
    expect(bracesProblem('Hello {name}', 'Hi')).toMatch(/^\{name\} is missing/);
  });
});
