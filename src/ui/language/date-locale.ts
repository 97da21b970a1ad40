import 'dayjs/locale/de.js';
import 'dayjs/locale/fr.js';
import 'dayjs/locale/nl.js';
import { language } from './language.ts';

/** Locale of date pickers: names of months and days, and the first day of the week. */
export const dateLocale = { locale: language } as const;
