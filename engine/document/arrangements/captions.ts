import type { ElementOf } from '../element.ts';

type CaptionConfig = Pick<
  ElementOf<'image'>['config'],
  'title' | 'author' | 'date' | 'text' | 'title_size' | 'caption_style' | 'caption_side' | 'caption_width'
>;

/** Estimates of how captions are drawn: font size of lines below the title, line height and width of a character, in em. */
const SMALL = 0.7;
const LINE = 1.3;
const CHARACTER = 0.56;
/** Lines without a width wrap at this many em. */
const LINE_WIDTH = 16;
/** Padding in units by style, gap above the caption in em of the title, and characters of a text that are shown. */
const PADDING = { plain: 2, plaque: 14 } as const;
const GAP = 0.75;
const MAX_TEXT = 400;

/** Space in units that a caption takes below its image; 0 for captions beside it. */
export function spaceBelow(config: CaptionConfig): number {
  const { title, author, date, text, title_size: size, caption_style, caption_side, caption_width } = config;
  if (caption_side !== 'below') return 0;
  const padding = PADDING[caption_style] * 2;
  const heightOf = (line: string, em: number) => {
    const space = caption_width === null ? em * LINE_WIDTH : Math.max(em, caption_width - padding);
    return Math.ceil((line.length * em * CHARACTER) / space) * em * LINE;
  };
  const lines = [author, date, ...text.trim().slice(0, MAX_TEXT).split('\n')];
  const written = heightOf(title, size) + lines.reduce((sum, line) => sum + heightOf(line, size * SMALL), 0);
  return written === 0 ? 0 : written + padding + size * GAP;
}

/** Title size of the plaques of new works, and their maximum width, in units. */
const TITLE_SIZE = 14;
const MAX_WIDTH = 260;
/** Distance between the plaques of neighbors in units. */
const APART = 12;

/** A plaque below a work, which ends before its neighbor. @param width of the work, and gap to its neighbor, in units */
export const plaqueOf = (width: number, gap: number) =>
  ({
    caption_style: 'plaque',
    caption_side: 'below',
    caption_width: Math.round(Math.min(MAX_WIDTH, width + gap - APART)),
    title_size: TITLE_SIZE,
  }) as const;
