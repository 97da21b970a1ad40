import * as openid from 'openid-client';
import { email as emailSchema, userName } from '../../contract/calls/users.ts';
import { ApiError } from '../../contract/errors.ts';
import type { GuardedClient } from './guarded-client.ts';

/** What is asked of a provider about somebody. */
const SCOPE = 'openid email profile';

/** An id of an account: at most 255 plain characters (OpenID Connect Core, section 2). */
const PLAIN = /^[\x20-\x7e]{1,255}$/;

/** A provider as it is spoken to. */
export interface ProviderClient {
  issuer: string;
  clientId: string;
  clientSecret: string;
}

/** Who somebody is, as the provider says. */
export interface Identity {
  /** The provider's own id of the account: it stays when the address changes. */
  subject: string;
  /** In small letters; empty where the provider gives none. */
  email: string;
  /** Whether the provider has made sure that the address is theirs. */
  isVerified: boolean;
  name: string;
}

/** What binds the way there and back together. */
export interface Binding {
  redirectUri: string;
  /** 43 characters of base64url: the verifier of PKCE (RFC 7636), known to this browser only. */
  verifier: string;
  nonce: string;
  state: string;
}

/**
 * Reads what a provider says about itself. All requests go through the guarded client: the address was entered by somebody.
 * @throws ApiError invalid, naming the issuer, when it cannot be reached or is no provider
 */
async function discover(guarded: GuardedClient, { issuer, clientId, clientSecret }: ProviderClient) {
  const url = new URL(issuer);
  try {
    if (url.protocol === 'http:' && !guarded.isAllowed(url)) throw new TypeError('Only https is spoken.');
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
    const text = 'No identity provider answers there. Use an address of the public internet that begins with https://.';
    throw new ApiError('invalid', { 'provider.issuer': [text] });
  }
}

/** @throws ApiError invalid, naming the issuer, when no provider answers there */
export async function checkProvider(guarded: GuardedClient, provider: ProviderClient): Promise<void> {
  await discover(guarded, provider);
}

const failed = () =>
  new ApiError('provider_failed', 'Your identity provider did not answer as it should. Try to sign in again.');

/**
 * Where a browser goes to sign in.
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
 * Who somebody is who came back with a code: signature, issuer, audience, time, nonce and verifier are checked.
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
    if (!PLAIN.test(claims.sub)) throw new TypeError('This is no subject.');
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
