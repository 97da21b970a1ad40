import type { z } from 'zod';
import { ELEMENT_TYPES, type Element, flatElementSchema, unknownTypeMessage } from '../element.ts';
import { migrateDocument, newerVersion } from '../migrations.ts';
import { checkTreeSize, missingParentMessage, type Room, roomSchema } from '../room.ts';
import { STREAM_TYPES } from '../stream-types.ts';
import { windowOf } from '../window.ts';
import type { LintCode } from './codes.ts';
import type { LintedRoom, Placed } from './finding.ts';
import { nearest } from './nearest.ts';
import { type UnknownField, unknownElementFields, unknownRoomFields } from './unknown-fields.ts';

type Json = Record<string, unknown>;

/** Reports a parser finding: like a rule's, with the element's id if known. */
export type ReadReport = (code: LintCode, path: string, message: string, suggestion: string, id?: number) => void;

const isRecord = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const fieldPathOf = (base: string, keys: readonly PropertyKey[]): string =>
  keys.reduce<string>((path, key) => {
    if (typeof key === 'number') return `${path}[${key}]`;
    return path ? `${path}.${String(key)}` : String(key);
  }, base);

const valueAt = (value: unknown, keys: readonly PropertyKey[]): unknown =>
  keys.reduce((at, key) => (typeof at === 'object' && at !== null ? (at as Json)[key as string] : undefined), value);

/** The fix for an invalid value. */
function suggestionFor(issue: z.core.$ZodIssue, value: unknown): string {
  switch (issue.code) {
    case 'invalid_type':
      return value === undefined ? `Add a value of type ${issue.expected}.` : `Use a value of type ${issue.expected}.`;
    case 'too_big':
      return `Use at most ${issue.maximum}.`;
    case 'too_small':
      return issue.origin === 'string' ? 'Enter a value.' : `Use at least ${issue.minimum}.`;
    case 'invalid_value':
      return oneOf(value, issue.values.map(String));
    case 'invalid_union':
      return oneOf(value, 'options' in issue ? (issue.options as unknown[]).map(String) : []);
    default:
      return issue.message;
  }
}

function oneOf(value: unknown, known: readonly string[]): string {
  const meant = nearest(value, known);
  return meant ? `Did you mean "${meant}"?` : `Use one of ${known.join(', ')}.`;
}

function reportUnknown(fields: readonly UnknownField[], report: ReadReport, id?: number): void {
  for (const { path, name, meant } of fields)
    report(
      'unknown-field',
      path,
      `The field "${name.slice(0, 64)}" is unknown and is dropped.`,
      meant ? `Did you mean "${meant}"?` : 'Remove it or check its spelling.',
      id,
    );
}

/** Copies a value without the one at a path. Removes a whole array on the path, so that no index shifts. */
function dropAt(value: Json, [key, ...rest]: readonly PropertyKey[]): Json {
  const { [key as string]: child, ...others } = value;
  return rest.length > 0 && isRecord(child) ? { ...others, [key as string]: dropAt(child, rest) } : others;
}

const PARENT_ADVICE = 'Move the element to the children of its group, or remove the field.';

/** Values for required room fields, so that the rest of a room without them is still checked. */
const PLACEHOLDERS = { id: 1, title: 'Untitled' };

/** Parses a room's own fields. Invalid values are reported and replaced by their defaults. */
function readFields(document: Json, report: ReadReport): { room: Room; broken: string[] } {
  let candidate: Json = { ...document, elements: [] };
  const broken: string[] = [];
  // First removes the invalid values, then (if a required one is missing inside) the whole setting.
  for (let attempt = 0; ; attempt++) {
    const result = roomSchema.safeParse(candidate);
    if (result.success) return { room: { ...result.data, elements: [] }, broken };
    for (const issue of result.error.issues) {
      if (attempt === 0) {
        const path = fieldPathOf('', issue.path);
        report('schema', path, issue.message, suggestionFor(issue, valueAt(document, issue.path)));
        broken.push(path);
      }
      candidate = dropAt(candidate, attempt === 0 ? issue.path : issue.path.slice(0, 1));
    }
    candidate = { ...PLACEHOLDERS, ...candidate };
  }
}

const idOf = (raw: unknown): number | undefined =>
  isRecord(raw) && Number.isSafeInteger(raw.id) ? (raw.id as number) : undefined;

