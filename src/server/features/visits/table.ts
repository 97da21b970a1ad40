import type { Id, Stamp } from '../../core/db/column-types.ts';

/** Visits opened by an access token. */
export interface VisitorSessionTable {
  id: Id;
  endpoint_id: number;
  access_token_id: number;
  /** SHA-256 of the token, hexadecimal. */
  token_hash: string;
  created_at: Stamp;
  expires_at: Stamp;
}

declare module '../../core/db/tables.ts' {
  interface Tables {
    visitor_sessions: VisitorSessionTable;
  }
}
