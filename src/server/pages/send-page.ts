import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '../core/clock.ts';
import { markAge } from '../core/db/last-answers.ts';
import { sendParts } from '../core/http/cached-response.ts';
import { type ClockSlot, clockAt } from './page-scripts.ts';

const compress = promisify(brotliCompress);
/** Minimum size in bytes for compression: smaller responses fit into one or two packets anyway. */
const MIN_COMPRESSED_BYTES = 2000;
/** Brotli level for dynamic responses: higher ones cost more time than they save. */
const QUALITY = 5;

/** A cached page: its bytes with slots for the clock, and its response headers. */
export interface MadePage {
  parts: (Buffer | ClockSlot)[];
  status: number;
  policy: string;
  /** Language of its space; undefined if that states none. */
  language: string | undefined;
  /** Whether browsers get it in one of several languages. */
  isTranslated: boolean;
  /** Age in seconds of the data; null if it is fresh. */
  age: number | null;
  /** Entity tag of everything but the clock; null if browsers must not store the page. */
  tag: string | null;
}

/** Bytes of a page without the clock. */
export const sizeOfPage = ({ parts }: MadePage): number => parts.reduce((sum, part) => sum + part.length, 0);

/** Weak entity tag of a page: its clock differs in each response. */
export const tagOf = (parts: MadePage['parts'], policy: string): string => {
  const hash = createHash('sha256').update(policy);
  for (const part of parts) hash.update(part);
  return `W/"${hash.digest('base64url')}"`;
};

/**
 * Sends a page with the current time, compressed if the browser accepts that. The page of a room that is open to everyone
 * may be stored and revalidated; a visit in a stored page reads the clock again. Storing it also lets browsers resume the
 * page when the visitor returns to it.
 */
export async function sendPage(
  request: FastifyRequest,
  reply: FastifyReply,
  { parts, status, policy, language, isTranslated, age, tag }: MadePage,
  clock: Clock,
): Promise<FastifyReply> {
  markAge(reply, age);
  // A browser replaces stored headers with those of a 304, so it carries the policy, too.
  const vary = `accept-encoding, save-data${isTranslated ? ', accept-language' : ''}`;
  reply.headers({ 'content-security-policy': policy, vary });
  if (language !== undefined) reply.header('content-language', language);
  if (tag === null) reply.header('cache-control', 'no-store');
  else reply.headers({ 'cache-control': 'private, no-cache', etag: tag });
  if (tag !== null && request.headers['if-none-match'] === tag) return reply.code(304).send();
  const bytes = parts.map((part) => (typeof part === 'string' ? Buffer.from(clockAt(part, clock)) : part));
  const length = bytes.reduce((sum, part) => sum + part.length, 0);
  reply.code(status).type('text/html; charset=utf-8');
  const takesBrotli = /\bbr\b(?!\s*;\s*q=0(?:\.0+)?\b)/.test(String(request.headers['accept-encoding'] ?? ''));
  if (!takesBrotli || length < MIN_COMPRESSED_BYTES) return sendParts(reply.header('content-length', length), bytes);
  const params = { [constants.BROTLI_PARAM_QUALITY]: QUALITY };
  return reply.header('content-encoding', 'br').send(await compress(Buffer.concat(bytes), { params }));
}
