import type { FastifyRequest } from 'fastify';

/** Whether an origin may connect: ours, or one that may frame our rooms. */
export function isKnownOrigin(
  request: FastifyRequest,
  publicUrl: string | undefined,
  embedDomains: readonly string[],
): boolean {
  const { origin } = request.headers;
  if (origin === undefined || !/^https?:\/\//.test(origin) || !URL.canParse(origin)) return false;
  // A proxy may have terminated TLS, so our own scheme is ignored.
  return new URL(origin).host === request.host || origin === publicUrl || embedDomains.includes(origin);
}
