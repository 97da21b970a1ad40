import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ApiError } from '../../../contract/errors.ts';
import type { Clock } from '../../core/clock.ts';
import { type Database, organizationChangesOf } from '../../core/db/database.ts';
import { LastAnswers } from '../../core/db/last-answers.ts';
import { prepared } from '../../core/db/prepared.ts';
import { noteCaller } from '../../core/http/caller.ts';
import { isSuspended, suspended } from '../../core/organization-state.ts';
import type { Services } from '../../core/services.ts';
import { normalizeHost } from './queries.ts';

/** Cache lifetime of a host's organization in milliseconds: changes by other processes take effect after it. */
const ORGANIZATION_CACHE_LIFETIME = 2000;
/** Limit on cached hosts, because clients can invent host names. */
const MAX_CACHED_HOSTS = 500;

/** The organization of a host name. */
interface FoundHost {
  organizationId: number;
  isSuspended: boolean;
  /** Primary host name of the organization if this is another one of it; otherwise null. */
  primary: string | null;
}

/** The organizations of the host, those without a host, and the first one. */
const candidates = prepared((db, host: string) =>
  db
    .selectFrom('organizations')
    .select(['id', 'host', 'suspended_at', 'delete_after'])
    .select((select) =>
      select
        .selectFrom('organization_hosts')
        .select('organization_hosts.organization_id')
        .where('organization_hosts.host', '=', host)
        .as('further'),
    )
    .select((select) =>
      select
        .selectFrom('organizations as all')
        .select(({ fn }) => fn.countAll<number>().as('total'))
        .as('total'),
    )
    .where((where) =>
      where.or([
        where('host', '=', host),
        where('host', 'is', null),
        where('id', 'in', ({ selectFrom }) =>
          selectFrom('organization_hosts as other').select('other.organization_id').where('other.host', '=', host),
        ),
        where('id', '=', ({ selectFrom }) =>
          selectFrom('organizations as first').select(({ fn }) => fn.min<number>('first.id').as('first')),
        ),
      ]),
    )
    .orderBy('id'),
);

/**
 * The organization for a host name: the one with this host, otherwise the one without a host, otherwise
 * the only one.
 * @param host host name, in any spelling
 * @throws ApiError not_found if there is no organization, misdirected if none of several has this host
 */
async function organizationOf(db: Database, host: string): Promise<FoundHost> {
  const name = normalizeHost(host) ?? '';
  const rows = await candidates(db, name);
  const [first] = rows;
  if (!first) throw new ApiError('not_found');
  const found =
    rows.find((row) => row.host === name) ??
    rows.find((row) => row.id === row.further) ??
    rows.find((row) => row.host === null);
  if (!found && Number(first.total) > 1) throw new ApiError('misdirected');
  const row = found ?? first;
  return {
    organizationId: row.id,
    isSuspended: isSuspended(row),
    primary: row.id === row.further && row.host !== name ? row.host : null,
  };
}

/** Finds organizations by host name, with a short-lived cache because every request needs it. */
export class Hosts {
  readonly #db: Database;
  readonly #clock: Clock;
  readonly #known = new Map<string, Promise<FoundHost>>();
  /** Those of the known hosts that have been found. */
  readonly #found = new Map<string, FoundHost>();
  readonly #last: LastAnswers<FoundHost>;
  #till = 0;
  #changes = -1;

  constructor(db: Database, clock: Clock) {
    this.#db = db;
    this.#clock = clock;
    this.#last = new LastAnswers(clock);
  }

  /** Clears the cache if it has expired. */
  #refresh(): void {
    const now = this.#clock.now();
    const { count } = organizationChangesOf(this.#db);
    if (this.#changes === count && now < this.#till && this.#known.size < MAX_CACHED_HOSTS) return;
    this.#changes = count;
    this.#till = now + ORGANIZATION_CACHE_LIFETIME;
    this.#known.clear();
    this.#found.clear();
  }

  /** The cached organization for a host name. */
  peek(host: string): FoundHost | undefined {
    this.#refresh();
    return this.#found.get(host);
  }

  /**
   * The organization for a host name.
   * @throws ApiError not_found or misdirected
   */
  find(host: string): Promise<FoundHost> {
    this.#refresh();
    const known = this.#known.get(host);
    if (known) return known;
    const asked = this.#last.ask(host, () => organizationOf(this.#db, host)).then(({ value }) => value);
    this.#known.set(host, asked);
    asked.then(
      (found) => {
        if (this.#known.get(host) === asked) this.#found.set(host, found);
      },
      () => {
        if (this.#known.get(host) === asked) this.#known.delete(host);
      },
    );
    return asked;
  }
}

/** Server monitoring routes: they belong to no organization and respond on any host. */
const OF_NOBODY = new Set(['/healthz', '/readyz', '/metrics']);

/** The organization of each request's host, or the lookup error. */
const found = new WeakMap<FastifyRequest, FoundHost | Error>();

/**
 * The organization for the host of a request. Everything for visitors asks here, so a suspended organization shows nothing.
 * @throws ApiError not_found if there is no organization, suspended if it is suspended; or the lookup error
 */
export function organizationOfHost(request: FastifyRequest): number {
  const known = found.get(request) ?? new ApiError('not_found');
  if (known instanceof Error) throw known;
  if (known.isSuspended) throw suspended();
  return known.organizationId;
}

/** The organization's primary host name if a request came to another one of its host names; otherwise null. */
export function primaryHostFor(request: FastifyRequest): string | null {
  const known = found.get(request);
  return known && !(known instanceof Error) && !known.isSuspended ? known.primary : null;
}

/**
 * Finds the organization of each request by host, and rejects unknown hosts if there are several organizations: for API,
 * pages, files and sockets. Signed-in users always get their own organization, on any host.
 * @param known the organization of internal requests, which have no organization host
 */
export function findOrganizations(
  app: FastifyInstance,
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  known: (request: FastifyRequest) => number | undefined = () => undefined,
): void {
  const hosts = new Hosts(db, clock);
  app.addHook('onRequest', (request, reply, done) => {
    if (OF_NOBODY.has(request.routeOptions.url ?? '')) return done();
    const settle = (host: FoundHost | Error) => {
      found.set(request, host);
      const { url } = request.routeOptions;
      if (!(host instanceof Error)) {
        noteCaller(request, { userId: null, organizationId: host.organizationId });
        // Some files, such as posters, are found without the organization.
        return host.isSuspended && /^\/(?:media|posters)\//.test(url ?? '') ? done(suspended()) : done();
      }
      if (!(host instanceof ApiError) || host.code !== 'misdirected') return done();
      reply.header('cache-control', 'no-store');
      if (/^\/(?:api|media)(?:[/?]|$)/i.test(url ?? request.url)) return done(host);
      reply.code(host.status).type('text/plain; charset=utf-8').send(`${host.message}\n`);
    };
    const own = known(request);
    const cached =
      own === undefined ? hosts.peek(request.hostname) : { organizationId: own, isSuspended: false, primary: null };
    if (cached === undefined) hosts.find(request.hostname).then(settle, settle);
    else settle(cached);
  });
}
