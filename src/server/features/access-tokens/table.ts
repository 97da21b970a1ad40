import type { ColumnType } from 'kysely';
import type { Owned, Stamp } from '../../core/db/column-types.ts';

export interface AccessTokenTable extends Owned {
  endpoint_id: number;
  token: string;
  valid_from: Stamp | null;
  valid_till: Stamp | null;
  /** Minutes from the first use. */
  valid_duration: number | null;
  first_used_at: Stamp | null;
  /** The normal form, if it differs from the token; set for tokens stored before normalization. */
  normal: ColumnType<string | null, string | null | undefined>;
  /** The person the token was given to. */
  holder_name: ColumnType<string | null, string | null | undefined>;
  holder_email: ColumnType<string | null, string | null | undefined>;
  note: ColumnType<string | null, string | null | undefined>;
  /** The API's `group`, which is a keyword of SQL. */
  group_name: ColumnType<string | null, string | null | undefined>;
  /** Last time it opened its structure, to the minute. */
  last_used_at: ColumnType<Stamp | null, Stamp | null | undefined>;
  checked_in_at: ColumnType<Stamp | null, Stamp | null | undefined>;
}

declare module '../../core/db/tables.ts' {
  interface Tables {
    access_tokens: AccessTokenTable;
  }
}
