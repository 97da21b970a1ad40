import { hash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { REALTIME_PATH } from '../../../contract/presence-messages.ts';
import { logFailure } from '../../core/files/log-failure.ts';
import { addressSubject } from '../../core/limits/attempts.ts';
import type { Services } from '../../core/services.ts';
import { organizationOfHost } from '../../features/organizations/hosts.ts';
import { publicSettings } from '../../features/organizations/queries.ts';
import { isKnownOrigin } from '../sockets/known-origin.ts';
import type { Upgrades } from '../sockets/upgrades.ts';
import { Realtime } from './realtime.ts';

const querySchema = z.object({
  key: z.string().max(256),
  room: z.coerce.number().int().positive().max(2_147_483_647).optional(),
  mode: z.literal('batch').optional(),
  avatars: z.literal('1').optional(),
});

const digest = (text: string) => hash('sha256', text, 'buffer');

/** Serves the WebSocket through which visitors see each other. */
export function serveRealtime(app: FastifyInstance, services: Services, upgrades: Upgrades): Realtime {
  const realtime = new Realtime(services, (error) => logFailure(app.health, app.log, error));
  upgrades.at((path) => path === REALTIME_PATH);

  app.get(REALTIME_PATH, async (request, reply) => {
    const refuse = (status: number, text: string) =>
      reply.code(status).header('cache-control', 'no-store').type('text/plain; charset=utf-8').send(`${text}\n`);
    const head = upgrades.headOf(request.raw);
    if (!head) return refuse(426, 'Connect with a WebSocket.');
    const query = querySchema.safeParse(request.query);
    if (!query.success) return refuse(400, 'Specify the key, and the room as a number.');
    const organizationId = organizationOfHost(request);
    const settings = await publicSettings(services, organizationId);
    if (!timingSafeEqual(digest(query.data.key), digest(settings.realtime_api_key))) return refuse(403, 'Invalid key.');
    if (!isKnownOrigin(request, services.settings.PUBLIC_URL, settings.embed_domains))
      return refuse(403, 'This origin is not allowed.');
    const address = addressSubject(request.ip);
    const full = realtime.connections.refusalOf(address, organizationId);
    if (full) return refuse(429, full);
    reply.hijack();
    reply.raw.detachSocket(request.raw.socket);
    const { room: roomId = null, mode = 'single', avatars } = query.data;
    const form = mode === 'batch' && avatars ? 'avatars' : mode;
    realtime.accept({ organizationId, address, roomId, form }, request.raw, head);
    return reply;
  });

  app.addHook('preClose', () => realtime.close());
  return realtime;
}
