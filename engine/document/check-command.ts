import { z } from 'zod';
import { type Draft, liftCommand, mergeFields, type OlderCommand, type RoomCommand } from './commands.ts';
import { MAX_DEPTH, MAX_ELEMENTS } from './constants.ts';
import { type Element, elementSchema, flatElementSchema, type NestedElement } from './element.ts';
import { givenSettings } from './field-paths.ts';
import { id } from './fields.ts';
import { checkTreeSize, deriveFields, roomFieldsSchema } from './room.ts';
import { nest } from './tree.ts';

/** Fields that an update can't change: identity, and position in the tree, which a move changes. */
const NOT_UPDATABLE = new Set(['id', 'element', 'parent_element_id', 'index', 'children']);

const placeSchema = z.object({
  parent: id.nullable(),
  after: z.int().nullish(),
  index: z.int().min(0).max(MAX_ELEMENTS).optional(),
});

const only = (from: object, keys: object) =>
  Object.fromEntries(Object.entries(from).filter(([key]) => Object.hasOwn(keys, key))) as Record<string, unknown>;

/** The given fields of a parsed object, with `config` reduced to the given settings. */
function pickGiven(checked: { config: object }, fields: { config?: object }): Record<string, unknown> {
  const values = only(checked, fields);
  return fields.config ? { ...values, config: givenSettings(checked.config, fields.config) } : values;
}

/** Depth of a branch. */
function depthOf(branch: readonly Element[]): number {
  const levels = new Map<number | null, number>();
  for (const { id, parent_element_id } of branch) levels.set(id, (levels.get(parent_element_id) ?? 0) + 1);
  return Math.max(...levels.values());
}

/** Rejects a parent that doesn't exist or would exceed the nesting limit. */
function checkParent(draft: Draft, parent: number | null, branch: readonly Element[]): void {
  if (parent === null) return;
  let depth = depthOf(branch);
  for (let above: number | null = parent; above !== null; depth++) above = draft.existing(above).parent_element_id;
  if (depth > MAX_DEPTH + 1) throw new RangeError(`Elements are nested deeper than ${MAX_DEPTH}.`);
}

/**
 * Parses a new element and its children.
 * @throws ZodError if a value is invalid; RangeError if the tree is too deep or too large, or an ID is used twice
 */
export function checkAdded(input: unknown): NestedElement {
  const [tooLarge] = checkTreeSize([input]);
  if (tooLarge) throw new RangeError(tooLarge.message);
  const element = elementSchema.parse(input);
  const [twice] = deriveFields([element], null);
  if (twice) throw new RangeError(twice.message);
  return element;
}

/**
 * Validates an untrusted command against the schemas of its room.
 * @returns the command with parsed values, without unknown fields
 * @throws ZodError if a value is invalid
 * @throws NoSuchElement if an element is not in the room
 * @throws RangeError if the tree would become too deep or too large
 */
export function checkCommand(draft: Draft, command: OlderCommand): RoomCommand {
  switch (command.type) {
    case 'room.update':
      return {
        type: command.type,
        fields: pickGiven(roomFieldsSchema.parse(mergeFields(draft.fields, command.fields)), command.fields),
      };
    case 'element.update': {
      const before = draft.existing(id.parse(command.id));
      const wanted = Object.entries(command.fields).filter(([key]) => !NOT_UPDATABLE.has(key));
      const fields: { config?: object } = Object.fromEntries(wanted);
      const checked = flatElementSchema.parse(mergeFields(before, fields));
      return { type: command.type, id: command.id, fields: pickGiven(checked, fields) };
    }
    case 'element.remove':
      return { type: command.type, id: draft.existing(id.parse(command.id)).id };
    case 'element.add':
    case 'element.move':
      return checkPlaced(draft, command);
    default:
      throw new RangeError(`Unknown command type ${String((command as { type: unknown }).type)}.`);
  }
}

type Added = Extract<RoomCommand, { type: 'element.add' }>;
type PlacedCommand = Extract<OlderCommand, { type: 'element.add' | 'element.move' }>;

function checkPlaced(draft: Draft, command: PlacedCommand): RoomCommand {
  const { parent, after, index } = placeSchema.parse({
    parent: command.parent,
    after: command.after,
    index: typeof command.index === 'number' ? command.index : undefined,
  });
  if (parent !== null) draft.existing(parent);
  const place = { parent, ...(after !== undefined && { after }), ...(index !== undefined && { index }) };
  const below = (of: number | null) => draft.below(of);
  if (command.type === 'element.move') {
    checkParent(draft, parent, draft.branch(command.id));
    return liftCommand(below, { type: command.type, id: command.id, ...place });
  }
  const element = checkAdded('elements' in command ? nest(command.elements)[0] : command.element);
  const added = liftCommand(below, { type: command.type, element, ...place }) as Added;
  checkParent(draft, parent, added.elements);
  if (draft.size + added.elements.length > MAX_ELEMENTS)
    throw new RangeError(`A room can contain at most ${MAX_ELEMENTS} elements.`);
  return added;
}
