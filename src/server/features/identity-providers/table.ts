import type { Flag, Id, Json, Owned, Stamp } from '../../core/db/column-types.ts';

/** External sign-in of organizations (OpenID Connect). */
export interface IdentityProviderTable extends Owned {
  issuer: string;
  client_id: string;
  /** Sealed with the server's own key. */
  client_secret: string;
  /** Allowed domains of e-mail addresses; any if empty. */
  domains: Json;
  button_text: string;
  creates_users: Flag;
  /** Rights of users created at their first sign-in. */
  policies: Json;
}

/** Links between users and accounts of an identity provider. */
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
