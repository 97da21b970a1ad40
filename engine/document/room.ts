import { z } from 'zod';
import { DOCUMENT_VERSION, MAX_DEPTH, MAX_ELEMENTS, ROOM_SIZE } from './constants.ts';
import { type Element, elementSchema, type NestedElement } from './element.ts';
import { html, id, length, line, optional, vector } from './fields.ts';
import { migrateDocument, newerVersion } from './migrations.ts';
import { roomConfigSchema } from './room-config.ts';
import { withKeys } from './sibling-keys.ts';
import { templateSchema } from './template.ts';
import { flatten, nest } from './tree.ts';
import { windowOf } from './window.ts';

/** Room fields without the elements: the form in the editor and the row in the database. */
export const roomFieldsSchema = z.object({
  name: line().default('').describe('Short name for lists. Defaults to the title.'),
  title: line().min(1, 'Give the space a title.').describe('Title, shown to visitors.'),
  description: html(200_000)
    .default('')
    .describe('Start pop-up content as HTML; also the description for search engines.'),
  template_id: optional(id).describe('Template of the room.'),
  width: length.default(ROOM_SIZE.width).describe('Width in units.'),
  height: length.default(ROOM_SIZE.height).describe('Height in units.'),
  depth: length.default(ROOM_SIZE.depth).describe('Depth in units.'),
  config: roomConfigSchema.describe('Room settings.'),
  angle: optional(vector).describe('Camera target at the start, in units.'),
});

/** A room with nested elements, as in files and API calls. */
export const roomSchema = roomFieldsSchema.extend({
  version: z.literal(DOCUMENT_VERSION).default(DOCUMENT_VERSION).describe('Document format version.'),
  id: id.describe('Room ID.'),
  template: optional(templateSchema).describe('The template.'),
  elements: z.array(elementSchema).default([]).describe('Top-level elements, in order, with their children.'),
});
export type NestedRoom = z.output<typeof roomSchema>;

/**
 * A room: the document that the server stores, the editor edits and the engine plays. Its elements are a flat list in tree
 * order.
 */
export type Room = Omit<NestedRoom, 'elements'> & { elements: Element[] };

/** Flattens a room's elements. Existing keys stay. */
export const flatRoom = <R extends { elements: NestedElement[] }>(
  room: R,
): Omit<R, 'elements'> & Pick<Room, 'elements'> => ({
  ...room,
  elements: withKeys(flatten(room.elements)),
});

/** Nests a room's elements, as in files and API calls. */
export const nestedRoom = <R extends Pick<Room, 'elements'>>(
  room: R,
): Omit<R, 'elements'> & Pick<NestedRoom, 'elements'> => ({
  ...room,
  elements: nest(room.elements),
});

/** One error in a document: its path and a message. */
export interface DocumentIssue {
  path: (string | number)[];
  message: string;
}

/** A document that can't be parsed, with all its errors. */
export class DocumentError extends Error {
  readonly issues: DocumentIssue[];
  constructor(issues: DocumentIssue[]) {
    const first = issues[0];
    super(first ? `${first.path.join('.') || 'document'}: ${first.message}` : "The document isn't a room.");
    this.name = 'DocumentError';
    this.issues = issues;
  }
}

/**
 * Checks element count and depth before any recursion over the tree.
 * @param elements the top-level list as received; a value that is not an array counts as empty
 * @returns one issue if the tree is too deep or too large
 */
export function checkTreeSize(elements: unknown): DocumentIssue[] {
  let level: unknown[] = [elements];
  let count = 0;
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) return [{ path: ['elements'], message: `Elements are nested deeper than ${MAX_DEPTH}.` }];
    const next: unknown[] = [];
    for (const list of level) {
      if (!Array.isArray(list)) continue;
      count += list.length;
      if (count > MAX_ELEMENTS)
        return [{ path: ['elements'], message: `A room can contain at most ${MAX_ELEMENTS} elements.` }];
      for (const element of list) if (element?.children?.length) next.push(element.children);
    }
    level = next;
  }
  return [];
}

/** Error message for an element whose parent is missing. */
export const missingParentMessage = (id: number): string => `Element ${id} doesn't exist in this document.`;

/**
 * Derives fields: parents from the tree, windows from times.
 * @param elements parsed elements; changed in place
 * @param parent id of their parent, null at the top level
 * @returns one issue per duplicate id
 */
export function deriveFields(elements: NestedElement[], parent: number | null): DocumentIssue[] {
  const seen = new Set<number>();
  const issues: DocumentIssue[] = [];
  const settle = (list: NestedElement[], owner: number | null, path: (string | number)[]): void => {
    for (const [index, element] of list.entries()) {
      const own = [...path, index];
      if (seen.has(element.id)) issues.push({ path: [...own, 'id'], message: `ID ${element.id} is used twice.` });
      seen.add(element.id);
      element.parent_element_id = owner;
      element.visible_between = windowOf(element);
      settle(element.children, element.id, [...own, 'children']);
    }
  };
  settle(elements, parent, ['elements']);
  return issues;
}

/**
 * Parses a room: upgrades older versions, fills in defaults, drops unknown fields, validates values.
 * @param input any value, usually parsed JSON; not changed
 * @throws DocumentError with every error and its path
 */
export function parseRoom(input: unknown): Room {
  const tooLarge = checkTreeSize((input as { elements?: unknown } | null)?.elements);
  if (tooLarge.length) throw new DocumentError(tooLarge);
  const newer = newerVersion(input);
  if (newer) throw new DocumentError([{ path: ['version'], message: newer }]);
  const result = roomSchema.safeParse(migrateDocument(input));
  if (!result.success)
    throw new DocumentError(
      result.error.issues.map(({ path, message }) => ({ path: path as (string | number)[], message })),
    );
  const issues = deriveFields(result.data.elements, null);
  if (issues.length) throw new DocumentError(issues);
  return flatRoom(result.data);
}

/**
 * Parses an untrusted room: as `parseRoom`, but rejects elements whose `parent_element_id` doesn't exist. In our own rooms,
 * only the tree determines the parent.
 * @throws DocumentError with every error and its path
 */
export function parseUntrustedRoom(input: unknown): Room {
  const room = parseRoom(input);
  const claims: { path: (string | number)[]; parent: unknown }[] = [];
  const ids = new Set<unknown>();
  const collect = (list: unknown, path: (string | number)[]): void => {
    for (const [index, element] of ((list ?? []) as Record<string, unknown>[]).entries()) {
      ids.add(element.id);
      if (element.parent_element_id)
        claims.push({ path: [...path, index, 'parent_element_id'], parent: element.parent_element_id });
      collect(element.children, [...path, index, 'children']);
    }
  };
  collect((input as { elements?: unknown }).elements, ['elements']);
  const issues = claims
    .filter(({ parent }) => !ids.has(parent))
    .map(({ path, parent }) => ({ path, message: missingParentMessage(Number(parent)) }));
  if (issues.length) throw new DocumentError(issues);
  return room;
}
