import type { Id, Json, Stamp } from '../../core/db/column-types.ts';

/** Public keys for signing in (WebAuthn). */
export interface PasskeyTable {
  id: Id;
  user_id: number;
  name: string;
  /** Base64url. */
  credential_id: string;
  /** COSE key, base64url. */
  public_key: string;
  /** The device's signature counter; 0 if it has none. */
  counter: number;
  transports: Json;
  /** Host name of the relying party. */
  site: string;
  created_at: Stamp;
  last_used_at: Stamp | null;
}

declare module '../../core/db/tables.ts' {
  interface Tables {
    passkeys: PasskeyTable;
  }
}
