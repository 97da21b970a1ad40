import type { Translation } from './translation-fields.ts';

/** 64-bit FNV prime without its highest bit, 2^40, which is a shift. */
const PRIME = 0x1b3;
const WORD = 2 ** 32;

/**
 * The hash of a source text: FNV-1a, 64 bits (http://www.isthe.com/chongo/tech/comp/fnv/), of its UTF-16 code units, low
 * byte first; hexadecimal.
 */
export function hashOfText(text: string): string {
  let [high, low] = [0xcbf29ce4, 0x84222325];
  for (let at = 0; at < 2 * text.length; at++) {
    const unit = text.charCodeAt(at >> 1);
    low = (low ^ (at % 2 === 0 ? unit & 0xff : unit >> 8)) >>> 0;
    const product = low * PRIME;
    high = (high * PRIME + Math.floor(product / WORD) + ((low << 8) >>> 0)) % WORD;
    low = product % WORD;
  }
  return [high, low].map((half) => half.toString(16).padStart(8, '0')).join('');
}

export const TRANSLATION_STATES = ['missing', 'outdated', 'draft', 'done'] as const;
export type TranslationState = (typeof TRANSLATION_STATES)[number];

/** The state of a translation of a text. */
export function stateOf(translation: Translation | undefined, source: string): TranslationState {
  if (!translation) return 'missing';
  if (translation.source !== hashOfText(source)) return 'outdated';
  return translation.draft ? 'draft' : 'done';
}
