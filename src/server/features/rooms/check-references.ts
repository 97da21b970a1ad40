import { mergeFields, type RoomCommand } from '../../../../engine/document/commands.ts';
import { descriptorOf, type Element } from '../../../../engine/document/element.ts';
import type { Room } from '../../../../engine/document/room.ts';
import { byId } from '../../../../engine/document/tree.ts';
import { ApiError } from '../../../contract/errors.ts';
import type { Database } from '../../core/db/database.ts';
import { checkFiles, type FileUse } from '../media/service.ts';
import { checkRoomReferences } from './create-room.ts';
import { findElementIds } from './elements-repository.ts';

const fileUseOf = (element: Element, field: string): FileUse => ({
  field,
  id: element.file_id,
  kinds: descriptorOf(element).files ?? [],
});

/**
 * Holds what commands newly refer to against the organization: files, the template, ids of elements.
 * @param before the room before the first of them
 * @param commands as they were settled
 * @throws ApiError invalid, naming the command and the field
 */
export async function checkReferences(
  db: Database,
  organizationId: number,
  before: Room,
  commands: readonly RoomCommand[],
): Promise<void> {
  const isNaming = (command: RoomCommand) =>
    command.type === 'element.add' || (command.type === 'element.update' && command.fields.file_id !== undefined);
  const uses: FileUse[] = [];
  // Most edits name nothing, and an index of a large room takes its time.
  const known = commands.some(isNaming) ? byId(before.elements) : new Map<number, Element>();
  const fresh = new Map<number, string>();
  for (const [index, command] of commands.entries()) {
    if (command.type === 'element.add')
      for (const element of command.elements) {
        if (!known.has(element.id)) fresh.set(element.id, `commands.${index}`);
        known.set(element.id, element);
        uses.push(fileUseOf(element, `commands.${index}.element.file_id`));
      }
    const { file_id } = command.type === 'element.update' ? command.fields : {};
    if (command.type === 'element.update' && typeof file_id === 'number') {
      const element = known.get(command.id)!;
      uses.push({ ...fileUseOf(element, `commands.${index}.fields.file_id`), id: file_id });
    }
  }
  await checkFiles(
    db,
    organizationId,
    uses.filter(({ id }) => id !== null),
  );
  const [taken] = await findElementIds(db, [...fresh.keys()]);
  if (taken !== undefined)
    throw new ApiError('invalid', { [fresh.get(taken)!]: [`Element ${taken} exists already, in another space.`] });
  const edits = commands.filter((command) => command.type === 'room.update');
  if (edits.length === 0) return;
  const { id: _id, version: _version, elements: _elements, template: _template, ...fields } = before;
  const edited = edits.reduce((room, command) => mergeFields(room, command.fields), fields);
  await checkRoomReferences(db, organizationId, edited, fields);
}
