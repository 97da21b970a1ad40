import multipart from '@fastify/multipart';
import fastify, { type FastifyInstance } from 'fastify';
import { answerError } from './api/errors.ts';
import type { Services } from './services.ts';

/** Largest JSON body in bytes: a room of a thousand elements has about a megabyte. */
const BODY_LIMIT = 8 * 1024 * 1024;
/** Milliseconds that a request may take to arrive. */
const REQUEST_TIMEOUT = 120_000;

/** Builds the server around its services, without listening. */
export async function createApp(services: Services): Promise<FastifyInstance> {
  const { settings } = services;
  const app = fastify({
    logger: settings.LOG_LEVEL === 'silent' ? false : { level: settings.LOG_LEVEL },
    trustProxy: settings.TRUSTED_PROXIES.length > 0 ? settings.TRUSTED_PROXIES : false,
    bodyLimit: BODY_LIMIT,
    requestTimeout: REQUEST_TIMEOUT,
    routerOptions: { ignoreTrailingSlash: false, maxParamLength: 200 },
    forceCloseConnections: 'idle',
  });
  await app.register(multipart, {
    limits: { fields: 100, files: 1, parts: 101, fieldSize: 256 * 1024, fileSize: settings.MEDIA_MAX_MB * 1024 * 1024 },
  });
  app.setErrorHandler(answerError);
  return app;
}
