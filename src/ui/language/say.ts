import { createElement, Fragment, type ReactNode } from 'react';
import { language, locale, translationOf } from './language.ts';

/** A number as the language writes it. */
export const numberText = (value: number): string => value.toLocaleString(locale);

const plurals = new Intl.PluralRules(language);

/** Whether a count takes the singular in the page's language. */
export const isOne = (count: number): boolean => plurals.select(count) === 'one';

/**
 * A text in the page's language. The build inserts the calls for literals; call it for texts of shared code, which must be
 * listed in `shared-texts.ts`.
 * @param text English text @param values values of `{0}`, `{1}` and so on
 */
export const say = (text: string, ...values: unknown[]): string =>
  translationOf(text).replace(/\{(\d+)\}/g, (_, at: string) => String(values[Number(at)]));

/** A label inside a sentence: in lower case, except in German, where nouns keep their capital. */
export const inSentence = (label: string): string => (language === 'de' ? label : label.toLowerCase());

/** A text with elements in its places. @public The build inserts the calls. */
export function join(text: string, ...values: ReactNode[]): ReactNode {
  const parts = translationOf(text).split(/\{(\d+)\}/);
  const nodes = parts.map((part, at) => (at % 2 === 0 ? part : values[Number(part)]));
  return createElement(Fragment, null, ...nodes.filter((node) => node !== ''));
}
