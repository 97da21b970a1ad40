import type { Texts } from '../../contract/viewer-texts/en.ts';
import { LONGEST_TEXT } from '../../contract/viewer-texts/limits.ts';
import { putWords } from './say.ts';

/** Puts other words in place of the viewer's own, by their keys; what is no key of ours is left out. */
export function replaceTexts(texts: Record<string, unknown>): void {
  const known = Object.entries(texts).filter(
    ([key, value]) => /^\w+$/.test(key) && typeof value === 'string' && value.length <= LONGEST_TEXT,
  );
  putWords(Object.fromEntries(known) as Partial<Texts>);
}
