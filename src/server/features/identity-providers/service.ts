import type { z } from 'zod';
import type { calls } from '../../../contract/calls.ts';
import { policiesSchema, type SignInSettings, type User } from '../../../contract/entities.ts';
import { ApiError } from '../../../contract/errors.ts';
import { recordEvent } from '../../core/audit/record-event.ts';
import { nextTimestamp } from '../../core/clock.ts';
import type { Database } from '../../core/db/database.ts';
import type { CallContext, SignedInContext } from '../../core/http/call-context.ts';
import { refuseStale } from '../../core/http/stale.ts';
import { addressSubject, countAgainst, lockSubjects } from '../../core/limits/attempts.ts';
import { withinQuotas } from '../../core/limits/quotas.ts';
import { createToken, hashToken } from '../../core/secrets/token.ts';
import { addressOf, checkProvider, type Identity, identityOf } from '../../providers/openid.ts';
import { findOrganization, findOrganizationToChange, updateOrganization } from '../organizations/queries.ts';
import { siteOf } from '../organizations/site-of.ts';
import { findUserByEmail, type StoredUser } from '../users/queries.ts';
import { refuseBeyond, refuseKeys, refuseOverAnybody } from '../users/rights.ts';
import { actingAs, completeSignIn, recordFailure } from '../users/sign-in.ts';
import { beginStep, STEP_LIFETIME, takeStep } from '../users/sign-in-steps.ts';
import { insertUser } from '../users/write-users.ts';
import {
  clientOf,
  deleteProvider,
  findLinkedUser,
  findProvider,
  isLinked,
  linkUser,
  type ProviderColumns,
  type StoredProvider,
  sealSecret,
  storeProvider,
} from './queries.ts';

/** Cookie that binds the redirect to the browser that began the sign-in. */
const COOKIE = 'enfilade_sign_in';
const COOKIE_PATH = '/api/v1/backend/users/login/provider';
/** Sign-ins that a client address may begin, and complete, per window. */
const MAX_SIGN_INS = 200;

/** The redirect URI of the organization. */
async function redirectUriOf(context: CallContext, organizationId: number): Promise<string> {
  return `${(await siteOf(context, organizationId)).origin}/admin/login/provider`;
}

async function providerOf({ db, organizationId }: CallContext): Promise<StoredProvider> {
  const row = await findProvider(db, organizationId);
  if (!row) throw new ApiError('not_set_up', 'This organization has no identity provider. Sign in with your password.');
  return row;
}

const countHere = ({ db, clock, address }: CallContext) =>
  countAgainst(db, clock, [{ subject: `provider:${addressSubject(address)}`, most: MAX_SIGN_INS }]);

/** The PKCE verifier is the secret in the cookie: a stolen `state` or code alone is useless. */
const bindingOf = async (context: CallContext, kept: string, state: string) => ({
  redirectUri: await redirectUriOf(context, context.organizationId),
  verifier: kept,
  nonce: hashToken(`nonce:${kept}`),
  state,
});

const stepOf = ({ organizationId }: CallContext, kept: string) =>
  ({ purpose: 'identity_provider', boundTo: hashToken(`${organizationId}:${kept}`) }) as const;

/**
 * The provider's authorization URL for the organization of the current host.
 * @throws ApiError not_set_up, provider_failed, too_many
 */
export async function goToProvider(context: CallContext): Promise<string> {
  const { db, clock, outgoing } = context;
  const row = await providerOf(context);
  await countHere(context);
  const kept = createToken();
  const state = await beginStep(db, clock, stepOf(context, kept));
  const binding = await bindingOf(context, kept, state);
  const url = await addressOf(outgoing.guarded, await clientOf(context, row), binding);
  context.keepCookie({ name: COOKIE, value: kept, path: COOKIE_PATH, seconds: STEP_LIFETIME / 1000 });
  return url;
}

/** @throws ApiError forbidden if the address may not sign in here */
function checkAddress({ domains }: StoredProvider, { email, isVerified }: Identity): void {
  if (!email || !isVerified)
    throw new ApiError(
      'forbidden',
      "Your identity provider hasn't verified your e-mail address. Verify it there first.",
    );
  const allowed: string[] = JSON.parse(domains);
  if (allowed.length > 0 && !allowed.includes(email.slice(email.lastIndexOf('@') + 1)))
    throw new ApiError('forbidden', `Addresses such as ${email} aren't allowed to sign in. Ask an administrator.`);
}

