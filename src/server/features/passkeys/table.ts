import type { Id, Json, Stamp } from '../../core/db/column-types.ts';

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

declare module '../../core/db/tables.ts' {
  interface Tables {
    passkeys: PasskeyTable;
  }
}
