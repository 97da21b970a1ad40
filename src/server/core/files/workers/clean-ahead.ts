import { type HtmlText, sanitizePage, sanitizeRichText } from '../../html/sanitize-html.ts';
import type { Workers } from './workers.ts';

/** Makes HTML safe: what was written by hand, and what the rich text editor makes. */
export interface HtmlCleaner {
  page(html: string): string;
  richText(html: string): string;
}

/** Makes HTML safe where it stands, which takes milliseconds for each ten thousand characters. */
export const cleanNow: HtmlCleaner = { page: sanitizePage, richText: sanitizeRichText };

/** Most characters that are made safe where they stand; longer HTML is given to a worker. */
const SHORT = 8192;
/** Characters that a worker is given at once: between two jobs others have their turn. */
const MAX_AT_ONCE = 500_000;

const htmlKeyOf = (kind: HtmlText['kind'], html: string) => `${kind}:${html}`;

/** The texts in parts, none of which is long unless it is a single text. */
function inParts(texts: readonly HtmlText[]): HtmlText[][] {
  const parts: HtmlText[][] = [];
  let length = MAX_AT_ONCE;
  for (const text of texts) {
    if (length + text.html.length > MAX_AT_ONCE) {
      parts.push([]);
      length = 0;
    }
    parts.at(-1)!.push(text);
    length += text.html.length;
  }
  return parts;
}

/**
 * Makes long HTML safe in a worker before it is needed, so that what needs it can go on without waiting, such as in a
 * transaction.
 * @param read reads what will be read, with a cleaner that only notes what is long; what it throws is left to the real reading
 * @returns a cleaner that knows all of these texts; others are made safe where they stand
 * @throws ApiError invalid when it takes too long
 */
export async function cleanAhead(workers: Workers, read: (html: HtmlCleaner) => unknown): Promise<HtmlCleaner> {
  const found = new Map<string, HtmlText>();
  const note = (kind: HtmlText['kind']) => (html: string) => {
    if (html.length > SHORT) found.set(htmlKeyOf(kind, html), { kind, html });
    return '';
  };
  try {
    read({ page: note('page'), richText: note('richText') });
  } catch {
    // The real reading refuses it, with all that is wrong.
  }
  if (found.size === 0) return cleanNow;
  const known = new Map<string, string>();
  for (const part of inParts([...found.values()])) {
    const cleaned = await workers.run('cleanHtml', part);
    for (const [index, { kind, html }] of part.entries()) known.set(htmlKeyOf(kind, html), cleaned[index]!);
  }
  return {
    page: (html) => known.get(htmlKeyOf('page', html)) ?? sanitizePage(html),
    richText: (html) => known.get(htmlKeyOf('richText', html)) ?? sanitizeRichText(html),
  };
}
