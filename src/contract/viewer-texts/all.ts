import { texts as de } from './de.ts';
import { en } from './en.ts';
import { texts as fr } from './fr.ts';
import type { Language } from './limits.ts';
import { texts as nl } from './nl.ts';
import { TEXT_PAGE } from './text-page.ts';

/** Texts of rooms and text pages by language. Visits load only their own language. */
export const ALL_TEXTS = {
  en: { ...en, ...TEXT_PAGE.en },
  de: { ...de, ...TEXT_PAGE.de },
  fr: { ...fr, ...TEXT_PAGE.fr },
  nl: { ...nl, ...TEXT_PAGE.nl },
} satisfies Record<Language, Record<string, string>>;
