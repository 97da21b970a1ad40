import stringWidth from 'string-width';

const segmenter = new Intl.Segmenter();

/** A text that takes no more than so many columns of a terminal: what is beyond becomes an ellipsis. */
export function shortened(text: string, most: number): string {
  if (stringWidth(text) <= most) return text;
  let kept = '';
  let width = 1;
  for (const { segment } of segmenter.segment(text)) {
    width += stringWidth(segment);
    if (width > most) break;
    kept += segment;
  }
  return `${kept}…`;
}
