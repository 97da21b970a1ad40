import { z } from 'zod';
import { mergeFields, type RoomCommand } from './commands.ts';
import { MAX_DEPTH, MAX_ELEMENTS } from './constants.ts';
import { type Element, elementSchema } from './element.ts';
import { id } from './fields.ts';
import { measureTree, type Room, roomFieldsSchema, settleElements } from './room.ts';
import { ancestorsOf, countElements, findElement, NoSuchElement, type Place } from './tree.ts';

/** What an update never changes: an element keeps its id and type, and its place changes by a move. */
const FIXED = new Set(['id', 'element', 'parent_element_id', 'children']);

const placeSchema = z.object({ parent: id.nullable(), index: z.int().min(0).max(MAX_ELEMENTS) });

const only = (from: object, keys: object) =>
  Object.fromEntries(Object.entries(from).filter(([key]) => Object.hasOwn(keys, key))) as Record<string, unknown>;

/** The named fields of a checked object, `config` cut down to the named settings. */
function named(checked: { config: object }, fields: { config?: object }): Record<string, unknown> {
  const values = only(checked, fields);
  return fields.config ? { ...values, config: only(checked.config, fields.config) } : values;
}

const heightOf = (element: Element): number =>
  element.children.reduce((height, child) => Math.max(height, heightOf(child) + 1), 0);

/** Refuses a place that does not exist, and one where the element would be nested too deep. */
function checkPlace(room: Room, element: Element, place: Place): Place {
  const { parent, index } = placeSchema.parse({ parent: place.parent, index: place.index });
  if (parent === null) return { parent, index };
  if (!findElement(room.elements, parent)) throw new NoSuchElement(parent);
  const depth = ancestorsOf(room.elements, parent).length + 1 + heightOf(element);
  if (depth > MAX_DEPTH) throw new RangeError(`Elements are nested deeper than ${MAX_DEPTH}.`);
  return { parent, index };
}

/** Reads an element that is to be added, with its children. */
function checkAdded(room: Room, input: unknown, parent: number | null): Element {
  const [tooLarge] = measureTree([input]);
  if (tooLarge) throw new RangeError(tooLarge.message);
  const element = elementSchema.parse(input);
  const [twice] = settleElements([element], parent);
  if (twice) throw new RangeError(twice.message);
  const count = countElements(room.elements) + countElements([element]);
  if (count > MAX_ELEMENTS) throw new RangeError(`A room holds at most ${MAX_ELEMENTS} elements.`);
  return element;
}

function existing(room: Room, elementId: number): Element {
  const element = findElement(room.elements, id.parse(elementId));
  if (!element) throw new NoSuchElement(elementId);
  return element;
}

/**
 * Holds a command that came from outside against the schemas of the room that it changes.
 * @returns the command with its values as the schemas give them, unknown fields dropped
 * @throws ZodError when a value breaks its bounds
 * @throws NoSuchElement when it names one that the room does not have
 * @throws RangeError when the tree would grow too deep or too large
 */
export function checkCommand(room: Room, command: RoomCommand): RoomCommand {
  switch (command.type) {
    case 'room.update':
      return {
        type: command.type,
        fields: named(roomFieldsSchema.parse(mergeFields(room, command.fields)), command.fields),
      };
    case 'element.add': {
      const element = checkAdded(room, command.element, command.parent);
      return { type: command.type, element, ...checkPlace(room, element, command) };
    }
    case 'element.update': {
      const before = existing(room, command.id);
      const wanted = Object.entries(command.fields).filter(([key]) => !FIXED.has(key));
      const fields: { config?: object } = Object.fromEntries(wanted);
      const checked = elementSchema.parse({ ...mergeFields(before, fields), children: [] });
      return { type: command.type, id: command.id, fields: named(checked, fields) };
    }
    case 'element.remove':
      return { type: command.type, id: existing(room, command.id).id };
    case 'element.move': {
      const element = existing(room, command.id);
      return { type: command.type, id: command.id, ...checkPlace(room, element, command) };
    }
    default:
      throw new RangeError(`There is no command ${String((command as { type: unknown }).type)}.`);
  }
}