/** Reports an unknown live stream platform; `youtube` is an alias of `youtube_live`. */
function reportStreamType({ element, config }: Json, path: string, report: ReadReport, id?: number): void {
  if (element !== 'live_stream' || !isRecord(config) || typeof config.type !== 'string') return;
  if (config.type === 'youtube' || STREAM_TYPES.some((type) => type === config.type)) return;
  const message = `Unknown platform "${config.type.slice(0, 64)}": the live stream plays as a YouTube stream.`;
  report('unknown-stream-type', `${path}.config.type`, message, oneOf(config.type, STREAM_TYPES), id);
}

/** Parses one element without its children; undefined, with findings, if the schema rejects it. */
function readElement(raw: unknown, path: string, report: ReadReport): Element | undefined {
  const id = idOf(raw);
  if (isRecord(raw)) {
    if (typeof raw.element === 'string' && !ELEMENT_TYPES.some((type) => type === raw.element)) {
      const message = unknownTypeMessage(raw.element);
      report('unknown-element-type', `${path}.element`, message, oneOf(raw.element, ELEMENT_TYPES), id);
      return undefined;
    }
    reportUnknown(unknownElementFields(raw, path), report, id);
    reportStreamType(raw, path, report, id);
    if (raw.children !== undefined && !Array.isArray(raw.children))
      report('schema', `${path}.children`, 'Children must be a list.', 'Use a list of elements.', id);
  }
  const result = flatElementSchema.safeParse(raw);
  if (!result.success) {
    for (const issue of result.error.issues)
      report(
        'schema',
        fieldPathOf(path, issue.path),
        issue.message,
        suggestionFor(issue, valueAt(raw, issue.path)),
        id,
      );
    return undefined;
  }
  return { ...result.data, visible_between: windowOf(result.data) };
}

interface Read {
  placed: Placed[];
  unread: Set<number>;
  /** The parents that elements name. */
  claims: { id: number; path: string; element: number }[];
  report: ReadReport;
}

function readElements(list: readonly unknown[], base: string, ancestors: Placed['ancestors'], read: Read): void {
  for (const [index, raw] of list.entries()) {
    const path = `${base}[${index}]`;
    const element = readElement(raw, path, read.report);
    const children = isRecord(raw) && Array.isArray(raw.children) ? raw.children : [];
    if (element) {
      const claimed = element.parent_element_id;
      if (claimed !== null) read.claims.push({ id: claimed, path, element: element.id });
      element.parent_element_id = ancestors?.[0]?.id ?? null;
      read.placed.push({ element, path, ancestors, childCount: children.length });
    } else {
      const id = idOf(raw);
      if (id !== undefined) read.unread.add(id);
    }
    readElements(children, `${path}.children`, element && ancestors ? [element, ...ancestors] : null, read);
  }
}

/**
 * Parses as much of a room as possible: parts that the schema rejects are reported and dropped.
 * @param input any value, usually parsed JSON; not changed
 * @returns the room for the rules and the paths of its invalid values; null if nothing can be parsed
 */
export function readRoom(input: unknown, report: ReadReport): { linted: LintedRoom; broken: string[] } | null {
  if (!isRecord(input)) {
    report('schema', '', "The document isn't a room.", 'Use an object with the fields of a room.');
    return null;
  }
  const [tooLarge] = checkTreeSize(input.elements);
  if (tooLarge) {
    report('schema', 'elements', tooLarge.message, 'Split the room, or reduce the nesting of groups.');
    return null;
  }
  const newer = newerVersion(input);
  if (newer) {
    report('newer-version', 'version', newer, 'Or export the room again from a server of this version.');
    return null;
  }
  const document = migrateDocument(input) as Json;
  reportUnknown(unknownRoomFields(document), report);
  const { room, broken } = readFields(document, report);
  const read: Read = { placed: [], unread: new Set(), claims: [], report };
  if (Array.isArray(document.elements)) readElements(document.elements, 'elements', [], read);
  else if (document.elements !== undefined)
    report('schema', 'elements', 'Elements must be a list.', 'Use a list of elements.');
  const byId = new Map(read.placed.map((placed) => [placed.element.id, placed]));
  for (const { id, path, element } of read.claims)
    if (!byId.has(id) && !read.unread.has(id))
      report('unknown-parent', `${path}.parent_element_id`, missingParentMessage(id), PARENT_ADVICE, element);
  return { linted: { room, placed: read.placed, byId, unread: read.unread }, broken };
}
