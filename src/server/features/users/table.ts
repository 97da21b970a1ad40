import type { ColumnType, Generated } from 'kysely';
import type { Flag, Id, Json, Owned, Stamp } from '../../core/db/column-types.ts';

export interface UserTable extends Owned {
  email: string;
  name: string;
  /** argon2id hash in PHC string format; empty until a password is set. */
  password_hash: string;
  policies: Json;
  /** Null for the whole organization. */
  limits: Generated<Json | null>;
  is_active: Flag;
  /** Whether a confirmed second factor exists. */
  has_second_factor: Generated<Flag>;
  /** Personal back-office preferences. */
  preferences: Generated<Json>;
  last_seen_at: Stamp | null;
}

export interface SessionTable {
  id: Id;
  user_id: number;
  /** Shared by all tokens of one sign-in. */
  family: string;
  /** SHA-256 of the token, hexadecimal. */
  token_hash: string;
  created_at: Stamp;
  /** Time at which a response brings a new token. */
  renew_at: Stamp;
  expires_at: Stamp;
  /** Time of the original sign-in. */
  signed_in_at: Stamp;
  /** Accurate to a few minutes: not every request writes it. */
  last_used_at: Stamp;
  /** Browser and system of the sign-in in words; empty if unknown. */
  device: string;
  /** IP address of the sign-in; empty if unknown. */
  address: string;
  /** Sign-in method; empty if unknown. */
  method: ColumnType<string, string | undefined, never>;
}

export interface ApiKeyTable extends Owned {
  user_id: number;
  name: string;
  /** Last characters of the key. */
  hint: string;
  policies: Json;
  /** What it may do besides reading. */
  scopes: Json;
  /** SHA-256 of the key, hexadecimal. */
  key_hash: string;
  expires_at: Stamp | null;
  last_used_at: Stamp | null;
}

/** Single-use links to set a password. */
export interface PasswordResetTable {
  id: Id;
  user_id: number;
  /** SHA-256 of the token, hexadecimal. */
  token_hash: string;
  created_at: Stamp;
  expires_at: Stamp;
}

/** Single-use tokens between the steps of a sign-in, valid for a few minutes. */
export interface SignInStepTable {
  id: Id;
  purpose: string;
  /** SHA-256 of the token, hexadecimal. */
  token_hash: string;
  user_id: number | null;
  /** The session or browser to which it is bound; empty for none. */
  bound_to: string;
  expires_at: Stamp;
}

/** Single-use download tickets, in place of the session's token. */
export interface ExportTicketTable {
  id: Id;
  endpoint_id: number;
  user_id: number;
  /** Sign-in to which the ticket belongs, and with which it ends. */
  family: string;
  /** SHA-256 of the ticket, hexadecimal. */
  token_hash: string;
  expires_at: Stamp;
}

declare module '../../core/db/tables.ts' {
  interface Tables {
    users: UserTable;
    sessions: SessionTable;
    api_keys: ApiKeyTable;
    password_resets: PasswordResetTable;
    sign_in_steps: SignInStepTable;
    export_tickets: ExportTicketTable;
  }
}
