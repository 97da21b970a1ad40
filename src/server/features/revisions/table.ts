import type { AuthorName, Owned } from '../../core/db/column-types.ts';

/** Revisions of spaces. */
export interface RevisionTable extends Owned {
  room_id: number;
  user_id: number | null;
  author_name: AuthorName;
  kind: string;
  name: string;
  /** SHA-256 of the document, hexadecimal, to avoid consecutive duplicates. */
  hash: string;
  /** Number of elements. */
  elements: number;
  /** The document as JSON; compressed if it is large. */
  content: string;
}

declare module '../../core/db/tables.ts' {
  interface Tables {
    revisions: RevisionTable;
  }
}
