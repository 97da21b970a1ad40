import { sanitizePage, sanitizeRichText } from './sanitize-html.ts';

/** A piece of HTML, and by which rules it is made safe. */
export interface HtmlText {
  kind: 'page' | 'richText';
  html: string;
}

const SANITIZE = { page: sanitizePage, richText: sanitizeRichText } as const;

/** Makes pieces of HTML safe, in their order. */
export const cleanHtml = (texts: readonly HtmlText[]): string[] => texts.map(({ kind, html }) => SANITIZE[kind](html));
