import { texts as ar } from './ar.ts';
import { texts as de } from './de.ts';
import { en, type Texts } from './en.ts';
import { texts as es } from './es.ts';
import { texts as fr } from './fr.ts';
import { texts as it } from './it.ts';
import { texts as ja } from './ja.ts';
import type { Language } from './limits.ts';
import { texts as nl } from './nl.ts';
import { texts as pl } from './pl.ts';
import { texts as pt } from './pt.ts';

/** Texts of rooms and text pages by language. Visits load only their own language. */
export const ALL_TEXTS: Record<Language, Texts> = { en, de, fr, nl, es, it, pt, pl, ja, ar };
