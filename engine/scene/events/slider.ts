import type { Element } from '../../document/element.ts';

/** Texts of fewer characters stand as a title. */
const TITLE_LENGTH = 50;

const notShown: ReadonlySet<string> = new Set(['audio', 'group', 'light', 'view_point']);

/** Whether an element of a slider's group is one of its slides: something to look at. */
export const isSlide = (element: Element): boolean => !notShown.has(element.element);

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
  if (element.element === 'image') {
    const { title, text } = element.config;
    return title || !isTitle(text) ? { title, text } : { title: text, text: '' };
  }
  if (element.element !== 'text') return { title: element.name, text: '' };
  const { text } = element.config;
  return isTitle(text) ? { title: text, text: '' } : { title: '', text };
}

/** The slide after one, wrapping around. `count` is at least 1. */
export const nextSlide = (index: number, count: number): number => (index + 1) % count;

/** The slide before one, wrapping around. `count` is at least 1. */
export const previousSlide = (index: number, count: number): number => (index + count - 1) % count;
