import type { CommandOrigin, RoomLogEntry } from '../../../contract/entities.ts';
import { authorOf } from '../history/author-of.ts';
import type { ListedEntry } from './log-repository.ts';

/** An entry of a room's log as the API and open editors get it. */
export const asLogEntry = (row: ListedEntry): RoomLogEntry => ({
  seq: row.seq,
  client: row.client,
  mutation: row.mutation,
  origin: row.origin as CommandOrigin,
  user: authorOf(row),
  at: row.at,
  commands: JSON.parse(row.commands),
  inverses: JSON.parse(row.inverses),
});
