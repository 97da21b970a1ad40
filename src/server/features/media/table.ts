import type { ColumnType } from 'kysely';
import type { Json, Owned } from '../../core/db/column-types.ts';

/** What a file contains, as stored; replaced together. */
export interface ContentColumns {
  /** User who uploaded it; null for visitors and removed users. */
  user_id: number | null;
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
  /** As in `Loudness`; null for files that aren't audio or videos, or aren't measured. */
  loudness: ColumnType<number | null, number | null | undefined, number | null>;
  true_peak: ColumnType<number | null, number | null | undefined, number | null>;
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

export interface MediaTable extends Owned, ContentColumns {
  name: string;
  type: string;
  /** Null for a file in no folder. */
  folder_id: ColumnType<number | null, number | null | undefined, number | null>;
  title: ColumnType<string, string | undefined, string>;
  description: ColumnType<string, string | undefined, string>;
  creator: ColumnType<string, string | undefined, string>;
  credit: ColumnType<string, string | undefined, string>;
  rights: ColumnType<string, string | undefined, string>;
  date: ColumnType<string, string | undefined, string>;
  alt: ColumnType<string, string | undefined, string>;
  long_description: ColumnType<string, string | undefined, string>;
  transcript: ColumnType<string, string | undefined, string>;
  /** JSON list of texts. */
  keywords: ColumnType<Json, Json | undefined, Json>;
  /** Translations of its texts, by language and field. */
  translations: ColumnType<Json, Json | undefined, Json>;
  /** Whether the texts have been read from the upload: 0 or 1. */
  texts_read: ColumnType<number, number | undefined, number>;
}

/** An earlier content of a replaced file. `created_at` is the time of its replacement. */
export interface MediaVersionTable extends Owned, ContentColumns {
  media_id: number;
}

declare module '../../core/db/tables.ts' {
  interface Tables {
    media: MediaTable;
    media_versions: MediaVersionTable;
  }
}
