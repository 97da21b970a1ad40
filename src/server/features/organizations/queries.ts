import { domainToASCII } from 'node:url';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Selectable, Updateable } from 'kysely';
import {
  type Module,
  NO_STATEMENT,
  type Settings,
  type Statement,
  settingsSchema,
} from '../../../contract/entities.ts';
import { ApiError } from '../../../contract/errors.ts';
import { OTHER_STATEMENT_PATH, STATEMENT_PATH } from '../../../contract/statement-path.ts';
import type { Clock } from '../../core/clock.ts';
import { type Database, organizationChangesOf } from '../../core/db/database.ts';
import { forUpdate } from '../../core/db/for-update.ts';
import { LastAnswers } from '../../core/db/last-answers.ts';
import { prepared } from '../../core/db/prepared.ts';
import type { OrganizationTable } from '../../core/db/tables.ts';
import { noteCaller } from '../../core/http/caller.ts';
import { createReadable } from '../../core/secrets/token.ts';
import type { Services } from '../../core/services.ts';
import type { Platforms } from '../../providers/platforms.ts';
import { findFiles } from '../media/queries.ts';
import { createOrganization } from './service.ts';

export type StoredOrganization = Selectable<OrganizationTable>;

const rowQuery = (db: Database, id: number) => db.selectFrom('organizations').selectAll().where('id', '=', id);

const notThere = () => new ApiError('not_found');

/** @throws ApiError not_found */
export async function findOrganization(db: Database, id: number): Promise<StoredOrganization> {
  return rowQuery(db, id).executeTakeFirstOrThrow(notThere);
}

/** Like `findOrganization`, but locks the row until the transaction ends. */
export async function findOrganizationToChange(db: Database, id: number): Promise<StoredOrganization> {
  return forUpdate(db, rowQuery(db, id)).executeTakeFirstOrThrow(notThere);
}

/** Every organization, oldest first. */
export async function listOrganizations(db: Database): Promise<StoredOrganization[]> {
  return db.selectFrom('organizations').selectAll().orderBy('id').execute();
}

export async function updateOrganization(
  db: Database,
  id: number,
  values: Updateable<OrganizationTable>,
): Promise<void> {
  await db.updateTable('organizations').set(values).where('id', '=', id).execute();
}

/** Content hashes of the organizations' fonts and logos, which are open to everyone. */
export async function listOrganizationFiles(db: Database): Promise<{ id: number; hash: string }[]> {
  return db
    .selectFrom('organizations')
    .innerJoin('media', (join) =>
      join.on((on) =>
        on.or([
          on('media.id', '=', on.ref('organizations.font_file_id')),
          on('media.id', '=', on.ref('organizations.logo_file_id')),
        ]),
      ),
    )
    .select(['organizations.id', 'media.hash'])
    .execute();
}

/** Cache lifetime of a host's organization in milliseconds: changes by other processes take effect after it. */
const ORGANIZATION_CACHE_LIFETIME = 2000;
/** Limit on cached hosts, because clients can invent host names. */
const MAX_CACHED_HOSTS = 500;

