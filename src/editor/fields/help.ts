/** Words that say nothing by themselves, and units, which stand in labels. */
const EMPTY = new Set(
  `a an the of in on at to from for by with and or it its is are be that this these those as whether how when kind one
  unit units pixel pixels second seconds degree degrees px ms`.split(/\s+/),
);

/** Letters of a word that tell it from others, whatever its ending. */
const STEM = 4;

/** Words that a help has to have beside those of its label. */
const FEWEST = 2;

const stemsOf = (text: string): string[] =>
  (text.toLowerCase().match(/[\p{L}\d]+/gu) ?? [])
    .filter((word) => !EMPTY.has(word))
    .map((word) => word.slice(0, STEM));

/** What is said below a field: the sentence of its schema, where that adds something to the label. */
export function helpOf(label: string, description: string): string | undefined {
  const known = new Set(stemsOf(label));
  const added = stemsOf(description).filter((stem) => !known.has(stem));
  return added.length >= FEWEST ? description : undefined;
}
