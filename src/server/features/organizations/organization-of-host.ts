import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ApiError } from '../../../contract/errors.ts';
import type { Services } from '../../core/services.ts';
import { Hosts } from './organizations.ts';

/** Routes that watch the server itself: they belong to no organization and answer under any host. */
const OF_NOBODY = new Set(['/healthz', '/readyz', '/metrics']);

/** What the host of each request stands for, or why nothing. */
const found = new WeakMap<FastifyRequest, number | Error>();

/**
 * The organization that the host of a request stands for.
 * @throws ApiError not_found when there is no organization yet; whatever kept it from being found
 */
export function organizationOfHost(request: FastifyRequest): number {
  const known = found.get(request) ?? new ApiError('not_found');
  if (typeof known === 'number') return known;
  throw known;
}

/**
 * Finds the organization of each request by its host, and refuses a host that none of several organizations has: API,
 * pages, files and sockets alike. Whoever is signed in is answered for their own organization, under whichever host.
 * @param known the organization of requests that the server makes itself, under no organization's host
 */
export function findOrganizations(
  app: FastifyInstance,
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  known: (request: FastifyRequest) => number | undefined = () => undefined,
): void {
  const hosts = new Hosts(db, clock);
  app.addHook('onRequest', async (request, reply) => {
    if (OF_NOBODY.has(request.routeOptions.url ?? '')) return;
    const organization = known(request) ?? (await hosts.find(request.hostname).catch((error: Error) => error));
    found.set(request, organization);
    if (!(organization instanceof ApiError) || organization.code !== 'misdirected') return;
    reply.header('cache-control', 'no-store');
    if (/^\/(?:api|media)(?:[/?]|$)/i.test(request.routeOptions.url ?? request.url)) throw organization;
    reply.code(organization.status).type('text/plain; charset=utf-8').send(`${organization.message}\n`);
    return reply;
  });
}
