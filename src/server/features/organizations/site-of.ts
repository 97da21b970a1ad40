import type { FastifyRequest } from 'fastify';
import type { Database } from '../../core/db/database.ts';
import { prepared } from '../../core/db/prepared.ts';
import type { CallContext } from '../../core/http/call-context.ts';
import type { Services } from '../../core/services.ts';
import { organizationOfHost } from './hosts.ts';

/** The base URL of the back-office. */
export interface Site {
  /** Scheme, host and port, such as `https://rooms.example.com`. */
  origin: string;
  /** Its host name. */
  host: string;
}

/** The URL of a host on this server, with the scheme and port of the public URL. */
function siteAt(publicUrl: string, host: string | null): Site {
  const url = new URL(publicUrl);
  if (host !== null) url.hostname = host;
  return { origin: url.origin, host: url.hostname };
}

/** Where an organization is found. */
interface Presence {
  /** Its host name; null if it answers on all other hosts. */
  host: string | null;
  /** Whether search engines may list all its open rooms. */
  listsRooms: boolean;
}

const presenceById = prepared((db, id: number) =>
  db.selectFrom('organizations').select(['host', 'lists_rooms']).where('id', '=', id),
);

const furtherHost = prepared((db, organizationId: number, host: string) =>
  db
    .selectFrom('organization_hosts')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('host', '=', host),
);

/** Where an organization is found. */
export async function presenceOf(db: Database, organizationId: number): Promise<Presence> {
  const [row] = await presenceById(db, organizationId);
  return { host: row?.host ?? null, listsRooms: row?.lists_rooms === 1 };
}

/** The host name of an organization; null if it answers on all other hosts. */
export const hostOf = async (db: Database, organizationId: number): Promise<string | null> =>
  (await presenceOf(db, organizationId)).host;

/** The site of an organization: its own host name, otherwise the server's public URL. */
export async function siteOf({ db, publicUrl }: Pick<CallContext, 'db' | 'publicUrl'>, organizationId: number) {
  return siteAt(publicUrl(), await hostOf(db, organizationId));
}

/** Scheme, host and port of a request; null if its Host header is malformed. */
const originOf = ({ protocol, host }: FastifyRequest): string | null =>
  /^[\w.-]+(?::\d+)?$|^\[[\da-f:]+\](?::\d+)?$/i.test(host) ? `${protocol}://${host}` : null;

/**
 * The site of an organization for responses to this client only: without a public URL, it is the request's own
 * origin. Emails and stored data never use it, because clients control the Host header.
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
 * The site of a request. The Host header only chooses between the organization's hosts and the server's
 * public URL; other names are never trusted.
 */
export async function requestedSite({ db, publicUrl, organizationId, host }: CallContext): Promise<Site> {
  const isOwn = (await hostOf(db, organizationId)) === host || (await furtherHost(db, organizationId, host)).length > 0;
  return siteAt(publicUrl(), isOwn ? host : null);
}

declare module '../../core/http/call-context.ts' {
  interface CallContext {
    /** Site of an organization, for responses that only the caller reads; emails use `siteOf`. */
    shownSite(organizationId: number): Promise<Site>;
  }
}
