import type { Generated } from 'kysely';
import type { Flag, Id, Stamp } from '../../core/db/column-types.ts';

/** TOTP secrets of users. */
export interface SecondFactorTable {
  id: Id;
  user_id: number;
  /** Base32, sealed with the server's own key. */
  secret: string;
  /** Whether a valid code has confirmed the setup. */
  is_confirmed: Flag;
  /** Last accepted time step; prevents replay. */
  last_step: Generated<number>;
  created_at: Stamp;
}

/** Single-use recovery codes, each in place of a TOTP code. */
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
