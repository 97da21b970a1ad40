import type { Mesh } from 'three';
import type { ElementOf } from '../../../document/element.ts';
import type { CaptionLayout, CaptionLine } from './caption.ts';

/** Gap between an image and its caption, and font size of author and date, relative to the title size. */
const CAPTION_GAP = 0.75;
const SMALL_TEXT = 0.7;

/** Maximum number of characters shown next to an image; the slider and the text version show the full text. */
const MAX_TEXT_LENGTH = 400;

/** Truncates a text at a word boundary. */
function shorten(text: string): string {
  if (text.length <= MAX_TEXT_LENGTH) return text;
  const beginning = text.slice(0, MAX_TEXT_LENGTH);
  return `${beginning.slice(0, Math.max(beginning.lastIndexOf(' '), MAX_TEXT_LENGTH / 2)).trimEnd()}…`;
}

function captionLines({ title, title_size: size, text, author, date }: ElementOf<'image'>['config']): CaptionLine[] {
  const smaller = { size: size * SMALL_TEXT, weight: 400, strength: 0.8 } as const;
  const lines: CaptionLine[] = [
    { text: title, size, weight: 600, strength: 1 },
    { text: author, ...smaller },
    { text: date, ...smaller },
    ...shorten(text.trim())
      .split('\n')
      .map((paragraph) => ({ text: paragraph.trim(), ...smaller })),
  ];
  return lines.filter((line) => line.text !== '');
}

/** Title, author, date and text of an image; undefined if all are empty. */
export async function captionOf({
  config,
  ignore_light: ignoreLight,
}: ElementOf<'image'>): Promise<CaptionLayout | undefined> {
  const lines = captionLines(config);
  if (lines.length === 0) return undefined;
  const { layOutCaption } = await import('./caption.ts');
  const { title_alignment: side, title_color: color, caption_style: style, caption_side, caption_width } = config;
  // Beside an image, text aligns with its edge; a plaque and a caption below read from the left.
  const align = side === 'left' && style === 'plain' && caption_side !== 'below' ? 'right' : 'left';
  return layOutCaption(lines, { align, color, ignoreLight, style, width: caption_width });
}

/**
 * Places a caption beside the top edge of its image, or below it.
 * @param border in units of the frame around the image
 */
export function placeCaption(
  mesh: Mesh,
  caption: CaptionLayout,
  { config }: ElementOf<'image'>,
  picture: { width: number; height: number },
  border = 0,
): void {
  const [width, height] = [picture.width + 2 * border, picture.height + 2 * border];
  const { title_alignment: side, title_size, caption_side } = config;
  const gap = title_size * CAPTION_GAP;
  if (caption_side === 'below') {
    const x = (side === 'right' ? 1 : -1) * ((width - caption.width) / 2);
    mesh.position.set(x, -(height / 2 + gap + caption.height / 2), 0);
  } else {
    const away = width / 2 + gap + caption.width / 2;
    mesh.position.set(side === 'left' ? -away : away, (height - caption.height) / 2, 0);
  }
}
