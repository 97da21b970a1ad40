import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { answerConnectionError } from './connection-errors.ts';

/** Minimum transfer rate of a request body. */
export interface LeastRate {
  /** Milliseconds between checks. */
  every: number;
  /** Bytes per check. */
  least: number;
}

/** 8 kB per second: the slowest mobile network is faster, and a file of 200 MB may take seven hours. */
const LEAST: LeastRate = { every: 60_000, least: 480 * 1024 };

const hasBody = ({ headers }: IncomingMessage) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/**
 * Ends requests whose body arrives implausibly slowly, with a 408. The total time is unlimited: large files arrive over
 * slow connections. Time during which this server itself reads slowly doesn't count.
 */
export function endSlowBodies(app: FastifyInstance, { every, least }: LeastRate = LEAST): void {
  app.addHook('onRequest', ({ raw }, { raw: response }, done) => {
    if (!hasBody(raw)) return done();
    const { socket } = raw;
    let before = socket.bytesRead;
    const looks = setInterval(() => {
      const came = socket.bytesRead - before;
      before = socket.bytesRead;
      if (raw.complete || raw.readableLength > 0 || came >= least) return;
      clearInterval(looks);
      if (response.headersSent) socket.destroy();
      else answerConnectionError(Object.assign(new Error(), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), socket);
    }, every);
    looks.unref();
    const stop = () => clearInterval(looks);
    raw.once('end', stop);
    raw.once('close', stop);
    response.once('close', stop);
    done();
  });
}
