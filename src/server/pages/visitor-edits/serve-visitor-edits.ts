import type { FastifyInstance } from 'fastify';
import { VISITOR_EDITS_PATH } from '../../../contract/visitor-edits.ts';
import { logFailure } from '../../core/files/log-failure.ts';
import { addressSubject } from '../../core/limits/attempts.ts';
import { organizationOfHost } from '../../features/organizations/hosts.ts';
import { publicSettings } from '../../features/organizations/queries.ts';
import type { PageServices } from '../../features/visits/read-visit.ts';
import { isKnownOrigin } from '../sockets/known-origin.ts';
import type { Upgrades } from '../sockets/upgrades.ts';
import { VisitorEdits } from './visitor-edits.ts';

/** Serves the WebSocket that sends visitors' pages the edits of their room. */
export function serveVisitorEdits(app: FastifyInstance, services: PageServices, upgrades: Upgrades): VisitorEdits {
  const edits = new VisitorEdits(services, (error) => logFailure(app.health, app.log, error));
  upgrades.at((path) => path === VISITOR_EDITS_PATH);

  app.get(VISITOR_EDITS_PATH, async (request, reply) => {
    const refuse = (status: number, text: string) =>
      reply.code(status).header('cache-control', 'no-store').type('text/plain; charset=utf-8').send(`${text}\n`);
    const head = upgrades.headOf(request.raw);
    if (!head) return refuse(426, 'Connect with a WebSocket.');
    const organizationId = organizationOfHost(request);
    const settings = await publicSettings(services, organizationId);
    if (!isKnownOrigin(request, services.settings.PUBLIC_URL, settings.embed_domains))
      return refuse(403, 'This origin is not allowed.');
    const address = addressSubject(request.ip);
    const full = edits.connections.refusalOf(address, organizationId);
    if (full) return refuse(429, full);
    reply.hijack();
    reply.raw.detachSocket(request.raw.socket);
    edits.accept(organizationId, address, request.raw, head);
    return reply;
  });

  app.addHook('preClose', () => edits.close());
  return edits;
}
