/** Signs that a terminal draws twice as wide as letters: East Asian ones, and pictures. */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u4dbf\u4e00-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u;
/** What is drawn upon the sign before it, or not at all. */
const NOTHING = /^[\p{Mn}\p{Me}\p{Cf}]+$/u;

const PLAIN = /^[ -~]*$/;
let segmenter: Intl.Segmenter | undefined;

/** A text sign by sign. What tells signs apart takes longer to make than most lists to print, so only texts that need it do. */
function signsOf(text: string): Iterable<{ segment: string }> {
  segmenter ??= new Intl.Segmenter();
  return segmenter.segment(text);
}

const widthOfSign = (sign: string): number => (NOTHING.test(sign) ? 0 : WIDE.test(sign) ? 2 : 1);

/** How many columns of a terminal a text takes. */
export function displayWidth(text: string): number {
  if (PLAIN.test(text)) return text.length;
  let width = 0;
  for (const { segment } of signsOf(text)) width += widthOfSign(segment);
  return width;
}

/** A text that takes no more than so many columns: what is beyond becomes an ellipsis. */
export function shortened(text: string, most: number): string {
  if (displayWidth(text) <= most) return text;
  let kept = '';
  let width = 1;
  for (const { segment } of signsOf(text)) {
    width += widthOfSign(segment);
    if (width > most) break;
    kept += segment;
  }
  return `${kept}…`;
}
