import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Services } from '../../core/services.ts';
import { setCookie } from '../media/media-cookies.ts';
import { PREVIEW_PARAMETER, previewCookie } from '../publications/preview-links.ts';

/** The token of the preview that a request asks for; null where it asks for none. */
export function previewTokenOf({ url }: FastifyRequest): string | null {
  return new URLSearchParams(url.split('?').slice(1).join('?')).get(PREVIEW_PARAMETER);
}

/**
 * Keeps the answer with a preview out of caches, search engines and the logs of other sites, and lets the browser have its
 * files and feeds until it ends.
 */
export function keepPreview(
  { clock, settings }: Pick<Services, 'clock' | 'settings'>,
  request: FastifyRequest,
  reply: FastifyReply,
  token: string,
  { endpointId, endsAt }: { endpointId: number | null; endsAt: number | null },
): void {
  reply.headers({ 'x-robots-tag': 'noindex, nofollow, noarchive', 'referrer-policy': 'no-referrer' });
  if (endpointId === null || endsAt === null) return;
  const secure = request.protocol === 'https' || settings.PUBLIC_URL?.startsWith('https:') === true;
  const maxAge = Math.max(1, Math.floor(endsAt - clock.now() / 1000));
  setCookie(reply, previewCookie(endpointId), token, { path: '/', maxAge, sameSite: 'lax', secure });
}
