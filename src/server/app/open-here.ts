import type { FastifyRequest, InjectOptions } from 'fastify';
import { OWN_COOKIE, type OwnRight, type OwnRights } from '../core/secrets/own-rights.ts';
import type { Here } from '../features/static-sites/here.ts';

/** Opens this server to its own requests, as the host of a caller's request. */
export function openHere({ server, headers, ip }: FastifyRequest, rights: OwnRights, right: OwnRight): Here {
  const token = rights.give(right);
  return {
    get: async (url, accept) => {
      const options: InjectOptions & { payloadAsStream: true } = {
        method: 'GET',
        url,
        headers: { host: headers.host ?? '', cookie: `${OWN_COOKIE}=${token}`, ...(accept && { accept }) },
        remoteAddress: ip,
        payloadAsStream: true,
      };
      const response = await server.inject(options);
      return { status: response.statusCode, headers: response.headers, body: response.stream() };
    },
    end: () => rights.end(token),
  };
}
