import type { ColumnType } from 'kysely';
import type { Json, Owned } from '../../core/db/column-types.ts';

export interface MediaTable extends Owned {
  user_id: number | null;
  name: string;
  type: string;
  mime: string;
  bytes: number;
  /** SHA-256 of the content, hexadecimal. */
  hash: string;
  /** File inside the stored folder at which the content begins. */
  entry: string;
  width: number | null;
  height: number | null;
  duration: number | null;
  details: Json;
  /** SHA-256 of the upload before anything was stripped or converted; null where it was not stored. */
  original_hash: ColumnType<string | null, string | null | undefined, string | null>;
  original_bytes: ColumnType<number | null, number | null | undefined, number | null>;
  original_name: ColumnType<string | null, string | null | undefined, string | null>;
  /** Null where metadata has not been looked for; `stripped` where the file was stripped in its place, under the hash of its upload. */
  stripping: ColumnType<
    'checked' | 'stripped' | null,
    'checked' | 'stripped' | null | undefined,
    'checked' | 'stripped' | null
  >;
}

declare module '../../core/db/tables.ts' {
  interface Tables {
    media: MediaTable;
  }
}
