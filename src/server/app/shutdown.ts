import type { Server } from 'node:http';
import { setImmediate as nextTurn, setTimeout as passed } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { printError } from '../core/console.ts';
import type { Services } from '../core/services.ts';

/** Milliseconds between checks for idle connections during shutdown. */
const IDLE_CHECK = 50;

/** Milliseconds during which queued connections are still accepted when the server stops listening. */
const LAST_CONNECTIONS = 500;

const SECOND = 1000;

/** Closes connections after their response once shutdown has begun, so that clients reconnect to another server. */
export function closeConnectionsWhenStopping(app: FastifyInstance): void {
  app.addHook('onRequest', (_request, reply, done) => {
    if (app.health.isStopping) reply.header('connection', 'close');
    done();
  });
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (app.health.isStopping) reply.header('connection', 'close');
    done();
  });
}

/**
 * Waits until pending connections are accepted: the kernel resets those still in the queue when listening ends. Each
 * turn of the event loop accepts one.
 */
async function acceptPending(server: Server): Promise<void> {
  const until = performance.now() + LAST_CONNECTIONS;
  let came = true;
  server.on('connection', () => {
    came = true;
  });
  while (came && performance.now() < until) {
    came = false;
    await nextTurn();
    await nextTurn();
  }
}

/**
 * Shuts down on a signal. For a grace period `/readyz` reports stopping, so that load balancers drain; then new
 * connections are refused, requests in flight finish, and the database is closed. A second signal exits immediately.
 */
export function stopOnSignal(app: FastifyInstance, { settings, db }: Services, stopWatching: () => void): void {
  const { SHUTDOWN_DELAY: delay, SHUTDOWN_GRACE: grace } = settings;
  const stop = async () => {
    app.health.isStopping = true;
    app.log.info(
      `Shutting down: accepting requests for another ${delay} s, then finishing those in flight within ${grace} s.`,
    );
    stopWatching();
    await passed(delay * SECOND);
    setTimeout(() => {
      printError(`Requests that didn't finish within SHUTDOWN_GRACE, ${grace} s, were aborted.`);
      process.exit(1);
    }, grace * SECOND).unref();
    // A connection whose last response is sent only now would stay open as keep-alive and block the shutdown.
    setInterval(() => app.server.closeIdleConnections(), IDLE_CHECK).unref();
    await acceptPending(app.server);
    await app.close();
    await db.destroy();
    process.exit(0);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.on(signal, () => {
      if (!app.health.isStopping) {
        void stop();
        return;
      }
      printError('Second stop signal: requests in flight were aborted.');
      process.exit(1);
    });
}
