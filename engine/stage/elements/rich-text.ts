/** Formatted text is HTML that the rich text editor made: it is drawn the same way, with its own class. */
export { draw } from './html.ts';
