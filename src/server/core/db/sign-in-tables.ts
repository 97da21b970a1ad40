import type { ColumnType, Generated } from 'kysely';
import type { Flag, Id, Json, Owned, Stamp } from './column-types.ts';

/** Links with which one user sets a password once. */
export interface PasswordResetTable {
  id: Id;
  user_id: number;
  /** SHA-256 of the token, hexadecimal. */
  token_hash: string;
  created_at: Stamp;
  expires_at: Stamp;
}

/** Secrets of which users have the codes of the moment (TOTP). */
export interface SecondFactorTable {
  id: Id;
  user_id: number;
  /** Base32, sealed with the server's own key. */
  secret: string;
  /** Whether a code has shown that the user has it. */
  is_confirmed: Flag;
  /** Number of the half minute whose code was taken last: none is taken twice. */
  last_step: Generated<number>;
  created_at: Stamp;
}

/** Codes of which each stands once for a code of the second factor. */
export interface RecoveryCodeTable {
  id: Id;
  user_id: number;
  /** SHA-256 of the code, hexadecimal. */
  code_hash: string;
}

/** Public keys of devices with which users sign in (WebAuthn). */
export interface PasskeyTable {
  id: Id;
  user_id: number;
  name: string;
  /** Base64url. */
  credential_id: string;
  /** COSE key, base64url. */
  public_key: string;
  /** How often the device has signed, as it says; 0 where it doesn't count. */
  counter: number;
  transports: Json;
  /** Host name that it is for. */
  site: string;
  created_at: Stamp;
  last_used_at: Stamp | null;
}

/** What one step of a sign-in hands to the next: single-use, for a few minutes. */
export interface SignInStepTable {
  id: Id;
  purpose: string;
  /** SHA-256 of the token, hexadecimal. */
  token_hash: string;
  user_id: number | null;
  /** What else must be there when it is used, such as the session or the browser that it began in; empty for nothing. */
  bound_to: string;
  expires_at: Stamp;
}

/** Where the users of an organization sign in instead of here (OpenID Connect). */
export interface IdentityProviderTable extends Owned {
  issuer: string;
  client_id: string;
  /** Sealed with the server's own key. */
  client_secret: string;
  /** Domains of e-mail addresses that may sign in; any where there is none. */
  domains: Json;
  button_text: string;
  creates_users: Flag;
  /** Rights of users that the first sign-in creates. */
  policies: Json;
}

/** Accounts of an identity provider that users have signed in with. */
export interface IdentityTable {
  id: Id;
  organization_id: number;
  user_id: number;
  issuer: string;
  subject: string;
  created_at: Stamp;
}

export interface SessionTable {
  id: Id;
  user_id: number;
  /** Shared by all tokens that follow from one sign-in. */
  family: string;
  /** SHA-256 of the token, hexadecimal. */
  token_hash: string;
  created_at: Stamp;
  /** From then on a response brings a new token. */
  renew_at: Stamp;
  expires_at: Stamp;
  /** When the sign-in was made that the token follows from. */
  signed_in_at: Stamp;
  /** To some minutes: not every request writes it. */
  last_used_at: Stamp;
  /** Browser and system of the sign-in in words; empty where nothing is known. */
  device: string;
  /** Address that the sign-in came from; empty where it is not known. */
  address: string;
  /** How it was signed in; empty where that is not known. */
  method: ColumnType<string, string | undefined, never>;
}

/** Attempts to sign in or to enter with a code, so that a limit outlives a restart. */
export interface AttemptTable {
  id: Id;
  /** Whom the limit is for: an account, an address or a structure. */
  subject: string;
  at: Stamp;
}
