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
  /** Path of the main file in the stored folder. */
  entry: string;
  width: number | null;
  height: number | null;
  duration: number | null;
  details: Json;
  /**
   * Camera metadata as JSON of `PhotoMetadata`; null for none. It contains positions, which no response does.
   */
  photo: ColumnType<Json | null, Json | null | undefined, Json | null>;
  /** SHA-256 of the upload before it was stripped or converted; null if the upload wasn't stored. */
  original_hash: ColumnType<string | null, string | null | undefined, string | null>;
  original_bytes: ColumnType<number | null, number | null | undefined, number | null>;
  original_name: ColumnType<string | null, string | null | undefined, string | null>;
  /**
   * Null if it hasn't been checked for metadata; `stripped` if it was stripped in place, under the hash of its upload.
   */
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
