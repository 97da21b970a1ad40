import { join } from 'node:path';
import cookie from '@fastify/cookie';
import multipart from '@fastify/multipart';
import fastify, { type FastifyInstance } from 'fastify';
import { ApiError } from '../../contract/errors.ts';
import { systemClock, timestampOf } from '../core/clock.ts';
import { isPostgres } from '../core/db/database.ts';
import { LastAnswers } from '../core/db/last-answers.ts';
import { keepLogShort } from '../core/db/write-ahead-log.ts';
import { logFailure } from '../core/files/log-failure.ts';
import { Health } from '../core/health.ts';
import { answerConnectionError } from '../core/http/connection-errors.ts';
import { refuseForeignSites } from '../core/http/foreign-sites.ts';
import { readJsonBodies } from '../core/http/json-bodies.ts';
import { endSlowBodies } from '../core/http/slow-bodies.ts';
import { noticeUnknownProxies } from '../core/http/unknown-proxies.ts';
import { readOutBodies } from '../core/http/unread-bodies.ts';
import { createMailer } from '../core/mail/mailer.ts';
import { Metrics } from '../core/metrics.ts';
import { nameRequests, requestIdOf } from '../core/request-id.ts';
import { OwnRights } from '../core/secrets/own-rights.ts';
import type { Services } from '../core/services.ts';
import { version } from '../core/version.ts';
import { keepTokenSearch } from '../features/access-tokens/jobs.ts';
import { feedMeasures } from '../features/feeds/refresh-feed.ts';
import { ImportMeasures } from '../features/imports/import-measures.ts';
import { optimizeMedia } from '../features/media/optimize.ts';
import { packSheets } from '../features/media/pack-sheets.ts';
import { findOrganizations } from '../features/organizations/hosts.ts';
import { keepOrganizations } from '../features/organizations/jobs.ts';
import { drawPosters } from '../features/poster-drawing/jobs.ts';
import { publishScheduled } from '../features/publications/jobs.ts';
import { touchRooms } from '../features/rooms/queries.ts';
import { type RoomBytes, RoomCache, sizeOfRoom } from '../features/rooms/room-cache.ts';
import { keepStatistics } from '../features/statistics/jobs.ts';
import { signIns } from '../features/users/sign-in.ts';
import type { OpenEndpoint } from '../features/visits/public-endpoints.ts';
import { deliverWebhooks, webhookMeasures } from '../features/webhooks/jobs.ts';
import { serveAgents } from '../pages/agents/serve-agents.ts';
import { serveEditors } from '../pages/editors/serve-editors.ts';
import { answerError } from '../pages/errors.ts';
import { serveMedia } from '../pages/media/serve.ts';
import { servePosters } from '../pages/media/serve-posters.ts';
import { serveRealtime } from '../pages/realtime/serve-realtime.ts';
import { addSecurityHeaders } from '../pages/security-headers.ts';
import { serveDrawingPage } from '../pages/serve-drawing-page.ts';
import { servePages } from '../pages/serve-pages.ts';
import { closeSuspended } from '../pages/sockets/close-suspended.ts';
import { Upgrades } from '../pages/sockets/upgrades.ts';
import { serveVisitorEdits } from '../pages/visitor-edits/serve-visitor-edits.ts';
import { sweepDaily } from './clean-up/sweep-daily.ts';
import { serveDocs } from './docs.ts';
import { handlers } from './handlers.ts';
import { serveOperations, watchParts } from './operations/serve-operations.ts';
import { registerCalls } from './register.ts';
import { loggedRequest, RequestLog } from './request-log.ts';
import { closeConnectionsWhenStopping } from './shutdown.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Health of the server's dependencies. */
    health: Health;
  }
}

/** Largest JSON body in bytes: a room of a thousand elements has about a megabyte. */
const BODY_LIMIT = 8 * 1024 * 1024;
/** Maximum URL length in characters. */
const MAX_URL_LENGTH = 8192;
/** Output folder of the page build. */
export const DIST = join(import.meta.dirname, '../../../dist');

