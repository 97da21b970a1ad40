import type { Language } from './limits.ts';

/** A text that depends on a number: one form per plural category of its language (`Intl.PluralRules`). */
export type Forms<Category extends Intl.LDMLPluralRule = 'other'> = Record<Category | 'other', string> &
  Partial<Record<Intl.LDMLPluralRule, string>>;

/**
 * Fills in a text's `{name}` placeholders. The first number selects the plural form; numbers are formatted in the
 * language. Unknown placeholders stay.
 */
export function fillText(
  language: Language,
  text: string | Forms,
  values: Readonly<Record<string, string | number>> = {},
): string {
  const count = Object.values(values).find((value) => typeof value === 'number');
  const form =
    typeof text === 'string'
      ? text
      : ((count === undefined ? undefined : text[new Intl.PluralRules(language).select(count)]) ?? text.other);
  return form.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    return typeof value === 'number' ? value.toLocaleString(language) : (value ?? whole);
  });
}
