import type { Moderation } from '../../../contract/entities.ts';

/** Marks such as accents, and signs that nobody sees. */
const UNSEEN = /[\p{M}\p{Cf}]/gu;

const words = new Intl.Segmenter('und', { granularity: 'word' });

/** A text as its words are compared: without case, accents, and what stands between the words. */
function folded(text: string): string {
  const plain = text.normalize('NFKD').replace(UNSEEN, '').toUpperCase().toLowerCase();
  const found = [...words.segment(plain)].filter(({ isWordLike }) => isWordLike).map(({ segment }) => segment);
  return ` ${found.join(' ')} `;
}

/** The first of the blocked words, or groups of words, that stands in a text as a whole; undefined for none. */
function findBlockedWord(text: string, blocked: readonly string[]): string | undefined {
  if (blocked.length === 0) return undefined;
  const searched = folded(text);
  return blocked.find((word) => {
    const wanted = folded(word);
    return wanted.trim() !== '' && searched.includes(wanted);
  });
}

/** Messages of ten minutes from which on those without a proof of work wait, whatever the feed says. */
const CROWDED = 30;

/** What is known of a message when it comes. */
interface Arrival {
  name: string;
  message: string;
  /** Whether a proof of work came with it. */
  isProven: boolean;
  /** How many messages came lately. */
  load: number;
}

/** What becomes of a message that has come: its columns. */
export interface Verdict {
  state: 'shown' | 'waiting';
  held_because: 'approval' | 'word' | 'proof' | null;
  held_word: string | null;
}

/** Whether a message is shown at once, or waits, and why. */
export function checkMessage(moderation: Moderation, { name, message, isProven, load }: Arrival): Verdict {
  const word = findBlockedWord(`${name}\n${message}`, moderation.blocked_words);
  if (word !== undefined) return { state: 'waiting', held_because: 'word', held_word: word };
  if (moderation.hold) return { state: 'waiting', held_because: 'approval', held_word: null };
  if (!isProven && (moderation.hold_unproven || load >= CROWDED))
    return { state: 'waiting', held_because: 'proof', held_word: null };
  return { state: 'shown', held_because: null, held_word: null };
}
