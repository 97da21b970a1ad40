import { randomUUID } from 'node:crypto';
import type { Policies } from '../../src/contract/entities.ts';
import { type Clock, timestampOf } from '../../src/server/core/clock.ts';
import type { Database } from '../../src/server/core/db/database.ts';
import { hashPassword } from '../../src/server/core/secrets/password.ts';
import { allPolicies } from '../../src/server/features/organizations/service.ts';

/** Password of every user in the harness. */
export const PASSWORD = 'correct horse battery';
let passwordHash: Promise<string> | undefined;
let users = 0;

export interface TestUser {
  id: number;
  email: string;
  token: string;
}

export interface TestOrganization {
  id: number;
  host: string | null;
  /** A user with every right. */
  admin: TestUser;
}

/** Adds an organization without users. @returns its id */
export async function insertOrganization(db: Database, clock: Clock, host: string | null): Promise<number> {
  const at = timestampOf(clock.now());
  const { id } = await db
    .insertInto('organizations')
    .values({
      name: host ?? 'Museum',
      host,
      meta_title: '',
      meta_description: '',
      template_id: null,
      font_file_id: null,
      font_color: '#14171C',
      embed_domains: '[]',
      realtime_api_key: `key-${randomUUID()}`,
      created_at: at,
      updated_at: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Adds a user with exactly these rights. */
export async function insertUser(
  db: Database,
  clock: Clock,
  organizationId: number,
  policies: Partial<Policies>,
): Promise<Omit<TestUser, 'token'>> {
  passwordHash ??= hashPassword(PASSWORD);
  const at = timestampOf(clock.now());
  const email = `user-${++users}@example.com`;
  const none = { view_any: false, create: false, update: false, delete: false };
  const rights = Object.fromEntries(Object.keys(allPolicies()).map((area) => [area, none]));
  const { id } = await db
    .insertInto('users')
    .values({
      organization_id: organizationId,
      email,
      name: email,
      password_hash: await passwordHash,
      policies: JSON.stringify({ ...rights, ...policies }),
      is_active: 1,
      last_seen_at: null,
      created_at: at,
      updated_at: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { id, email };
}
