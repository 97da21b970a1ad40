import type { Generated } from 'kysely';
import type { Flag, Id, Stamp } from '../../core/db/column-types.ts';

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

declare module '../../core/db/tables.ts' {
  interface Tables {
    second_factors: SecondFactorTable;
    recovery_codes: RecoveryCodeTable;
  }
}
