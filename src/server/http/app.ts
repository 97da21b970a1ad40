import { join } from 'node:path';
import cookie from '@fastify/cookie';
import multipart from '@fastify/multipart';
import fastify, { type FastifyInstance, LogController } from 'fastify';
import { ApiError } from '../../contract/errors.ts';
import { systemClock } from '../base/clock.ts';
import { isPostgres } from '../base/db/database.ts';
import { LastAnswers } from '../base/db/last-answers.ts';
import { keepLogShort } from '../base/db/write-ahead-log.ts';
import { Health } from '../base/health.ts';
import { Metrics } from '../base/metrics.ts';
import { nameRequests, requestIdOf } from '../base/request-id.ts';
import { DrawingRights } from '../base/secrets/drawing-rights.ts';
import { sweepDaily } from '../jobs/clean-up/sweep-daily.ts';
import { ImportMeasures } from '../jobs/imports/import-measures.ts';
import { drawPosters } from '../jobs/posters/draw-posters.ts';
import { publishScheduled } from '../jobs/publishing/publish-due.ts';
import { keepStatistics } from '../jobs/statistics/keep-statistics.ts';
import { keepTokenSearch } from '../jobs/token-search/keep-token-search.ts';
import { deliverWebhooks } from '../jobs/webhooks/deliver-webhooks.ts';
import { logFailure } from '../storage/log-failure.ts';
import { findOrganizations } from '../store/organizations/organization-of-host.ts';
import { RoomCache } from '../store/rooms/room-cache.ts';
import type { Services } from '../store/services.ts';
import type { OpenEndpoint } from '../store/visits/public-endpoints.ts';
import { answerConnectionError } from './api/connection-errors.ts';
import { serveDocs } from './api/docs.ts';
import { answerError } from './api/errors.ts';
import { refuseForeignSites } from './api/foreign-sites.ts';
import { handlers } from './api/handlers.ts';
import { readJsonBodies } from './api/json-bodies.ts';
import { registerCalls } from './api/register.ts';
import { endSlowBodies } from './api/slow-bodies.ts';
import { noticeUnknownProxies } from './api/unknown-proxies.ts';
import { readOutBodies } from './api/unread-bodies.ts';
import { serveEditors } from './editors/serve-editors.ts';
import { serveMedia } from './media/serve.ts';
import { servePosters } from './media/serve-posters.ts';
import { serveOperations, watchParts } from './operations/serve-operations.ts';
import { addSecurityHeaders } from './pages/security-headers.ts';
import { serveDrawingPage } from './pages/serve-drawing-page.ts';
import { servePages } from './pages/serve-pages.ts';
import { serveRealtime } from './realtime/serve-realtime.ts';
import { loggedRequest } from './request-log.ts';
import { sendAwayWhenStopping } from './shutdown.ts';
import { Upgrades } from './sockets/upgrades.ts';
import { serveVisitorEdits } from './visitor-edits/serve-visitor-edits.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** How everything is that the server stands on. */
    health: Health;
  }
}

/** Largest JSON body in bytes: a room of a thousand elements has about a megabyte. */
const BODY_LIMIT = 8 * 1024 * 1024;
/** Longest address in characters. */
const LONGEST_URL = 8192;
/** Where the build puts the pages. */
export const DIST = join(import.meta.dirname, '../../../dist');

/**
 * Builds the server around its services, without listening.
 * @param dist folder of the built pages
 */
export async function createApp(services: Services, dist: string = DIST): Promise<FastifyInstance> {
  const { settings } = services;
  const app = fastify({
    logger:
      settings.LOG_LEVEL === 'silent' ? false : { level: settings.LOG_LEVEL, serializers: { req: loggedRequest } },
    trustProxy: settings.TRUSTED_PROXIES.length > 0 ? settings.TRUSTED_PROXIES : false,
    bodyLimit: BODY_LIMIT,
    routerOptions: { ignoreTrailingSlash: false, maxParamLength: LONGEST_URL },
    forceCloseConnections: 'idle',
    // Requests that come while the server stops are served: whoever sends them has not heard of it yet.
    return503OnClosing: false,
    genReqId: ({ headers }) => requestIdOf(headers),
    logController: new LogController({ requestIdLogLabel: 'request_id' }),
    clientErrorHandler: answerConnectionError,
    frameworkErrors: (error, request, reply) => answerError(error, request, reply),
  });
  app.decorate('health', new Health(services.clock, app.log));
  const largestUpload = settings.MEDIA_MAX_MB * 1024 * 1024;
  await app.register(cookie);
  await app.register(multipart, {
    limits: { fields: 100, files: 1, parts: 101, fieldSize: 256 * 1024, fileSize: largestUpload },
  });
  app.setErrorHandler(answerError);
  nameRequests(app);
  sendAwayWhenStopping(app);
  readJsonBodies(app);
  addSecurityHeaders(app, settings);
  refuseForeignSites(app, settings);
  noticeUnknownProxies(app, settings);
  endSlowBodies(app);
  readOutBodies(app, largestUpload);
  app.addHook('onRequest', async (request) => {
    if (request.url.length > LONGEST_URL) throw new ApiError('too_large', 'This address is too long.');
  });
  const drawings = new DrawingRights();
  findOrganizations(app, services, (request) => drawings.of(request)?.organizationId);
  const upgrades = new Upgrades(app);
  const realtime = serveRealtime(app, services, upgrades);
  const editors = serveEditors(app, services, upgrades);
  // Pages and the API give the same rooms.
  const keeping = {
    ...services,
    roomCache: new RoomCache(services.clock),
    lastOpen: new LastAnswers<OpenEndpoint>(services.clock),
  };
  const visitorEdits = serveVisitorEdits(app, keeping, upgrades);
  const metrics = new Metrics();
  const imports = new ImportMeasures();
  for (const measure of [
    ...realtime.measures(),
    ...editors.measures(),
    ...visitorEdits.measures(),
    ...services.workers.measures(),
    ...imports.measures(),
    ...services.visitCounting.buffer.measures(),
  ])
    metrics.add(measure);
  watchParts(app.health, services, realtime.relay);
  serveOperations(app, services, metrics);
  sweepDaily(app, services);
  publishScheduled(app, services);
  keepStatistics(app, services);
  deliverWebhooks(app, services);
  keepTokenSearch(app, services);
  drawPosters(app, { ...services, drawings });
  if (!isPostgres(services.db)) {
    const logError = (error: unknown) => logFailure(app.health, app.log, error);
    const stop = keepLogShort(settings.DATA_DIR, systemClock.now, logError);
    app.addHook('onClose', async () => stop());
  }
  app.addHook('onClose', () => services.workers.close());
  registerCalls(app, keeping, handlers, imports);
  await serveDocs(app);
  await serveMedia(app, { ...services, drawings });
  servePosters(app, services);
  serveDrawingPage(app, drawings, dist);
  await servePages(app, keeping, dist);
  return app;
}
