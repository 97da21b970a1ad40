import type { FastifyInstance } from 'fastify';
import type { ServerSettings } from '../settings.ts';

/** Warns once if requests come through an unconfigured proxy, which makes all clients share one address. */
export function noticeUnknownProxies(
  app: FastifyInstance,
  { TRUSTED_PROXIES }: Pick<ServerSettings, 'TRUSTED_PROXIES'>,
): void {
  if (TRUSTED_PROXIES.length > 0) return;
  let isSaid = false;
  app.addHook('onRequest', (request, _reply, done) => {
    done();
    if (isSaid || request.headers['x-forwarded-for'] === undefined) return;
    isSaid = true;
    request.log.warn(
      `Requests come through a proxy at ${request.ip}, so its visitors share one address's limits. Set TRUSTED_PROXIES=${request.ip} if the proxy is yours.`,
    );
  });
}
