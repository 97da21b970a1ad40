import { texts as ar, errors as arErrors } from './ar.ts';
import { texts as de, errors as deErrors } from './de.ts';
import { type ErrorTexts, en, type Texts } from './en.ts';
import { texts as es, errors as esErrors } from './es.ts';
import { texts as fr, errors as frErrors } from './fr.ts';
import { texts as it, errors as itErrors } from './it.ts';
import { texts as ja, errors as jaErrors } from './ja.ts';
import type { Language } from './limits.ts';
import { texts as nl, errors as nlErrors } from './nl.ts';
import { texts as pl, errors as plErrors } from './pl.ts';
import { texts as pt, errors as ptErrors } from './pt.ts';

/** Texts of rooms and text pages by language. Visits load only their own language. */
export const ALL_TEXTS: Record<Language, Texts> = { en, de, fr, nl, es, it, pt, pl, ja, ar };

/** API error messages by language and code; English ones come with the error. */
export const ALL_ERRORS: Record<Language, Partial<ErrorTexts>> = {
  en: {},
  de: deErrors,
  fr: frErrors,
  nl: nlErrors,
  es: esErrors,
  it: itErrors,
  pt: ptErrors,
  pl: plErrors,
  ja: jaErrors,
  ar: arErrors,
};
