/** Maximum length of a compared word; longer ones are not misspellings. */
const MAX_LENGTH = 64;

/** Levenshtein distance, computed one row at a time. */
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
 * The most likely intended word for a misspelling; ignores case, hyphens and underscores.
 * @param mostEdits letters that may differ; by default half of them
 * @returns undefined if more letters than that differ from every known word
 */
export function nearest(word: unknown, known: readonly string[], mostEdits?: number): string | undefined {
  if (typeof word !== 'string' || word.length > MAX_LENGTH) return undefined;
  const wanted = plainWord(word);
  let best: string | undefined;
  let least = (mostEdits ?? Math.floor(wanted.length / 2)) + 1;
  for (const candidate of known) {
    const edits = distance(wanted, plainWord(candidate));
    if (edits < least) {
      best = candidate;
      least = edits;
    }
  }
  return best;
}