/** Creates a user with the rights from the settings. */
async function createUser(
  db: Database,
  context: CallContext,
  { policies }: StoredProvider,
  { email, name }: Identity,
): Promise<StoredUser> {
  const fields = { email, name: name || email, isActive: true };
  const rights = policiesSchema.parse(JSON.parse(policies));
  return insertUser(db, context, { ...fields, policies: rights, limits: null }, { action: 'create', isInvited: false });
}

/**
 * The user for a provider account: the linked user, otherwise the user with its verified address, otherwise
 * a new one if the settings allow it.
 * @throws ApiError forbidden with the reason
 */
async function userOf(
  db: Database,
  context: CallContext,
  row: StoredProvider,
  identity: Identity,
): Promise<StoredUser> {
  const { clock, organizationId } = context;
  // Of two concurrent first sign-ins, one links or creates the user, and the other finds the result.
  await lockSubjects(db, [{ subject: `identity:${identity.email}` }]);
  const linked = await findLinkedUser(db, row, identity.subject);
  if (linked) return linked;
  checkAddress(row, identity);
  const known = await findUserByEmail(db, identity.email);
  if (known ? known.organization_id !== organizationId : row.creates_users === 0)
    throw new ApiError(
      'forbidden',
      `${identity.email} is not a user of this organization. Ask an administrator for an invitation.`,
    );
  const user = known ?? (await createUser(db, context, row, identity));
  await linkUser(db, clock, row, identity, user.id);
  const details = { issuer: row.issuer, created: known === undefined };
  await recordEvent(db, actingAs(context, user), { event: 'identity_linked', subject: user.email, details });
  return user;
}

/**
 * Completes a sign-in with the provider's redirect parameters.
 * @throws ApiError with a message for the login screen
 */
export async function returnFromProvider(
  context: CallContext,
  { state, code, iss, error }: z.output<typeof calls.signIn.complete.body>,
): Promise<User> {
  const { db, clock, outgoing } = context;
  await countHere(context);
  const row = await providerOf(context);
  const kept = context.cookie(COOKIE);
  if (kept === null || !(await takeStep(db, clock, state, stepOf(context, kept))))
    throw new ApiError('invalid', 'The sign-in has expired or was started in another browser. Sign in again.');
  if (error !== undefined || code === undefined)
    throw new ApiError('invalid', 'Your identity provider rejected the sign-in. Try again, or ask an administrator.');
  const binding = await bindingOf(context, kept, state);
  const identity = await identityOf(outgoing.guarded, await clientOf(context, row), binding, { code, iss });
  try {
    const user = await withinQuotas(context, ['users'], (transaction) => userOf(transaction, context, row, identity));
    if (user.is_active !== 1)
      throw new ApiError('forbidden', 'Your account has been deactivated. Ask an administrator.');
    return await completeSignIn(context, user, { method: 'identity_provider' });
  } catch (reason) {
    if (reason instanceof ApiError) await recordFailure(context, identity.email, undefined, 'identity provider');
    throw reason;
  }
}

type Body = z.output<typeof calls.signIn.update.body>;

/** Sign-in settings of the caller's organization. */
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

/** Fields that determine a user's identity: changing them would allow signing in as anyone. */
const DECISIVE = ['issuer', 'client_id', 'client_secret', 'domains', 'creates_users', 'policies'] as const;

/**
 * The stored form of a provider.
 * @param before the current provider: its secret is kept if none is given, but never for another issuer
 */
async function columnsOf(
  { settings, organizationId }: SignedInContext,
  given: NonNullable<Body['provider']>,
  before: StoredProvider | undefined,
): Promise<ProviderColumns> {
  const { issuer, client_id, client_secret, domains, button_text, creates_users, policies } = given;
  if (creates_users && domains.length === 0)
    throw new ApiError('invalid', {
      'provider.domains': ['Enter the domains whose users may sign in.'],
    });
  const kept = before?.issuer === issuer ? before.client_secret : undefined;
  const secret = client_secret ? await sealSecret(settings, organizationId, client_secret) : kept;
  if (secret === undefined)
    throw new ApiError('invalid', { 'provider.client_secret': ['Enter the client secret assigned by the provider.'] });
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

/** Rejects settings that would lock everybody out. */
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
      has_password_sign_in: ['Enable sign-in with a password before you change the identity provider.'],
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
 * Updates the sign-in settings.
 * @throws ApiError stale, invalid with the field, or forbidden with the reason
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
  // Contact the provider outside the transaction.
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
    const isOther = (name: 'requires_second_factor' | 'has_password_sign_in') =>
      body[name] !== undefined && Number(body[name]) !== organization[name];
    if (isDecisive || isOther('requires_second_factor') || isOther('has_password_sign_in'))
      await refuseOverAnybody(db, user, organizationId);
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
