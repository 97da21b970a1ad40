import type { ColumnType, Generated } from 'kysely';

/** Ids come from the database. */
export type Id = Generated<number>;
/** True and false as 1 and 0, the same on both databases. */
export type Flag = number;
/** JSON as text, the same on both databases. */
export type Json = string;
/** ISO 8601 in UTC; text sorts as time does. */
export type Stamp = string;

/** What every row of an organization has. */
export interface Owned {
  id: Id;
  organization_id: ColumnType<number, number, never>;
  created_at: ColumnType<Stamp, Stamp, never>;
  updated_at: Stamp;
}

/** Name of whoever did it, once the user is removed; null before. */
export type AuthorName = ColumnType<string | null, string | null | undefined, string | null>;
