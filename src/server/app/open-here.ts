import type { FastifyRequest, InjectOptions } from 'fastify';
import { DRAWING_COOKIE, type DrawingRight, type DrawingRights } from '../core/secrets/drawing-rights.ts';
import type { Here } from '../features/static-sites/here.ts';

/** Opens this server to its own requests, as the host of a caller's request. */
export function openHere({ server, headers, ip }: FastifyRequest, rights: DrawingRights, right: DrawingRight): Here {
  const token = rights.give(right);
  return {
    get: async (url, accept) => {
      const options: InjectOptions & { payloadAsStream: true } = {
        method: 'GET',
        url,
        headers: { host: headers.host ?? '', cookie: `${DRAWING_COOKIE}=${token}`, ...(accept && { accept }) },
        remoteAddress: ip,
        payloadAsStream: true,
      };
      const response = await server.inject(options);
      return { status: response.statusCode, headers: response.headers, body: response.stream() };
    },
    end: () => rights.end(token),
  };
}
