import type { ColumnType, Generated } from 'kysely';

/** An id assigned by the database. */
export type Id = Generated<number>;
/** Boolean as 1 or 0, the same on both databases. */
export type Flag = number;
/** JSON as text, the same on both databases. */
export type Json = string;
/** ISO 8601 in UTC; sorts chronologically as text. */
export type Stamp = string;

/** Columns of every row that belongs to an organization. */
export interface Owned {
  id: Id;
  organization_id: ColumnType<number, number, never>;
  created_at: ColumnType<Stamp, Stamp, never>;
  updated_at: Stamp;
}

/** The author's name once the user is deleted; null before. */
export type AuthorName = ColumnType<string | null, string | null | undefined, string | null>;
