import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';

const compress = promisify(brotliCompress);
/** Fewer bytes than this travel in one packet or two anyway. */
const WORTH = 2000;
/** Good for text that is made for one answer: the levels above cost more time than they save. */
const QUALITY = 5;

/**
 * Sends a page that was put together for this answer, compressed where the browser takes it. It carries the server's
 * clock, so it is never shown again: a browser that goes back would show a kept one without asking.
 */
export async function sendPage(request: FastifyRequest, reply: FastifyReply, page: Buffer): Promise<FastifyReply> {
  reply.header('cache-control', 'no-store').header('vary', 'accept-encoding').type('text/html; charset=utf-8');
  const takesBrotli = /\bbr\b(?!\s*;\s*q=0(?:\.0+)?\b)/.test(String(request.headers['accept-encoding'] ?? ''));
  if (!takesBrotli || page.length < WORTH) return reply.send(page);
  const params = { [constants.BROTLI_PARAM_QUALITY]: QUALITY };
  return reply.header('content-encoding', 'br').send(await compress(page, { params }));
}
