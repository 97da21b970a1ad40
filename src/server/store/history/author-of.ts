import type { Author } from '../../../contract/entities.ts';

/** Who did what a row tells of; null for the server itself. A removed user has a name and no id. */
export const authorOf = (row: { user_id: number | null; user_name: string | null }): Author | null =>
  row.user_name === null ? null : { id: row.user_id, name: row.user_name };
