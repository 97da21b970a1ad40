/** Sizes of type that words may have, in units, the largest first: that of pieces of page, and smaller ones. */
const SIZES = [24, 20, 18, 16, 14] as const;
/** Height of a line, and width of a letter with the space that lines lose at their ends, both by the size of type. */
const LINE = 1.5;
const LETTER = 0.6;

/** Words as they fit: their size of type in units, and what is shown of the text. */
export interface FittedWords {
  size: number;
  text: string;
}

/**
 * The largest type in which a text and a line below it fit; in the smallest one the text is cut.
 * @param below what stands below the text, one size of type apart
 * @param width units that a line may take
 * @param height units that all lines may take
 */
export function fitWords(text: string, below: string, width: number, height: number): FittedWords {
  let room = 0;
  for (const size of SIZES) {
    const perLine = Math.max(1, Math.floor(width / (LETTER * size)));
    const linesBelow = Math.ceil(below.length / perLine);
    const gap = linesBelow > 0 ? size : 0;
    const lines = Math.floor((height - gap) / (LINE * size)) - linesBelow;
    room = Math.max(1, lines) * perLine;
    if (text.length <= room) return { size, text };
  }
  return {
    size: SIZES.at(-1)!,
    text: `${text
      .slice(0, room - 1)
      .trimEnd()
      .toWellFormed()}…`,
  };
}
