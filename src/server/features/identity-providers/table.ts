import type { Flag, Id, Json, Owned, Stamp } from '../../core/db/column-types.ts';

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

declare module '../../core/db/tables.ts' {
  interface Tables {
    identity_providers: IdentityProviderTable;
    identities: IdentityTable;
  }
}
