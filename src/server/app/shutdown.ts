import type { Server } from 'node:http';
import { setImmediate as nextTurn, setTimeout as passed } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { printError } from '../core/console.ts';
import type { Services } from '../core/services.ts';

/** Milliseconds between looks for connections that are done while the server stops. */
const IDLE_CHECK = 50;

/** Milliseconds that connections may go on to come in, one after the other, when the server stops listening. */
const LAST_CONNECTIONS = 500;

const SECOND = 1000;

/** Ends connections with the answer that is sent on them, once the server was told to stop: the next one goes to another. */
export function sendAwayWhenStopping(app: FastifyInstance): void {
  app.addHook('onRequest', async (_request, reply) => {
    if (app.health.isStopping) reply.header('connection', 'close');
  });
  app.addHook('onSend', async (_request, reply, payload) => {
    if (app.health.isStopping) reply.header('connection', 'close');
    return payload;
  });
}

/**
 * Waits until pending connections are accepted: the system resets those that were not accepted before listening ends.
 * One is accepted in each turn of the event loop.
 */
async function takeIn(server: Server): Promise<void> {
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
 * Ends the server when it is told to. For a while it goes on, and `/readyz` says that it stops, so that load balancers send
 * nothing more; then new connections are refused, what is under way ends, and the database is closed. Told again, it ends at once.
 */
export function stopOnSignal(app: FastifyInstance, { settings, db }: Services, stopWatching: () => void): void {
  const { SHUTDOWN_DELAY: delay, SHUTDOWN_GRACE: grace } = settings;
  const stop = async () => {
    app.health.isStopping = true;
    app.log.info(`The server stops: it goes on for ${delay} s, then what is under way has ${grace} s to end.`);
    stopWatching();
    await passed(delay * SECOND);
    setTimeout(() => {
      printError(`Some requests did not end within SHUTDOWN_GRACE, ${grace} s, and were cut off.`);
      process.exit(1);
    }, grace * SECOND).unref();
    // A connection whose last answer is sent only now would be kept open for the next request, and the server with it.
    setInterval(() => app.server.closeIdleConnections(), IDLE_CHECK).unref();
    await takeIn(app.server);
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
      printError('Told to stop a second time: what was under way was cut off.');
      process.exit(1);
    });
}
