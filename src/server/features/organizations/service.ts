import { type Policies, PRESETS } from '../../../contract/entities.ts';
import { nextTimestamp } from '../../core/clock.ts';
import { hashPassword } from '../../core/secrets/password.ts';
import { createReadable, createToken } from '../../core/secrets/token.ts';
import type { Services } from '../../core/services.ts';
import { claimHost } from './further-hosts.ts';

export const allPolicies = (): Policies => structuredClone(PRESETS.administrator);

/** A new organization and its first administrator. */
export interface NewOrganization {
  name: string;
  /** Host name for visitors; null to answer on all other hosts. */
  host?: string | null;
  email: string;
  password: string;
}

/** A new user with every right. */
export interface NewAdministrator {
  name: string;
  email: string;
  password: string;
}

/**
 * Adds a user with every right.
 * @returns id of the user
 */
export async function createAdministrator(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  organizationId: number,
  { name, email, password }: NewAdministrator,
): Promise<number> {
  const password_hash = await hashPassword(password);
  const now = nextTimestamp(clock);
  const { id } = await db
    .insertInto('users')
    .values({
      organization_id: organizationId,
      email: email.toLowerCase(),
      name,
      password_hash,
      policies: JSON.stringify(allPolicies()),
      is_active: 1,
      last_seen_at: null,
      created_at: now,
      updated_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/**
 * Adds an organization with an administrator who has every right.
 * @returns id of the organization
 * @throws LifeCycleError if the host name is in use
 */
export async function createOrganization(
  { db: database, clock }: Pick<Services, 'db' | 'clock'>,
  { name, host = null, email, password }: NewOrganization,
): Promise<number> {
  const now = nextTimestamp(clock);
  return database.transaction().execute(async (db) => {
    if (host !== null) await claimHost(db, host);
    const { id } = await db
      .insertInto('organizations')
      .values({
        name,
        host,
        meta_title: '',
        meta_description: '',
        template_id: null,
        font_file_id: null,
        embed_domains: '[]',
        realtime_api_key: createToken(),
        created_at: now,
        updated_at: now,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await createAdministrator({ db, clock }, id, { name: 'Administrator', email, password });
    return id;
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
