import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import { ApiError } from '../../contract/errors.ts';
import { isMigrated } from '../db/migrate.ts';
import type { Services } from '../services.ts';
import { type Measure, Metrics } from './metrics.ts';

const digest = (text: string) => createHash('sha256').update(text).digest();

const LOOPBACK = /^(?:127\.|::ffff:127\.|::1$)/;

/** Names that a machine has for itself. */
const OWN_NAME = /^(?:localhost|127\.[\d.]+|\[::1\])$/;

/**
 * Whether a request comes from this machine itself. One that a proxy passed on does not, also where the proxy runs on
 * this machine and says nothing of itself: a server that has a public address is taken to stand behind one.
 */
const isLocal = ({ ip, hostname, headers }: FastifyRequest, publicUrl: string | undefined) =>
  LOOPBACK.test(ip) &&
  OWN_NAME.test(hostname) &&
  (publicUrl === undefined || OWN_NAME.test(new URL(publicUrl).hostname)) &&
  !['x-forwarded-for', 'forwarded', 'x-real-ip', 'via'].some((name) => headers[name] !== undefined);

/** Whether a request brings the token; compared in a time that tells nothing. */
const hasToken = ({ headers }: FastifyRequest, token: string | undefined) =>
  token !== undefined && timingSafeEqual(digest(headers.authorization ?? ''), digest(`Bearer ${token}`));

/**
 * Serves what watches the server: whether it lives, whether it can work, and its measures.
 * @param others gives what other parts of the server measure
 */
export function serveOperations(app: FastifyInstance, { db, settings }: Services, others: () => Measure[]): void {
  const metrics = new Metrics();
  app.addHook('onReady', async () => metrics.start());
  app.addHook('onClose', async () => metrics.stop());
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'none';
    metrics.count(route, request.method, reply.statusCode, reply.elapsedTime / 1000);
  });

  app.get('/healthz', async (_request, reply) => reply.header('cache-control', 'no-store').send({ status: 'alive' }));

  app.get('/readyz', async (request, reply) => {
    reply.header('cache-control', 'no-store');
    const ready = await sql`select 1`
      .execute(db)
      .then(() => isMigrated(db))
      .catch((error: unknown) => {
        request.log.error(error);
        return false;
      });
    if (!ready) throw new ApiError('unavailable');
    return reply.send({ status: 'ready' });
  });

  app.get('/metrics', async (request, reply) => {
    if (!isLocal(request, settings.PUBLIC_URL) && !hasToken(request, settings.METRICS_TOKEN))
      throw new ApiError('forbidden');
    return reply
      .header('cache-control', 'no-store')
      .type('text/plain; version=0.0.4; charset=utf-8')
      .send(metrics.text(others()));
  });
}
