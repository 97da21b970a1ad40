import type { Selectable } from 'kysely';
import { type Clock, nextTimestamp, timestampOf } from '../../core/clock.ts';
import type { Database } from '../../core/db/database.ts';
import type { CallContext } from '../../core/http/call-context.ts';
import { openToken, sealToken } from '../../core/secrets/seal-token.ts';
import type { ServerSettings } from '../../core/settings.ts';
import type { Identity, ProviderClient } from '../../providers/openid.ts';
import type { StoredUser } from '../users/queries.ts';
import type { IdentityProviderTable } from './table.ts';

export type StoredProvider = Selectable<IdentityProviderTable>;

/** Unsealed columns of a provider. */
export type ProviderColumns = Pick<
  StoredProvider,
  'issuer' | 'client_id' | 'client_secret' | 'domains' | 'button_text' | 'creates_users' | 'policies'
>;

const sealPlaceOfProvider = (organizationId: number) => `identity provider of organization ${organizationId}`;
export async function findProvider(db: Database, organizationId: number): Promise<StoredProvider | undefined> {
  return db
    .selectFrom('identity_providers')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .executeTakeFirst();
}

/** Seals a secret for its organization. */
export const sealSecret = (settings: ServerSettings, organizationId: number, secret: string): Promise<string> =>
  sealToken(settings, sealPlaceOfProvider(organizationId), secret);

/** The client configuration of a provider; its secret is empty if the server key has changed. */
export async function clientOf(
  { settings }: Pick<CallContext, 'settings'>,
  row: StoredProvider,
): Promise<ProviderClient> {
  const clientSecret = (await openToken(settings, sealPlaceOfProvider(row.organization_id), row.client_secret)) ?? '';
  return { issuer: row.issuer, clientId: row.client_id, clientSecret };
}

/** Stores the provider of an organization, replacing the current one. */
export async function storeProvider(
  db: Database,
  clock: Clock,
  organizationId: number,
  columns: ProviderColumns,
): Promise<void> {
  const at = nextTimestamp(clock);
  await db
    .insertInto('identity_providers')
    .values({ ...columns, organization_id: organizationId, created_at: at, updated_at: at })
    .onConflict((conflict) => conflict.column('organization_id').doUpdateSet({ ...columns, updated_at: at }))
    .execute();
}

export async function deleteProvider(db: Database, organizationId: number): Promise<void> {
  await db.deleteFrom('identity_providers').where('organization_id', '=', organizationId).execute();
}

/** The user linked to a provider account. */
export async function findLinkedUser(
  db: Database,
  { organization_id, issuer }: StoredProvider,
  subject: string,
): Promise<StoredUser | undefined> {
  return db
    .selectFrom('identities')
    .innerJoin('users', 'users.id', 'identities.user_id')
    .selectAll('users')
    .where('identities.organization_id', '=', organization_id)
    .where('users.organization_id', '=', organization_id)
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst();
}

/** Whether a user is linked to an account of the provider. */
export async function isLinked(
  db: Database,
  { issuer }: Pick<StoredProvider, 'issuer'>,
  userId: number,
): Promise<boolean> {
  const found = db.selectFrom('identities').select('id').where('user_id', '=', userId).where('issuer', '=', issuer);
  return (await found.executeTakeFirst()) !== undefined;
}
export async function linkUser(
  db: Database,
  clock: Clock,
  { organization_id, issuer }: StoredProvider,
  { subject }: Identity,
  userId: number,
): Promise<void> {
  const at = timestampOf(clock.now());
  await db
    .insertInto('identities')
    .values({ organization_id, user_id: userId, issuer, subject, created_at: at })
    .execute();
}
