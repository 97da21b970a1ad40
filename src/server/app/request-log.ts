import type { FastifyRequest } from 'fastify';

/** Files are named by hashes that open nothing by themselves. */
const FILES = /^\/(?:media|assets)\//;
/** A part of a path that is as long as a token. */
const TOKEN = /[^/]{20,}/g;

/** An address without what it may carry in secret: tokens in its path, and the values of its query. */
function addressOf(url: string): string {
  const [path = '', ...query] = url.split('?');
  const shown = FILES.test(path) ? path : path.replace(TOKEN, '…');
  if (query.length === 0) return shown;
  const names = query
    .join('?')
    .split('&')
    .map((field) => field.split('=', 1)[0]!.replace(TOKEN, '…'));
  return `${shown}?${names.join('&')}`;
}

/** What the log says of a request at every level: who asked for what, and no secret that the address carries. */
export const loggedRequest = ({ method, url, host, ip }: FastifyRequest): Record<string, string> => ({
  method,
  url: addressOf(url),
  host,
  remoteAddress: ip,
});
