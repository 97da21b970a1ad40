import type { Element } from '../../document/element.ts';
import { traitsOf } from '../../document/traits-of.ts';

/** Texts of fewer characters stand as a title. */
const TITLE_LENGTH = 50;

/** Whether an element of a slider's group is one of its slides: something to look at. */
export const isSlide = (element: Element): boolean => traitsOf(element.element).hit !== 'through';

/** What there is to look at on a slide. */
export type SlideContent = 'player' | 'picture' | 'page_part' | 'page';

/** What an element shows on a slide; undefined for what only the room can show. */
export function slideContentOf({ element }: Element): SlideContent | undefined {
  const { plays, reads } = traitsOf(element);
  if (plays) return 'player';
  return reads === 'picture' || reads === 'page_part' || reads === 'page' ? reads : undefined;
}

/** Whether a slide's text is short enough to stand as a title: fewer than 50 characters, as people count them. */
export function isTitle(text: string): boolean {
  return [...text].length < TITLE_LENGTH;
}

/** Words of a slide. */
export interface SlideText {
  title: string;
  text: string;
}

/** Words that a slide shows: a picture's own title, and its text, which is the title where it is short and has none. */
export function slideTextOf(element: Element): SlideText {
  const { reads } = traitsOf(element.element);
  if (reads !== 'picture' && reads !== 'words') return { title: element.name, text: '' };
  const { title = '', text = '' } = element.config as { title?: string; text?: string };
  return title || !isTitle(text) ? { title, text } : { title: text, text: '' };
}

/** The slide after one, wrapping around. `count` is at least 1. */
export const nextSlide = (index: number, count: number): number => (index + 1) % count;

/** The slide before one, wrapping around. `count` is at least 1. */
export const previousSlide = (index: number, count: number): number => (index + count - 1) % count;
