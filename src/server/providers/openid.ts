import * as openid from 'openid-client';
import { email as emailSchema, userName } from '../../contract/calls/users.ts';
import { ApiError } from '../../contract/errors.ts';
import type { GuardedClient } from './guarded-client.ts';

/** Requested scopes. */
const SCOPE = 'openid email profile';

/** A subject id: at most 255 ASCII characters (OpenID Connect Core, section 2). */
const PLAIN = /^[\x20-\x7e]{1,255}$/;

/** Configuration of a provider. */
export interface ProviderClient {
  issuer: string;
  clientId: string;
  clientSecret: string;
}

/** A user's identity at a provider. */
export interface Identity {
  /** The provider's account id: stable when the email address changes. */
  subject: string;
  /** Lowercase; empty if the provider gives none. */
  email: string;
  /** Whether the provider has verified the email address. */
  isVerified: boolean;
  name: string;
}

/** Binds a callback to its authorization request. */
export interface Binding {
  redirectUri: string;
  /** PKCE verifier (RFC 7636): 43 base64url characters, known only to this browser. */
  verifier: string;
  nonce: string;
  state: string;
}

/**
 * Fetches a provider's metadata. All requests use the guarded client, because a user entered the URL.
 * @throws ApiError invalid, naming the issuer, if it can't be reached or isn't a provider
 */
async function discover(guarded: GuardedClient, { issuer, clientId, clientSecret }: ProviderClient) {
  const url = new URL(issuer);
  try {
    if (url.protocol === 'http:' && !guarded.isAllowed(url)) throw new TypeError('Only HTTPS is supported.');
    return await openid.discovery(url, clientId, clientSecret, undefined, {
      [openid.customFetch]: (address, { method, headers, body }) =>
        guarded.send(address, {
          method,
          headers,
          body: body === undefined || body === null ? undefined : String(body),
        }),
      execute: url.protocol === 'http:' ? [openid.allowInsecureRequests] : [],
    });
  } catch {
    const text = 'No identity provider was found at this URL. Use a public URL that starts with https://.';
    throw new ApiError('invalid', { 'provider.issuer': [text] });
  }
}

/** @throws ApiError invalid, naming the issuer, if it isn't a provider */
export async function checkProvider(guarded: GuardedClient, provider: ProviderClient): Promise<void> {
  await discover(guarded, provider);
}

const failed = () =>
  new ApiError('provider_failed', 'Your identity provider returned an invalid response. Try to sign in again.');

/**
 * The authorization URL.
 * @throws ApiError provider_failed
 */
export async function addressOf(
  guarded: GuardedClient,
  provider: ProviderClient,
  { redirectUri, verifier, nonce, state }: Binding,
): Promise<string> {
  const config = await discover(guarded, provider).catch(() => {
    throw failed();
  });
  const url = openid.buildAuthorizationUrl(config, {
    redirect_uri: redirectUri,
    scope: SCOPE,
    code_challenge: await openid.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state,
    nonce,
  });
  return url.href;
}

/**
 * The identity of a user who returned with a code: checks signature, issuer, audience, time, nonce and verifier.
 * @throws ApiError provider_failed
 */
export async function identityOf(
  guarded: GuardedClient,
  provider: ProviderClient,
  { redirectUri, verifier, nonce, state }: Binding,
  { code, iss }: { code: string; iss?: string },
): Promise<Identity> {
  try {
    const config = await discover(guarded, provider);
    const url = new URL(redirectUri);
    url.search = new URLSearchParams({ state, code, ...(iss !== undefined && { iss }) }).toString();
    const tokens = await openid.authorizationCodeGrant(config, url, {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: verifier,
      idTokenExpected: true,
    });
    const claims = tokens.claims()!;
    const told: Record<string, unknown> =
      claims.email === undefined && config.serverMetadata().userinfo_endpoint
        ? await openid.fetchUserInfo(config, tokens.access_token, claims.sub)
        : claims;
    if (!PLAIN.test(claims.sub)) throw new TypeError('Missing subject.');
    return {
      subject: claims.sub,
      email: emailSchema.safeParse(told.email).data ?? '',
      isVerified: told.email_verified === true,
      name: userName.safeParse(told.name).data ?? '',
    };
  } catch {
    throw failed();
  }
}
