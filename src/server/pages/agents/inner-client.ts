import type { FastifyInstance, InjectOptions } from 'fastify';
import { type Client, createClient } from '../../../contract/client.ts';

/** Whose request the calls belong to. */
export interface Origin {
  /** API key. */
  token: string;
  host: string;
  /** IP address of the caller. */
  address: string;
}

/**
 * A client that calls this server without the network. Its calls have the rights, limits and records of any other call
 * with the same key.
 */
export function innerClient(app: FastifyInstance, { token, host, address }: Origin): Client {
  return createClient({
    origin: '',
    token: () => token,
    exchange: async ({ method, url, headers, body }) => {
      const options: InjectOptions = { method, url, headers: { ...headers, host }, remoteAddress: address };
      const answer = await app.inject(body === undefined ? options : { ...options, payload: body });
      const isJson = String(answer.headers['content-type']).includes('json');
      return {
        status: answer.statusCode,
        headers: { get: (name: string) => answer.headers[name]?.toString() ?? null },
        _data: isJson ? answer.json() : answer.payload,
      };
    },
  });
}
