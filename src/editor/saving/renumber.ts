import type { NestedElement } from '../../../engine/document/element.ts';
import { type IdMap, remapElement, remapRoomConfig, remapSettings } from '../../../engine/document/remap.ts';
import { flatten } from '../../../engine/document/tree.ts';
import type { SentCommand } from '../../contract/entities.ts';

/** Elements that a command adds. */
export const addedBy = (command: SentCommand): number[] =>
  command.type === 'element.add' ? flatten([command.element as NestedElement]).map(({ id }) => id) : [];

const branch = (element: NestedElement, ids: IdMap): NestedElement => ({
  ...remapElement(element, ids),
  id: ids.get(element.id) ?? element.id,
  children: element.children.map((child) => branch(child, ids)),
});

/** A command that speaks of elements by other ids. */
export function renumbered(command: SentCommand, ids: IdMap): SentCommand {
  const one = <T extends number | null | undefined>(id: T) => (typeof id === 'number' ? (ids.get(id) ?? id) : id);
  const place = 'parent' in command ? { parent: one(command.parent), after: one(command.after) } : {};
  if (command.type === 'element.add')
    return { ...command, ...place, element: { ...branch(command.element as NestedElement, ids) } };
  const config = 'fields' in command ? (command.fields.config as object | undefined) : undefined;
  const remap = command.type === 'room.update' ? remapRoomConfig : remapSettings;
  const fields = 'fields' in command && config ? { fields: { ...command.fields, config: remap(config, ids) } } : {};
  return { ...command, ...('id' in command && { id: one(command.id) }), ...place, ...fields } as SentCommand;
}
