import { nextTimestamp } from '../../core/clock.ts';
import type { Database } from '../../core/db/database.ts';
import { forUpdate } from '../../core/db/for-update.ts';
import { findToOperate, recordOperation, type Shared } from './life-cycle.ts';
import { LifeCycleError } from './life-cycle-error.ts';
import { normalizeHost, updateOrganization } from './queries.ts';

/** Maximum host names of an organization. */
const MAX_HOSTS = 50;

/** A host name in its normal form. @throws LifeCycleError if it is invalid */
export function readHost(text: string): string {
  const host = normalizeHost(text);
  if (host !== null) return host;
  throw new LifeCycleError(
    `Invalid host name: ${text}.`,
    'Use a name such as rooms.example.com, without https:// and path.',
    { isMalformed: true },
  );
}

/**
 * Checks that no organization has a host name, and prevents that one gets it before the transaction ends.
 * @throws LifeCycleError
 */
export async function claimHost(db: Database, host: string): Promise<void> {
  // Primary and further hosts are in two tables: changes of hosts wait for each other.
  await forUpdate(db, db.selectFrom('organizations').select('id').orderBy('id').limit(1)).execute();
  const own = await db.selectFrom('organizations').select('name').where('host', '=', host).executeTakeFirst();
  const further = db
    .selectFrom('organization_hosts')
    .innerJoin('organizations', 'organizations.id', 'organization_hosts.organization_id')
    .select('organizations.name')
    .where('organization_hosts.host', '=', host);
  const taken = own ?? (await further.executeTakeFirst());
  if (taken)
    throw new LifeCycleError(`The host name ${host} is already used by ${taken.name}.`, 'Use another host name.');
}

/** Further host names of an organization, oldest first. */
const listFurther = async (db: Database, id: number): Promise<string[]> => {
  const query = db.selectFrom('organization_hosts').select('host').where('organization_id', '=', id).orderBy('id');
  return (await query.execute()).map(({ host }) => host);
};

/** Host names of an organization, the primary one first. */
export async function listHosts(db: Database, { id, host }: { id: number; host: string | null }): Promise<string[]> {
  return host === null ? [] : [host, ...(await listFurther(db, id))];
}

/** Changes of an organization's host names, in this order. */
export interface HostChanges {
  add?: readonly string[];
  remove?: readonly string[];
  /** The new primary host. */
  primary?: string;
}

/** Changes the host names of one organization within a transaction. */
class Change {
  readonly #at: Shared;
  readonly #id: number;

  constructor(at: Shared, id: number) {
    this.#at = at;
    this.#id = id;
  }

  #hosts = async (): Promise<string[]> => listHosts(this.#at.db, await findToOperate(this.#at.db, this.#id));

  #setPrimary = (host: string) =>
    updateOrganization(this.#at.db, this.#id, { host, updated_at: nextTimestamp(this.#at.clock) });

  async #addFurther(host: string): Promise<void> {
    const now = nextTimestamp(this.#at.clock);
    const values = { organization_id: this.#id, host, created_at: now, updated_at: now };
    await this.#at.db.insertInto('organization_hosts').values(values).execute();
  }

  #removeFurther = async (host: string): Promise<void> => {
    await this.#at.db.deleteFrom('organization_hosts').where('host', '=', host).execute();
  };

  async add(host: string): Promise<void> {
    const hosts = await this.#hosts();
    await claimHost(this.#at.db, host);
    if (hosts.length >= MAX_HOSTS)
      throw new LifeCycleError(`An organization has at most ${MAX_HOSTS} host names.`, 'Remove one first.');
    await (hosts.length === 0 ? this.#setPrimary(host) : this.#addFurther(host));
    await recordOperation(this.#at, this.#id, { event: 'host_added', subject: host });
  }

  async makePrimary(host: string): Promise<void> {
    const hosts = await this.#hosts();
    this.#refuseForeign(hosts, host);
    const [before] = hosts;
    if (before === undefined || before === host) return;
    await this.#removeFurther(host);
    await this.#setPrimary(host);
    await this.#addFurther(before);
    await recordOperation(this.#at, this.#id, { event: 'host_made_primary', subject: host, details: { before } });
  }

  async remove(host: string): Promise<void> {
    const hosts = await this.#hosts();
    this.#refuseForeign(hosts, host);
    if (hosts.length === 1)
      throw new LifeCycleError(
        `${host} is the last host name of organization ${this.#id}.`,
        'Add another one first: without one, the organization would answer on all unknown hosts.',
      );
    if (hosts[0] === host) {
      await this.#removeFurther(hosts[1]!);
      await this.#setPrimary(hosts[1]!);
    } else await this.#removeFurther(host);
    await recordOperation(this.#at, this.#id, { event: 'host_removed', subject: host });
  }

  #refuseForeign(hosts: readonly string[], host: string): void {
    if (hosts.includes(host)) return;
    throw new LifeCycleError(
      `Organization ${this.#id} has no host name ${host}.`,
      `Its host names: ${hosts.join(', ') || 'none'}.`,
    );
  }
}

/**
 * Changes the host names of an organization: all changes or none. The first host becomes the primary one; if the primary
 * one is removed, the oldest of the others takes its place.
 * @returns the host names, the primary one first
 * @throws LifeCycleError for an unknown organization, an invalid, foreign or taken host name, or if none would be left
 */
export async function changeHosts(
  { db: database, clock }: Shared,
  id: number,
  { add = [], remove = [], primary }: HostChanges,
): Promise<string[]> {
  return database.transaction().execute(async (db) => {
    const change = new Change({ db, clock }, id);
    await findToOperate(db, id);
    for (const host of add) await change.add(readHost(host));
    if (primary !== undefined) await change.makePrimary(readHost(primary));
    for (const host of remove) await change.remove(readHost(host));
    return listHosts(db, await findToOperate(db, id));
  });
}
