import type { Texts } from '../../contract/viewer-texts/en.ts';
import { LONGEST_TEXT } from '../../contract/viewer-texts/limits.ts';
import { putWords } from './say.ts';

/** Replaces the viewer's texts by key; unknown keys are ignored. */
export function replaceTexts(texts: Record<string, unknown>): void {
  const known = Object.entries(texts).filter(
    ([key, value]) => /^\w+$/.test(key) && typeof value === 'string' && value.length <= LONGEST_TEXT,
  );
  putWords(Object.fromEntries(known) as Partial<Texts>);
}
