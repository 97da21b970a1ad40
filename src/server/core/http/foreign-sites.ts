import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ApiError } from '../../../contract/errors.ts';
import type { ServerSettings } from '../settings.ts';

/** Safe methods, allowed from anywhere. */
const READING = ['GET', 'HEAD', 'OPTIONS'];

/** Whether an origin is ours: the request's host, or the public URL. */
function isOurs(origin: string, { host }: FastifyRequest, publicUrl: string | undefined): boolean {
  if (!URL.canParse(origin)) return false;
  // A proxy may have terminated TLS, so the scheme is ignored.
  const from = new URL(origin).host;
  return from === host || (publicUrl !== undefined && from === new URL(publicUrl).host);
}

/**
 * Whether a browser marks the request as cross-site. Pages can forge neither `Sec-Fetch-Site` nor `Origin` (Fetch
 * standard, "forbidden request-header"); programs send neither.
 */
function isForeign(request: FastifyRequest, publicUrl: string | undefined): boolean {
  const { origin, 'sec-fetch-site': site } = request.headers;
  if (site === 'same-origin' || site === 'none') return false;
  if (origin !== undefined) return !isOurs(origin, request, publicUrl);
  return site !== undefined;
}

/**
 * Rejects cross-site requests that another site's page makes a visitor's browser send, such as code guesses or messages
 * under the visitor's IP address.
 */
export function refuseForeignSites(app: FastifyInstance, { PUBLIC_URL }: Pick<ServerSettings, 'PUBLIC_URL'>): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const isRefused = !READING.includes(request.method) && isForeign(request, PUBLIC_URL);
    done(isRefused ? new ApiError('foreign_site') : undefined);
  });
}
