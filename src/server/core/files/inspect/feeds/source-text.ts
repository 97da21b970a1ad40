import { createHash } from 'node:crypto';
import { textOfHtml } from '../../../html/sanitize-html.ts';

/** Maximum lengths of an item's name and message. */
const MAX_FEED_TEXT = { name: 255, message: 2000 } as const;
/** Maximum URL length. */
const MAX_ADDRESS_LENGTH = 2048;

/** Removes characters that databases can't store. */
const clean = (text: string): string => text.toWellFormed().replaceAll('\u0000', '');

const cut = (text: string, most: number): string => (text.length > most ? text.slice(0, most).toWellFormed() : text);

/** Plain text in one line, from plain text. */
export const itemNameOf = (text: string): string =>
  cut(
    clean(text)
      .replace(/[\p{Cc}\s]+/gu, ' ')
      .trim(),
    MAX_FEED_TEXT.name,
  );

/** Plain text in several lines, from plain text. */
export const messageOf = (text: string): string => cut(clean(text).trim(), MAX_FEED_TEXT.message);

/** HTML characters parsed for a message of 2,000: the rest of a longer one would be truncated. */
const MAX_SOURCE_READ = 20_000;

/** Plain text from text that may be HTML. */
export const plainOf = (html: string): string => textOfHtml(html.slice(0, MAX_SOURCE_READ));

/**
 * The URL of a web page or image.
 * @param base the feed's own URL, for relative URLs
 * @param schemes allowed schemes
 * @returns empty if it is invalid
 */
export function addressOf(
  address: string | undefined,
  base: string | undefined,
  schemes: readonly ('http:' | 'https:')[] = ['http:', 'https:'],
): string {
  const url = address ? URL.parse(address, base) : null;
  if (!url || !(schemes as string[]).includes(url.protocol) || url.username || url.password) return '';
  return url.href.length > MAX_ADDRESS_LENGTH ? '' : url.href;
}

/** The URL of an image: pages load none without https. */
export const pictureOf = (address: string | undefined, base?: string): string => addressOf(address, base, ['https:']);

/** Normalizes a date; returns a fallback if it is invalid. */
export function momentOf(date: string | undefined, instead: string): string {
  const moment = new Date(date ?? '');
  const year = moment.getUTCFullYear();
  return year >= 1970 && year <= 9998 ? moment.toISOString() : instead;
}

/** A stable id of an item: the one from its source, hashed if it is long. */
export const externalIdOf = (...parts: string[]): string => {
  const text = clean(parts.find((part) => part !== '') ?? '');
  return text.length > 0 && text.length <= 200 ? text : createHash('sha256').update(parts.join('\n')).digest('hex');
};
