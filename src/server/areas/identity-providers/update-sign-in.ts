import type { z } from 'zod';
import type { calls } from '../../../contract/calls.ts';
import { policiesSchema, type SignInSettings } from '../../../contract/entities.ts';
import { ApiError } from '../../../contract/errors.ts';
import { refuseStale } from '../../base/answers/stale.ts';
import { nextTimestamp } from '../../base/clock.ts';
import type { Database } from '../../base/db/database.ts';
import { checkProvider } from '../../providers/openid.ts';
import { recordEvent } from '../../store/audit/record-event.ts';
import type { SignedInContext } from '../../store/call-context.ts';
import {
  clientOf,
  deleteProvider,
  findProvider,
  isLinked,
  type ProviderColumns,
  type StoredProvider,
  sealSecret,
  storeProvider,
} from '../../store/identity-providers/identity-providers-repository.ts';
import {
  findOrganization,
  findOrganizationToChange,
  updateOrganization,
} from '../../store/organizations/organizations-repository.ts';
import { refuseBeyond, refuseKeys, refuseOverAnybody } from '../../store/users/rights.ts';
import { redirectUriOf } from './sign-in-with-provider.ts';

type Body = z.output<typeof calls.signIn.update.body>;

/** How the users of the caller's organization sign in. */
export async function readSignIn(context: SignedInContext): Promise<SignInSettings> {
  const { db, organizationId } = context;
  const organization = await findOrganization(db, organizationId);
  const row = await findProvider(db, organizationId);
  return {
    id: organization.id,
    requires_second_factor: organization.requires_second_factor === 1,
    has_password_sign_in: organization.has_password_sign_in === 1,
    provider: row
      ? {
          issuer: row.issuer,
          client_id: row.client_id,
          domains: JSON.parse(row.domains),
          button_text: row.button_text,
          creates_users: row.creates_users === 1,
          policies: policiesSchema.parse(JSON.parse(row.policies)),
        }
      : null,
    redirect_uri: await redirectUriOf(context, organizationId),
    updated_at: organization.updated_at,
  };
}

/** What decides who somebody is: whoever changes it could come in as anybody. */
const DECISIVE = ['issuer', 'client_id', 'client_secret', 'domains', 'creates_users', 'policies'] as const;

/**
 * A provider as it is to be stored.
 * @param before the one so far: its secret goes on where none is given, but never to another issuer
 */
async function columnsOf(
  { settings, organizationId }: SignedInContext,
  given: NonNullable<Body['provider']>,
  before: StoredProvider | undefined,
): Promise<ProviderColumns> {
  const { issuer, client_id, client_secret, domains, button_text, creates_users, policies } = given;
  if (creates_users && domains.length === 0)
    throw new ApiError('invalid', {
      'provider.domains': ['Name the domains whose people become users by signing in.'],
    });
  const kept = before?.issuer === issuer ? before.client_secret : undefined;
  const secret = client_secret ? await sealSecret(settings, organizationId, client_secret) : kept;
  if (secret === undefined)
    throw new ApiError('invalid', { 'provider.client_secret': ['Enter the secret that this provider has given.'] });
  return {
    issuer,
    client_id,
    client_secret: secret,
    domains: JSON.stringify([...new Set(domains)]),
    button_text,
    creates_users: Number(creates_users),
    policies: JSON.stringify(policies),
  };
}

/** Refuses what would let nobody in any more. */
async function refuseLockout(
  db: Database,
  context: SignedInContext,
  body: Body,
  row: StoredProvider | undefined,
  isDecisive: boolean,
): Promise<void> {
  const user = context.user;
  if (isDecisive)
    throw new ApiError('forbidden', {
      has_password_sign_in: ['Let users sign in with a password before you change the identity provider.'],
    });
  if (body.has_password_sign_in === false) {
    const isThere = row && user.method === 'identity_provider' && (await isLinked(db, row, user.userId));
    if (!isThere)
      throw new ApiError('forbidden', {
        has_password_sign_in: ['Sign in with the identity provider yourself first, so that nobody is locked out.'],
      });
  }
}

/**
 * Changes how users sign in.
 * @throws ApiError stale, invalid with the field at fault, or forbidden with the reason
 */
export async function updateSignIn(context: SignedInContext, body: Body): Promise<void> {
  const { clock, organizationId, outgoing } = context;
  const user = context.user;
  refuseKeys(user);
  if (body.provider) refuseBeyond(user, body.provider.policies, 'provider.policies');
  const before = await findProvider(context.db, organizationId);
  const columns = body.provider && (await columnsOf(context, body.provider, before));
  const isRemoved = body.provider === null && before !== undefined;
  const isDecisive = isRemoved || (columns ? DECISIVE.some((name) => columns[name] !== before?.[name]) : false);
  // No transaction waits for another server.
  if (columns && isDecisive)
    await checkProvider(
      outgoing.guarded,
      await clientOf(context, { ...columns, organization_id: organizationId } as StoredProvider),
    );
  await context.db.transaction().execute(async (db) => {
    const organization = await findOrganizationToChange(db, organizationId);
    refuseStale(organization.updated_at, body.updated_at);
    const current = await findProvider(db, organizationId);
    if (current?.updated_at !== before?.updated_at) throw new ApiError('stale');
    if (isDecisive) await refuseOverAnybody(db, user, organizationId);
    const hasPassword = body.has_password_sign_in ?? organization.has_password_sign_in === 1;
    if (!hasPassword) await refuseLockout(db, context, body, current, isDecisive);
    if (isRemoved) await deleteProvider(db, organizationId);
    if (columns) await storeProvider(db, clock, organizationId, columns);
    const flags = {
      requires_second_factor: Number(body.requires_second_factor ?? organization.requires_second_factor === 1),
      has_password_sign_in: Number(hasPassword),
    };
    await updateOrganization(db, organizationId, {
      ...flags,
      updated_at: nextTimestamp(clock, organization.updated_at),
    });
    const { requires_second_factor, has_password_sign_in, provider } = body;
    const details = {
      ...(requires_second_factor !== undefined && { requires_second_factor }),
      ...(has_password_sign_in !== undefined && { has_password_sign_in }),
      ...(provider !== undefined && { issuer: provider?.issuer ?? null }),
    };
    if (Object.keys(details).length > 0)
      await recordEvent(db, context, { event: 'settings_changed', subject: 'Sign-in', details });
  });
}
