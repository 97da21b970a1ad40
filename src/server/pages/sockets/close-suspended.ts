import type { FastifyInstance } from 'fastify';
import { VISITOR_EDITS_CLOSE } from '../../../contract/visitor-edits.ts';
import { logFailure } from '../../core/files/log-failure.ts';
import type { Services } from '../../core/services.ts';
import { listSuspended } from '../../features/organizations/queries.ts';
import type { Connections } from './connections.ts';
import type { SocketConnection } from './socket-connection.ts';

/** Milliseconds between checks. */
const EVERY = 1000;

/**
 * Closes visitors' sockets of suspended organizations: pages reconnect, and are refused until it is resumed. Editors'
 * sockets end with their sessions.
 */
export function closeSuspended(
  app: FastifyInstance,
  { db }: Pick<Services, 'db'>,
  kinds: readonly Connections<SocketConnection>[],
): void {
  let isChecking = false;
  const check = async () => {
    if (isChecking || kinds.every(({ size }) => size === 0)) return;
    isChecking = true;
    try {
      const ids = new Set<number | null>(await listSuspended(db));
      for (const connections of kinds)
        for (const connection of connections)
          if (ids.has(connection.organizationId))
            connection.end(VISITOR_EDITS_CLOSE.suspended, 'This organization is suspended.');
    } catch (error) {
      logFailure(app.health, app.log, error);
    } finally {
      isChecking = false;
    }
  };
  const timer = setInterval(() => void check(), EVERY).unref();
  app.addHook('onClose', async () => clearInterval(timer));
}
