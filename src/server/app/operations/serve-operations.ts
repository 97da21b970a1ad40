import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ApiError } from '../../../contract/errors.ts';
import { faultsOf, isPostgres } from '../../core/db/database.ts';
import type { Health } from '../../core/health.ts';
import { RETRY_AFTER } from '../../core/http/as-api-error.ts';
import { Metrics } from '../../core/metrics.ts';
import { keyCheck } from '../../core/secrets/key-check.ts';
import type { Services } from '../../core/services.ts';
import type { Relay } from '../../pages/sockets/relay.ts';
import { bucketCheck, databaseCheck, diskCheck, poolsCheck, relayCheck, tokenSearchCheck } from './checks.ts';
import { addServerMeasures } from './server-measures.ts';

const digest = (text: string) => createHash('sha256').update(text).digest();

const LOOPBACK = /^(?:127\.|::ffff:127\.|::1$)/;

/** Host names of the local machine. */
const OWN_NAME = /^(?:localhost|127\.[\d.]+|\[::1\])$/;

/**
 * Whether a request comes from this machine. A local proxy may forward neither host name nor client address, so
 * requests count as local only if PUBLIC_URL says that the server is reachable only locally.
 */
const isLocal = ({ ip, hostname, headers }: FastifyRequest, publicUrl: string | undefined) =>
  LOOPBACK.test(ip) &&
  OWN_NAME.test(hostname) &&
  publicUrl !== undefined &&
  OWN_NAME.test(new URL(publicUrl).hostname) &&
  !['x-forwarded-for', 'forwarded', 'x-real-ip', 'via'].some((name) => headers[name] !== undefined);

/** Whether a request carries the token; compared in constant time. */
const hasToken = ({ headers }: FastifyRequest, token: string | undefined) =>
  token !== undefined && timingSafeEqual(digest(headers.authorization ?? ''), digest(`Bearer ${token}`));

/** Check intervals in milliseconds while everything is healthy. */
const EVERY = { database: 2000, disk: 5000, key: 60_000, nats: 2000, s3: 30_000, tokenSearch: 60_000 };

/** Starts periodic checks of the server's dependencies. */
export function watchParts(
  health: Health,
  { db, settings, media, clock }: Services,
  relay: Pick<Relay<unknown>, 'isConnected'> | null,
): void {
  health.watch('database', EVERY.database, databaseCheck(db));
  health.watch('disk', EVERY.disk, diskCheck(settings.DATA_DIR));
  health.watch('key', EVERY.key, keyCheck({ db, settings, clock }));
  if (isPostgres(db)) health.watch('token_search', EVERY.tokenSearch, tokenSearchCheck(db));
  if (media.bucket) health.watch('s3', EVERY.s3, bucketCheck(media.bucket));
  if (relay)
    health.watch(
      'nats',
      EVERY.nats,
      relayCheck(() => relay.isConnected),
    );
}

/** Serves liveness, readiness and metrics. */
export function serveOperations(app: FastifyInstance, services: Services, metrics: Metrics): void {
  const { settings, db } = services;
  const { health } = app;
  addServerMeasures(metrics, services, health);
  const stopListening = faultsOf(db).listen((kind) => {
    if (kind === 'away') void health.look('database');
    if (kind === 'full') void health.look(isPostgres(db) ? 'database' : 'disk');
  });
  app.addHook('onReady', async () => void health.start());
  app.addHook('onClose', async () => {
    stopListening();
    await health.stop();
  });
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'none';
    metrics.count(route, request.method, reply.statusCode, reply.elapsedTime / 1000);
    done();
  });

  const findStuck = poolsCheck(services.workers);
  app.get('/healthz', async (request, reply) => {
    reply.header('cache-control', 'no-store');
    const stuck = await findStuck();
    if (!stuck) return reply.send({ status: 'alive' });
    const error = new ApiError('unavailable', stuck);
    return reply.code(error.status).send(error.body(request.id));
  });

  app.get('/readyz', async (request, reply) => {
    reply.header('cache-control', 'no-store');
    const report = health.report();
    if (report.status === 'ready' || report.status === 'degraded') return reply.send(report);
    const error = new ApiError('unavailable', undefined, undefined, RETRY_AFTER);
    return reply
      .code(error.status)
      .header('retry-after', RETRY_AFTER)
      .send({ ...error.body(request.id), ...report });
  });

  app.get('/metrics', async (request, reply) => {
    if (!isLocal(request, settings.PUBLIC_URL) && !hasToken(request, settings.METRICS_TOKEN))
      throw new ApiError('forbidden');
    return reply
      .header('cache-control', 'no-store')
      .type(Metrics.contentType)
      .send(await metrics.text());
  });
}
