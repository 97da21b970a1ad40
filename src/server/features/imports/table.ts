import type { AuthorName, Id, Json, Stamp } from '../../core/db/column-types.ts';

/** Completed imports. */
export interface ImportTable {
  id: Id;
  organization_id: number;
  user_id: number | null;
  author_name: AuthorName;
  at: Stamp;
  kind: string;
  /** Idempotency key of the request; null without one, and after a day. */
  idempotency_key: string | null;
  /** SHA-256 of the request, hexadecimal. */
  request_hash: string;
  /** The response of the request. */
  answer: Json;
  undone_at: Stamp | null;
  /** Batch id of its change records. */
  batch: string;
}

declare module '../../core/db/tables.ts' {
  interface Tables {
    imports: ImportTable;
  }
}
