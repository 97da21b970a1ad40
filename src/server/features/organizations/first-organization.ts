import { createReadable } from '../../core/secrets/token.ts';
import type { Services } from '../../core/services.ts';
import { createOrganization } from './create-organization.ts';

/** The organization that a new installation begins with. */
export interface FirstOrganization {
  id: number;
  /** The administrator's password when it was made up here; null when the settings give it. */
  password: string | null;
}

/** Adds the first organization with its administrator; null when there is an organization already. */
export async function createFirstOrganization(services: Services): Promise<FirstOrganization | null> {
  const { db, settings } = services;
  if (await db.selectFrom('organizations').select('id').executeTakeFirst()) return null;
  const password = settings.ADMIN_PASSWORD ?? createReadable();
  const id = await createOrganization(services, { name: 'Enfilade demo', email: settings.ADMIN_EMAIL, password });
  return { id, password: settings.ADMIN_PASSWORD === undefined ? password : null };
}
