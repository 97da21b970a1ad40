import { createHash } from 'node:crypto';
import { textOfHtml } from '../../../html/sanitize-html.ts';

/** Longest name and message of an item. */
const MAX_FEED_TEXT = { name: 255, message: 2000 } as const;
/** Longest address. */
const MAX_ADDRESS_LENGTH = 2048;

/** A text that every database can store. */
const clean = (text: string): string => text.toWellFormed().replaceAll('\u0000', '');

const cut = (text: string, most: number): string => (text.length > most ? text.slice(0, most).toWellFormed() : text);

/** One line of plain text, from plain text. */
export const itemNameOf = (text: string): string =>
  cut(
    clean(text)
      .replace(/[\p{Cc}\s]+/gu, ' ')
      .trim(),
    MAX_FEED_TEXT.name,
  );

/** Plain text of several lines, from plain text. */
export const messageOf = (text: string): string => cut(clean(text).trim(), MAX_FEED_TEXT.message);

/** Characters of HTML that are read for a message of 2,000: the rest of a longer one would not be shown. */
const MAX_SOURCE_READ = 20_000;

/** Plain text, from text that may be HTML. */
export const plainOf = (html: string): string => textOfHtml(html.slice(0, MAX_SOURCE_READ));

/**
 * An address of a web page or picture.
 * @param base where the feed itself stands, for addresses that are relative to it
 * @param schemes those that are wanted
 * @returns empty where it is none
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

/** An address of a picture: pages load none without https. */
export const pictureOf = (address: string | undefined, base?: string): string => addressOf(address, base, ['https:']);

/** A moment as it is stored; another one where it is none. */
export function momentOf(date: string | undefined, instead: string): string {
  const moment = new Date(date ?? '');
  const year = moment.getUTCFullYear();
  return year >= 1970 && year <= 9998 ? moment.toISOString() : instead;
}

/** A name for an item by which it is found again: what its source calls it, shortened where it is long. */
export const externalIdOf = (...parts: string[]): string => {
  const text = clean(parts.find((part) => part !== '') ?? '');
  return text.length > 0 && text.length <= 200 ? text : createHash('sha256').update(parts.join('\n')).digest('hex');
};
