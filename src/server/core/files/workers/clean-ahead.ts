import { type HtmlText, sanitizePage, sanitizeRichText } from '../../html/sanitize-html.ts';
import type { Workers } from './workers.ts';

/** Sanitizes HTML: pages written by hand, and rich text. */
export interface HtmlCleaner {
  page(html: string): string;
  richText(html: string): string;
}

/** Sanitizes synchronously, which takes milliseconds per ten thousand characters. */
export const cleanNow: HtmlCleaner = { page: sanitizePage, richText: sanitizeRichText };

/** Maximum number of characters sanitized synchronously; longer HTML goes to a worker. */
const SHORT = 8192;
/** Maximum characters per worker job: other requests run between two jobs. */
const MAX_AT_ONCE = 500_000;

const htmlKeyOf = (kind: HtmlText['kind'], html: string) => `${kind}:${html}`;

/** Groups texts into batches under the limit; a single long text is its own batch. */
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
 * Sanitizes long HTML in a worker ahead of time, so that synchronous code, such as a transaction, doesn't wait.
 * @param read performs the read with a cleaner that only collects long texts; its errors are left to the actual read
 * @returns a cleaner that has these texts cached; others are sanitized synchronously
 * @throws ApiError invalid if it takes too long
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
    // The actual read reports all errors.
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
