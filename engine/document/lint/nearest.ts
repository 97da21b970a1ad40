/** Longest word that is compared: what is longer is no misspelling. */
const MAX_LENGTH = 64;

/** Edits (insert, remove, replace a letter) that turn one word into another (Levenshtein, one row at a time). */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replace = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replace, row[j]! + 1, next[j - 1]! + 1));
    }
    row = next;
  }
  return row[b.length]!;
}

const plainWord = (word: string) => word.toLowerCase().replaceAll(/[^a-z0-9]/g, '');

/**
 * The known word that a misspelled one most likely means; case, hyphens and underscores don't count.
 * @returns undefined when none is near: more than half of the letters differ
 */
export function nearest(word: unknown, known: readonly string[]): string | undefined {
  if (typeof word !== 'string' || word.length > MAX_LENGTH) return undefined;
  const wanted = plainWord(word);
  let best: string | undefined;
  let least = Math.floor(wanted.length / 2) + 1;
  for (const candidate of known) {
    const edits = distance(wanted, plainWord(candidate));
    if (edits < least) {
      best = candidate;
      least = edits;
    }
  }
  return best;
}
