import type { FastifyRequest } from 'fastify';

/** Whether a page of this origin may connect: ours, or one that may show our rooms in a frame. */
export function isKnownOrigin(
  request: FastifyRequest,
  publicUrl: string | undefined,
  embedDomains: readonly string[],
): boolean {
  const { origin } = request.headers;
  if (origin === undefined || !/^https?:\/\//.test(origin) || !URL.canParse(origin)) return false;
  // A proxy may have taken the encryption off, so the scheme of our own is not looked at.
  return new URL(origin).host === request.host || origin === publicUrl || embedDomains.includes(origin);
}
