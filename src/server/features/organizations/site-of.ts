import type { FastifyRequest } from 'fastify';
import type { Database } from '../../core/db/database.ts';
import type { CallContext } from '../../core/http/call-context.ts';
import type { Services } from '../../core/services.ts';
import { organizationOfHost } from './queries.ts';

/** Where people reach the back-office. */
export interface Site {
  /** Scheme, host and port, such as `https://rooms.example.com`. */
  origin: string;
  /** Its host name. */
  host: string;
}

/** The address of a host on this server: scheme and port are those of the public one. */
function siteAt(publicUrl: string, host: string | null): Site {
  const url = new URL(publicUrl);
  if (host !== null) url.hostname = host;
  return { origin: url.origin, host: url.hostname };
}

/** The host name of an organization; null where it answers everywhere else. */
export async function hostOf(db: Database, organizationId: number): Promise<string | null> {
  const row = await db.selectFrom('organizations').select('host').where('id', '=', organizationId).executeTakeFirst();
  return row?.host ?? null;
}

/** Where an organization is reached: under its own host name, otherwise under the server's public address. */
export async function siteOf({ db, publicUrl }: Pick<CallContext, 'db' | 'publicUrl'>, organizationId: number) {
  return siteAt(publicUrl(), await hostOf(db, organizationId));
}

/** Scheme, host and port of a request; null where its Host header is malformed. */
const originOf = ({ protocol, host }: FastifyRequest): string | null =>
  /^[\w.-]+(?::\d+)?$|^\[[\da-f:]+\](?::\d+)?$/i.test(host) ? `${protocol}://${host}` : null;

/**
 * Where an organization is reached, for what only this client reads: without a public address, it is the address of the
 * request. Emails and anything stored never use it, because a request can name any host.
 */
export function siteForRequest(
  { settings: { PUBLIC_URL } }: Pick<Services, 'settings'>,
  request: FastifyRequest,
  { id, host }: { id: number; host: string | null },
): Site | null {
  if (PUBLIC_URL) return siteAt(PUBLIC_URL, host);
  const origin = organizationOfHost(request) === id ? originOf(request) : null;
  return origin === null ? null : siteAt(origin, host);
}

/**
 * Where a request has been made. What it says of itself only chooses between the organization's host and the server's
 * public address: another name is never believed.
 */
export async function requestedSite({ db, publicUrl, organizationId, host }: CallContext): Promise<Site> {
  const own = await hostOf(db, organizationId);
  return siteAt(publicUrl(), own === host ? own : null);
}

declare module '../../core/http/call-context.ts' {
  interface CallContext {
    /** Site of an organization, for responses that only the caller reads; emails use `siteOf`. */
    shownSite(organizationId: number): Promise<Site>;
  }
}
