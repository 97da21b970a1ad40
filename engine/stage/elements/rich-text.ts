/** Rich text is HTML from the rich text editor; only its class name differs. */
export { draw } from './html.ts';
