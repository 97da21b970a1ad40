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
export function findBlockedWord(text: string, blocked: readonly string[]): string | undefined {
  if (blocked.length === 0) return undefined;
  const searched = folded(text);
  return blocked.find((word) => {
    const wanted = folded(word);
    return wanted.trim() !== '' && searched.includes(wanted);
  });
}
