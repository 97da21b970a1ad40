import type { ColumnType, Generated } from 'kysely';
import type { Flag, Id, Json, Owned, Stamp } from '../../core/db/column-types.ts';

export interface UserTable extends Owned {
  email: string;
  name: string;
  /** argon2id in its own text form; empty for whoever has not set a password yet. */
  password_hash: string;
  policies: Json;
  is_active: Flag;
  /** Whether a confirmed second factor of theirs is there. */
  has_second_factor: Generated<Flag>;
  /** What they have chosen for themselves in the back-office. */
  preferences: Generated<Json>;
  last_seen_at: Stamp | null;
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

export interface ApiKeyTable extends Owned {
  user_id: number;
  name: string;
  /** Last characters of the key. */
  hint: string;
  policies: Json;
  /** SHA-256 of the key, hexadecimal. */
  key_hash: string;
  expires_at: Stamp | null;
  last_used_at: Stamp | null;
}

/** Links with which one user sets a password once. */
export interface PasswordResetTable {
  id: Id;
  user_id: number;
  /** SHA-256 of the token, hexadecimal. */
  token_hash: string;
  created_at: Stamp;
  expires_at: Stamp;
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

/** Tickets for one download each, in place of the session's token. */
export interface ExportTicketTable {
  id: Id;
  endpoint_id: number;
  user_id: number;
  /** Sign-in that the ticket was made in, and ends with. */
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
