import type { RoomCommand } from '../../../../engine/document/commands.ts';
import { nest } from '../../../../engine/document/tree.ts';
import type { CommandOrigin, RoomLogEntry } from '../../../contract/entities.ts';
import { authorOf } from '../../core/changes/change-log.ts';
import type { ListedEntry } from './log-repository.ts';

/** A command as calls carry it: a branch as a tree. */
function nested(command: RoomCommand): object {
  if (command.type !== 'element.add') return command;
  const { elements, ...rest } = command;
  return { ...rest, element: nest(elements)[0] };
}

/** An entry of a room's log as the API and open editors get it. */
export const asLogEntry = (row: ListedEntry): RoomLogEntry => ({
  seq: row.seq,
  client: row.client,
  mutation: row.mutation,
  origin: row.origin as CommandOrigin,
  user: authorOf(row),
  at: row.at,
  commands: JSON.parse(row.commands).map(nested),
  inverses: JSON.parse(row.inverses).map(nested),
});