/** The organization of the host, those without a host, and the first one. */
const candidates = prepared((db, host: string) =>
  db
    .selectFrom('organizations')
    .select(['id', 'host'])
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
async function organizationOf(db: Database, host: string): Promise<number> {
  const name = normalizeHost(host) ?? '';
  const rows = await candidates(db, name);
  const [first] = rows;
  if (!first) throw new ApiError('not_found');
  const found = rows.find((row) => row.host === name) ?? rows.find((row) => row.host === null);
  if (found) return found.id;
  if (Number(first.total) > 1) throw new ApiError('misdirected');
  return first.id;
}

/** Finds organizations by host name, with a short-lived cache because every request needs it. */
export class Hosts {
  readonly #db: Database;
  readonly #clock: Clock;
  readonly #known = new Map<string, Promise<number>>();
  /** Those of the known hosts that have been found. */
  readonly #found = new Map<string, number>();
  readonly #last: LastAnswers<number>;
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
  peek(host: string): number | undefined {
    this.#refresh();
    return this.#found.get(host);
  }

  /**
   * The organization for a host name.
   * @throws ApiError not_found or misdirected
   */
  find(host: string): Promise<number> {
    this.#refresh();
    const known = this.#known.get(host);
    if (known) return known;
    const asked = this.#last.ask(host, () => organizationOf(this.#db, host)).then(({ value }) => value);
    this.#known.set(host, asked);
    asked.then(
      (id) => {
        if (this.#known.get(host) === asked) this.#found.set(host, id);
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

/** The organization of each request, or the lookup error. */
const found = new WeakMap<FastifyRequest, number | Error>();

/**
 * The organization for the host of a request.
 * @throws ApiError not_found if there is no organization; or the lookup error
 */
export function organizationOfHost(request: FastifyRequest): number {
  const known = found.get(request) ?? new ApiError('not_found');
  if (typeof known === 'number') return known;
  throw known;
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
    const settle = (organization: number | Error) => {
      found.set(request, organization);
      if (typeof organization === 'number') noteCaller(request, { userId: null, organizationId: organization });
      if (!(organization instanceof ApiError) || organization.code !== 'misdirected') return done();
      reply.header('cache-control', 'no-store');
      if (/^\/(?:api|media)(?:[/?]|$)/i.test(request.routeOptions.url ?? request.url)) return done(organization);
      reply.code(organization.status).type('text/plain; charset=utf-8').send(`${organization.message}\n`);
    };
    const cached = known(request) ?? hosts.peek(request.hostname);
    if (cached === undefined) hosts.find(request.hostname).then(settle, settle);
    else settle(cached);
  });
}

const organizationById = prepared((db, id: number) => db.selectFrom('organizations').selectAll().where('id', '=', id));

/** The accessibility statement of an organization. */
export const statementOf = ({ statement }: Pick<StoredOrganization, 'statement'>): Statement => ({
  ...NO_STATEMENT,
  ...(JSON.parse(statement) as Partial<Statement>),
});

const structureAtStatement = prepared((db, organizationId: number) =>
  db
    .selectFrom('endpoints')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('parent_endpoint_id', 'is', null)
    .where('slug', '=', STATEMENT_PATH.slice(1))
    .where('is_visible', '=', 1),
);

/**
 * Path of an organization's accessibility statement; empty if it has none. A visible structure that got this path before
 * it was reserved keeps it; the statement is then at the other one.
 */
export async function statementPathOf(
  db: Database,
  { id, statement }: Pick<StoredOrganization, 'id' | 'statement'>,
): Promise<string> {
  if (statementOf({ statement }).kind === 'none') return '';
  return (await structureAtStatement(db, id)).length === 0 ? STATEMENT_PATH : OTHER_STATEMENT_PATH;
}

/** Public settings of an organization. */
export async function publicSettings(
  { db, outgoing }: Pick<Services, 'db' | 'outgoing'>,
  organizationId: number,
): Promise<Settings> {
  const [row] = await organizationById(db, organizationId);
  if (!row) throw new ApiError('not_found');
  const files = await findFiles(db, organizationId, [row.font_file_id, row.logo_file_id]);
  const domains: { domain: string }[] = JSON.parse(row.embed_domains);
  return settingsSchema.parse({
    name: row.name,
    meta_title: row.meta_title,
    meta_description: row.meta_description,
    font_color: row.font_color,
    logo_url: files.get(row.logo_file_id ?? 0)?.url ?? '',
    accent_color: row.accent_color,
    font_url: files.get(row.font_file_id ?? 0)?.url ?? '',
    embed_domains: domains.map(({ domain }) => domain),
    modules: moduleNames(await outgoing.of(organizationId)),
    texts: JSON.parse(row.texts),
    has_statistics: row.has_statistics === 1,
    has_statistics_poses: row.has_statistics === 1 && row.has_statistics_poses === 1,
    third_parties: row.third_parties,
    tag_manager_id: row.tag_manager_id,
    statement_url: await statementPathOf(db, row),
    realtime_api_key: row.realtime_api_key,
  });
}

/** The initial organization of a new installation. */
export interface FirstOrganization {
  id: number;
  /** A generated administrator password; null if the settings contain one. */
  password: string | null;
}

/** Adds the first organization with its administrator; null if there is one already. */
export async function createFirstOrganization(services: Services): Promise<FirstOrganization | null> {
  const { db, settings } = services;
  if (await db.selectFrom('organizations').select('id').executeTakeFirst()) return null;
  const password = settings.ADMIN_PASSWORD ?? createReadable();
  const id = await createOrganization(services, { name: 'Enfilade demo', email: settings.ADMIN_EMAIL, password });
  return { id, password: settings.ADMIN_PASSWORD === undefined ? password : null };
}

/** Maximum length of a host name in DNS. */
const MAX_HOST_LENGTH = 253;

/**
 * Normalizes a host name as browsers send it: lower case and ASCII
 * (IDNA, https://url.spec.whatwg.org/#idna), without port and trailing dot.
 * @param text a name, or an IPv6 address in brackets, with or without port
 * @returns null if the name is invalid
 */
export function normalizeHost(text: string): string | null {
  const [, host = '', port] = /^(\[[\da-f:.]+\]|[^[\]:/\\?#@\s]+?)\.?(?::(\d{0,5}))?$/i.exec(text.trim()) ?? [];
  const ascii = domainToASCII(host);
  if (ascii === '' || ascii.length > MAX_HOST_LENGTH || Number(port ?? 0) > 65_535) return null;
  return ascii.startsWith('[') || /^(?!-)[a-z\d_-]{1,63}(?:\.[a-z\d_-]{1,63})*$/.test(ascii) ? ascii : null;
}

/** The services available to an organization: the built-in ones, and each platform with a key. */
export function modulesOf({ youtube, vimeo, wowza, instagram }: Platforms): Module[] {
  const list: (Module | false | null | undefined)[] = [
    { module: 'local', type: 'video', name: 'Uploaded videos' },
    youtube && { module: 'youtube', type: 'video', name: 'Youtube' },
    vimeo && { module: 'vimeo', type: 'video', name: 'Vimeo' },
    wowza && { module: 'wowza_live', type: 'live_stream', name: 'Wowza' },
    youtube?.isOwner && { module: 'youtube_live', type: 'live_stream', name: 'Youtube' },
    vimeo && { module: 'vimeo', type: 'live_stream', name: 'Vimeo single event' },
    vimeo && { module: 'vimeo_live', type: 'live_stream', name: 'Vimeo recurring event' },
    instagram && { module: 'instagram', type: 'feed', name: 'Instagram' },
    { module: 'picdrop', type: 'feed', name: 'Picdrop' },
    { module: 'local', type: 'feed', name: 'Local' },
  ];
  return list.filter((entry): entry is Module => Boolean(entry));
}

/** Names of the services. */
export const moduleNames = (platforms: Platforms): { module: string }[] =>
  [...new Set(modulesOf(platforms).map(({ module }) => module))].map((module) => ({ module }));
