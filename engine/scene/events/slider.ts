import type { Element } from '../../document/element.ts';
import { isInRoom } from '../../document/in-room.ts';
import { traitsOf } from '../../document/traits-of.ts';

/** Texts with fewer characters are shown as the title. */
const MAX_TITLE_LENGTH = 50;

/** Whether an element of a slider's group is a slide: visible content. */
export const isSlide = (element: Element): boolean => traitsOf(element.element).hit !== 'through' && isInRoom(element);

/** Kind of content on a slide. */
export type SlideContent = 'player' | 'picture' | 'page_part' | 'page';

/** The kind of content an element shows on a slide; undefined if only the room can show it. */
export function slideContentOf({ element }: Element): SlideContent | undefined {
  const { plays, reads } = traitsOf(element);
  if (plays) return 'player';
  return reads === 'picture' || reads === 'page_part' || reads === 'page' ? reads : undefined;
}

/** Whether a slide's text is short enough for a title: fewer than 50 code points. */
export function isTitle(text: string): boolean {
  return [...text].length < MAX_TITLE_LENGTH;
}

/** Title and text of a slide. */
export interface SlideText {
  title: string;
  text: string;
}

/** Title and text of a slide. A short text becomes the title of an image without one. */
export function slideTextOf(element: Element): SlideText {
  const { reads } = traitsOf(element.element);
  if (reads !== 'picture' && reads !== 'words') return { title: element.name, text: '' };
  const { title = '', text = '' } = element.config as { title?: string; text?: string };
  return title || !isTitle(text) ? { title, text } : { title: text, text: '' };
}

/** Index of the next slide, wrapping around. `count` is at least 1. */
export const nextSlide = (index: number, count: number): number => (index + 1) % count;

/** Index of the previous slide, wrapping around. `count` is at least 1. */
export const previousSlide = (index: number, count: number): number => (index + count - 1) % count;
