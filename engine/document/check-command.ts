import { mergeFields, type RoomCommand } from './commands.ts';
import { elementSchema } from './element.ts';
import { type Room, roomFieldsSchema } from './room.ts';
import { findElement } from './tree.ts';

const only = (from: object, keys: object) =>
  Object.fromEntries(Object.entries(from).filter(([key]) => key in keys)) as Record<string, unknown>;

/** The named fields of a checked object, `config` cut down to the named settings. */
function named(checked: { config: object }, fields: { config?: object }): Record<string, unknown> {
  const values = only(checked, fields);
  return fields.config ? { ...values, config: only(checked.config, fields.config) } : values;
}

/**
 * Holds a command that came from outside against the schemas of the room that it changes.
 * @returns the command with its values as the schemas give them, unknown fields dropped
 * @throws ZodError when a value breaks its bounds
 * @throws RangeError when the element to update does not exist
 */
export function checkCommand(room: Room, command: RoomCommand): RoomCommand {
  switch (command.type) {
    case 'room.update':
      return { ...command, fields: named(roomFieldsSchema.parse(mergeFields(room, command.fields)), command.fields) };
    case 'element.add':
      return { ...command, element: elementSchema.parse(command.element) };
    case 'element.update': {
      const before = findElement(room.elements, command.id);
      if (!before) throw new RangeError(`Element ${command.id} does not exist.`);
      const checked = elementSchema.parse({ ...mergeFields(before, command.fields), children: [] });
      return { ...command, fields: named(checked, command.fields) };
    }
    default:
      return command;
  }
}
