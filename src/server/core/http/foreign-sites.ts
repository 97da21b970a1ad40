import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ApiError } from '../../../contract/errors.ts';
import type { ServerSettings } from '../settings.ts';

/** What changes nothing, and may be asked for from anywhere. */
const READING = ['GET', 'HEAD', 'OPTIONS'];

/** Whether a page of this origin is one of ours: of the host that it speaks to, or of the address that links are built from. */
function isOurs(origin: string, { host }: FastifyRequest, publicUrl: string | undefined): boolean {
  if (!URL.canParse(origin)) return false;
  // A proxy may have taken the encryption off, so the scheme is not looked at.
  const from = new URL(origin).host;
  return from === host || (publicUrl !== undefined && from === new URL(publicUrl).host);
}

/**
 * Whether a browser says that a page of another site sends this. `Sec-Fetch-Site` cannot be made up by pages, and
 * `Origin` neither (Fetch standard, "forbidden request-header"); programs send none of both.
 */
function isForeign(request: FastifyRequest, publicUrl: string | undefined): boolean {
  const { origin, 'sec-fetch-site': site } = request.headers;
  if (site === 'same-origin' || site === 'none') return false;
  if (origin !== undefined) return !isOurs(origin, request, publicUrl);
  return site !== undefined;
}

/**
 * Refuses whatever another site's page makes a visitor's browser send: codes to be guessed, messages to be shared, with
 * the address of somebody who knows nothing of it.
 */
export function refuseForeignSites(app: FastifyInstance, { PUBLIC_URL }: Pick<ServerSettings, 'PUBLIC_URL'>): void {
  app.addHook('onRequest', async (request) => {
    if (!READING.includes(request.method) && isForeign(request, PUBLIC_URL)) throw new ApiError('foreign_site');
  });
}
