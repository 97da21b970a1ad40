import type { AuthorName, Id, Json, Stamp } from '../../core/db/column-types.ts';

/** Imports that were done. */
export interface ImportTable {
  id: Id;
  organization_id: number;
  user_id: number | null;
  author_name: AuthorName;
  at: Stamp;
  kind: string;
  /** What named the request; null where nothing did, or a day later. */
  idempotency_key: string | null;
  /** SHA-256 of the request, hexadecimal. */
  request_hash: string;
  /** The answer that it got. */
  answer: Json;
  undone_at: Stamp | null;
  /** What it did, as records of changes have it. */
  batch: string;
}

declare module '../../core/db/tables.ts' {
  interface Tables {
    imports: ImportTable;
  }
}
