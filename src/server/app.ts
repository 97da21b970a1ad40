import { join } from 'node:path';
import multipart from '@fastify/multipart';
import fastify, { type FastifyInstance } from 'fastify';
import { ApiError } from '../contract/errors.ts';
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
import { serveMedia } from './media/serve.ts';
import { serveOperations } from './operations/serve-operations.ts';
import { findOrganizations } from './organizations/organization-of-host.ts';
import { addSecurityHeaders } from './pages/security-headers.ts';
import { servePages } from './pages/serve-pages.ts';
import { sweepDaily } from './privacy/sweep-daily.ts';
import { serveRealtime } from './realtime/serve-realtime.ts';
import { loggedRequest } from './request-log.ts';
import { KeptRooms } from './rooms/kept-rooms.ts';
import type { Services } from './services.ts';

/** Largest JSON body in bytes: a room of a thousand elements has about a megabyte. */
const BODY_LIMIT = 8 * 1024 * 1024;
/** Longest address in characters. */
const LONGEST_URL = 8192;
/** Where the build puts the pages. */
export const DIST = join(import.meta.dirname, '../../dist');

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
    clientErrorHandler: answerConnectionError,
    frameworkErrors: (error, request, reply) => answerError(error, request, reply),
  });
  const largestUpload = settings.MEDIA_MAX_MB * 1024 * 1024;
  await app.register(multipart, {
    limits: { fields: 100, files: 1, parts: 101, fieldSize: 256 * 1024, fileSize: largestUpload },
  });
  app.setErrorHandler(answerError);
  readJsonBodies(app);
  addSecurityHeaders(app, settings);
  refuseForeignSites(app, settings);
  noticeUnknownProxies(app, settings);
  endSlowBodies(app);
  readOutBodies(app, largestUpload);
  app.addHook('onRequest', async (request) => {
    if (request.url.length > LONGEST_URL) throw new ApiError('too_large', 'This address is too long.');
  });
  findOrganizations(app, services);
  const realtime = serveRealtime(app, services);
  serveOperations(app, services, () => [...realtime.measures(), ...services.workers.measures()]);
  sweepDaily(app, services);
  app.addHook('onClose', () => services.workers.close());
  // Pages and the API give the same rooms.
  const keeping = { ...services, keptRooms: new KeptRooms() };
  registerCalls(app, keeping, handlers);
  await serveDocs(app);
  await serveMedia(app, services);
  await servePages(app, keeping, dist);
  return app;
}