/**
 * Builds the server around its services, without listening.
 * @param dist folder of the built pages
 */
export async function createApp(services: Services, dist: string = DIST): Promise<FastifyInstance> {
  const { settings } = services;
  const app = fastify({
    logger:
      settings.LOG_LEVEL === 'silent'
        ? false
        : {
            level: settings.LOG_LEVEL,
            timestamp: () => `,"time":"${timestampOf(systemClock.now())}"`,
            serializers: { req: loggedRequest },
          },
    trustProxy: settings.TRUSTED_PROXIES.length > 0 ? settings.TRUSTED_PROXIES : false,
    bodyLimit: BODY_LIMIT,
    routerOptions: { ignoreTrailingSlash: false, maxParamLength: MAX_URL_LENGTH },
    forceCloseConnections: 'idle',
    // Requests that arrive during shutdown are served: their clients can't know about it yet.
    return503OnClosing: false,
    genReqId: ({ headers }) => requestIdOf(headers),
    logController: new RequestLog(),
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
  const endpoint = settings.OTEL_EXPORTER_OTLP_ENDPOINT;
  if (endpoint) {
    const { traceServer } = await import('./operations/tracing.ts');
    traceServer(app, { endpoint, version, database: isPostgres(services.db) ? 'postgresql' : 'sqlite' });
  }
  closeConnectionsWhenStopping(app);
  readJsonBodies(app);
  addSecurityHeaders(app, settings);
  refuseForeignSites(app, settings);
  noticeUnknownProxies(app, settings);
  endSlowBodies(app);
  readOutBodies(app, largestUpload);
  app.addHook('onRequest', (request, _reply, done) => {
    if (request.url.length > MAX_URL_LENGTH) done(new ApiError('too_large', 'The URL is too long.'));
    else done();
  });
  const ownRights = new OwnRights();
  findOrganizations(app, services, (request) => ownRights.of(request)?.organizationId);
  const upgrades = new Upgrades(app);
  const realtime = serveRealtime(app, services, upgrades);
  const editors = serveEditors(app, services, upgrades);
  const mail = createMailer(settings, services.clock);
  const keeping = {
    ...services,
    mail,
    roomCache: new RoomCache(services.clock),
    lastOpen: new LastAnswers<OpenEndpoint<RoomBytes>>(services.clock, ({ room }) => sizeOfRoom(room)),
    ownRights,
  };
  const visitorEdits = serveVisitorEdits(app, keeping, upgrades);
  closeSuspended(app, services, [realtime.connections, visitorEdits.connections]);
  const metrics = new Metrics();
  const imports = new ImportMeasures();
  for (const measure of [
    ...realtime.measures(),
    ...editors.measures(),
    ...visitorEdits.measures(),
    ...services.workers.measures(),
    ...imports.measures(),
    ...services.visitCounting.buffer.measures(),
    ...mail.measures(),
    ...webhookMeasures(services),
    ...feedMeasures(services),
    signIns.measure(services.db),
  ])
    metrics.add(measure);
  watchParts(app.health, services, realtime.relay);
  serveOperations(app, services, metrics);
  sweepDaily(app, services);
  keepOrganizations(app, services);
  publishScheduled(app, services);
  keepStatistics(app, services);
  deliverWebhooks(app, services);
  keepTokenSearch(app, services);
  drawPosters(app, { ...services, ownRights });
  optimizeMedia(app, { ...services, touchRooms });
  packSheets(app, services);
  if (!isPostgres(services.db)) {
    const logError = (error: unknown) => logFailure(app.health, app.log, error);
    const stop = keepLogShort(settings.DATA_DIR, logError);
    app.addHook('onClose', async () => void (await stop()));
  }
  app.addHook('onClose', () => services.workers.close());
  const publicCalls = registerCalls(app, keeping, handlers, imports);
  serveAgents(app, services);
  await serveDocs(app);
  await serveMedia(app, keeping);
  servePosters(app, services);
  serveDrawingPage(app, ownRights, dist);
  await servePages(app, { ...keeping, publicCalls }, dist);
  return app;
}
