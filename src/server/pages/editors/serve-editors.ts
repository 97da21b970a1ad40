import type { FastifyInstance } from 'fastify';
import { EDITORS_PATH } from '../../../contract/editor-messages.ts';
import { logFailure } from '../../core/files/log-failure.ts';
import { addressSubject } from '../../core/limits/attempts.ts';
import type { Services } from '../../core/services.ts';
import type { Upgrades } from '../sockets/upgrades.ts';
import { Editors } from './editors.ts';

/** Whether an origin may connect: only our own; clients other than browsers send none. */
const isOwnOrigin = (origin: string | undefined, host: string, publicUrl: string | undefined): boolean =>
  origin === undefined || (URL.canParse(origin) && (new URL(origin).host === host || origin === publicUrl));

/** Serves the WebSocket that sends editors each other's changes and presences. */
export function serveEditors(app: FastifyInstance, services: Services, upgrades: Upgrades): Editors {
  const editors = new Editors(services, (error) => logFailure(app.health, app.log, error));
  upgrades.at((path) => path.startsWith(`${EDITORS_PATH}/`));

  app.get<{ Params: { id: string } }>(`${EDITORS_PATH}/:id`, async (request, reply) => {
    const refuse = (status: number, text: string) =>
      reply.code(status).header('cache-control', 'no-store').type('text/plain; charset=utf-8').send(`${text}\n`);
    const head = upgrades.headOf(request.raw);
    if (!head) return refuse(426, 'Connect with a WebSocket.');
    if (!/^[1-9]\d{0,9}$/.test(request.params.id)) return refuse(400, 'Specify the ID of the space.');
    if (!isOwnOrigin(request.headers.origin, request.host, services.settings.PUBLIC_URL))
      return refuse(403, 'This origin is not allowed.');
    const address = addressSubject(request.ip);
    const full = editors.connections.refusalOf(address, null);
    if (full) return refuse(429, full);
    reply.hijack();
    reply.raw.detachSocket(request.raw.socket);
    editors.accept(Number(request.params.id), address, request.raw, head);
    return reply;
  });

  app.addHook('preClose', () => editors.close());
  return editors;
}
