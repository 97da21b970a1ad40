import { descriptors, type Element, type ElementType } from './element.ts';
import { labelOf } from './field-labels.ts';
import { isRecord, isSame } from './field-paths.ts';
import type { Vector } from './fields.ts';
import type { Room } from './room.ts';
import { withKeys } from './sibling-keys.ts';
import { byId } from './tree.ts';

/** An element in a difference. */
export interface Subject {
  id: number;
  type: ElementType;
  /** The element's name; may be empty. */
  name: string;
}

/** One difference between two rooms, as plain data. Elements match by id and type. */
export type Difference =
  /** An element was added or removed, with `inside` descendants. */
  | { kind: 'added' | 'removed'; subject: Subject; parent: Subject | null; inside: number }
  /** An element has another parent; null is the top level. */
  | { kind: 'put'; subject: Subject; before: Subject | null; after: Subject | null }
  /** An element has another position among its siblings; positions count from 1. */
  | { kind: 'ordered'; subject: Subject; parent: Subject | null; before: number; after: number }
  /** Position in units, rotation in radians, or scale. */
  | { kind: 'moved' | 'turned' | 'scaled'; subject: Subject; before: Vector; after: Vector }
  /**
   * A field of an element, or of the room if `subject` is null, such as `config.camera.fov`. Files are compared by name, or
   * by id if the name is unknown.
   */
  | { kind: 'changed'; subject: Subject | null; path: string; before: unknown; after: unknown };

type Fields = Record<string, unknown>;

/** Fields that describe the position in the tree or derive from other fields. */
const IGNORED_ELEMENT_FIELDS = new Set(['id', 'element', 'index', 'parent_element_id', 'file', 'utc_offset']);
/** Settings derived from the file, if there is one. */
const FILE_SETTINGS = new Set(['config.file_url', 'config.mime']);
const IGNORED_ROOM_FIELDS = new Set(['id', 'version', 'elements', 'template', 'config.realtime_file']);

const TRANSFORMS = [
  ['moved', 'position'],
  ['turned', 'rotation'],
  ['scaled', 'scale'],
] as const;

const subjectOf = ({ id, element, name }: Element): Subject => ({ id, type: element, name });
const elementKeyOf = ({ id, element }: Element) => `${element} ${id}`;

const isVector = (value: unknown): value is Record<'x' | 'y', number> => isRecord(value) && 'x' in value;

/** Changed fields by path. Objects are compared recursively, vectors and arrays as values. */
function* changed(
  before: Fields,
  after: Fields,
  base = '',
): Generator<[path: string, before: unknown, after: unknown]> {
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [was, is] = [before[name] ?? null, after[name] ?? null];
    if (isRecord(was) && isRecord(is) && !isVector(was)) yield* changed(was, is, `${base}${name}.`);
    else if (!isSame(was, is)) yield [base + name, was, is];
  }
}

/** Whether a URL derives from a file, before or after. */
const hasFile = (...things: readonly { file_id: number | null }[]) => things.some(({ file_id }) => file_id !== null);

function* elementChanges(before: Element, after: Element): Generator<Difference> {
  const subject = subjectOf(after);
  const placed = new Set<string>();
  for (const [kind, part] of TRANSFORMS) {
    const vector = (element: Element): Vector => ({
      x: element[`${part}_x`],
      y: element[`${part}_y`],
      z: element[`${part}_z`],
    });
    for (const axis of ['x', 'y', 'z']) placed.add(`${part}_${axis}`);
    if (!isSame(vector(before), vector(after))) yield { kind, subject, before: vector(before), after: vector(after) };
  }
  const isTimed = [before, after].some(({ start_time, end_time }) => start_time !== null || end_time !== null);
  for (const [path, was, is] of changed(before, after)) {
    const [first = ''] = path.split('.');
    if (IGNORED_ELEMENT_FIELDS.has(first) || placed.has(path)) continue;
    if (FILE_SETTINGS.has(path) && hasFile(before, after)) continue;
    if (first === 'visible_between' && isTimed) continue;
    const nameOf = (element: Element, id: unknown) => element.file?.name ?? id;
    if (path === 'file_id')
      yield { kind: 'changed', subject, path, before: nameOf(before, was), after: nameOf(after, is) };
    else yield { kind: 'changed', subject, path, before: was, after: is };
  }
}

function* roomChanges(before: Room, after: Room): Generator<Difference> {
  const hasMarker = [before, after].some(({ config }) => config.realtime_file_id !== null);
  const isIgnored = (path: string) =>
    [...IGNORED_ROOM_FIELDS].some((left) => path === left || path.startsWith(`${left}.`)) ||
    (path === 'config.realtime_file_url' && hasMarker);
  const { elements: _was, template: _wasMade, ...old } = before;
  const { elements: _is, template: _isMade, ...current } = after;
  for (const [path, was, is] of changed(old, current)) {
    if (isIgnored(path)) continue;
    const named = { before: was, after: is };
    if (path === 'template_id')
      Object.assign(named, { before: before.template?.name ?? was, after: after.template?.name ?? is });
    if (path === 'config.realtime_file_id')
      Object.assign(named, {
        before: before.config.realtime_file?.name ?? was,
        after: after.config.realtime_file?.name ?? is,
      });
    yield { kind: 'changed', subject: null, path, ...named };
  }
}

type Keyed = ReadonlyMap<string, Element>;

const keyed = (elements: readonly Element[]): Keyed =>
  new Map(elements.map((element) => [elementKeyOf(element), element]));

/** Elements of one room that are missing from the other; their missing descendants are counted. */
function* unmatched(kind: 'added' | 'removed', elements: readonly Element[], others: Keyed): Generator<Difference> {
  const here = byId(elements);
  /** Listed branches by the ids of all their elements. */
  const listed = new Map<number | null, { inside: number }>();
  const found: (Difference & { kind: 'added' | 'removed' })[] = [];
  for (const element of elements) {
    const above = element.parent_element_id;
    const branch = listed.get(above);
    if (others.has(elementKeyOf(element))) continue;
    if (branch) {
      branch.inside++;
      listed.set(element.id, branch);
      continue;
    }
    const parent = above === null ? undefined : here.get(above);
    const difference = { kind, subject: subjectOf(element), parent: parent ? subjectOf(parent) : null, inside: 0 };
    listed.set(element.id, difference);
    found.push(difference);
  }
  yield* found;
}

/** Elements whose position among their siblings changed, according to their keys. */
function* orderChanges(before: readonly Element[], after: readonly Element[]): Generator<Difference> {
  const was = keyed(before);
  const here = byId(after);
  const lists = Map.groupBy(after, ({ parent_element_id }) => parent_element_id);
  const known = byId(before.filter((element) => here.get(element.id)?.element === element.element));
  const now = byId(withKeys(after, known));
  const earlier = Map.groupBy(before, ({ parent_element_id }) => parent_element_id);
  for (const [parent, list] of lists) {
    const holder = parent === null ? null : here.get(parent)!;
    for (const [index, element] of list.entries()) {
      const old = was.get(elementKeyOf(element));
      if (!old || old.parent_element_id !== parent || old.index === now.get(element.id)!.index) continue;
      yield {
        kind: 'ordered',
        subject: subjectOf(element),
        parent: holder && subjectOf(holder),
        before: earlier.get(parent)!.indexOf(old) + 1,
        after: index + 1,
      };
    }
  }
}

/**
 * The differences between two rooms as a person would list them: room settings, then additions and removals, then elements
 * in both rooms, in the order of the second. Derived fields are omitted, so each change appears once.
 * @returns nothing if the rooms are equal
 */
export function differences(before: Room, after: Room): Difference[] {
  const [was, is] = [keyed(before.elements), keyed(after.elements)];
  const found: Difference[] = [...roomChanges(before, after)];
  found.push(...unmatched('added', after.elements, was), ...unmatched('removed', before.elements, is));
  const [hadById, hasById] = [byId(before.elements), byId(after.elements)];
  const holderOf = (elements: ReadonlyMap<number, Element>, { parent_element_id: parent }: Element): Subject | null =>
    parent === null ? null : subjectOf(elements.get(parent)!);
  for (const [key, element] of is) {
    const old = was.get(key);
    if (!old || old === element) continue;
    const [from, to] = [holderOf(hadById, old), holderOf(hasById, element)];
    if (from?.id !== to?.id || from?.type !== to?.type)
      found.push({ kind: 'put', subject: subjectOf(element), before: from, after: to });
    found.push(...elementChanges(old, element));
  }
  // Only elements with the same parent in both rooms can be reordered.
  if (before.elements !== after.elements) found.push(...orderChanges(before.elements, after.elements));
  return found;
}

/** Components of an element by the kind of their difference. */
const COMPONENTS = { moved: 'position', turned: 'rotation', scaled: 'scale', put: 'parent', ordered: 'order' } as const;

/**
 * Key of a difference among those of two rooms, the same as in a merge: the element's id, or `room`, and the changed
 * component, such as `12 position` or `room config.camera.fov`; only the id if the element was added or removed.
 */
export function keyOf(difference: Difference): string {
  const { kind, subject } = difference;
  const of = subject ? String(subject.id) : 'room';
  if (kind === 'added' || kind === 'removed') return of;
  return `${of} ${kind === 'changed' ? difference.path : COMPONENTS[kind]}`;
}

/** Maximum length of a quoted text, in characters. */
const MAX_QUOTE_LENGTH = 48;

const DEGREES = 180 / Math.PI;

/** An element's name, or its type and id if it has none. */
function subjectText({ id, type, name }: Subject): string {
  const { label } = descriptors[type];
  return name ? `“${name}”` : `${label} ${id}`;
}

const numberText = (value: number): string => String(Number(value.toFixed(3)) || 0);

const vectorText = ({ x, y, z }: Partial<Vector>, unit = 1, suffix = ''): string =>
  [x, y, z]
    .filter((part) => part !== undefined)
    .map((part) => numberText(part * unit) + suffix)
    .join(', ');

function quotedText(value: string): string {
  if (/^#[0-9a-f]{3,6}$/i.test(value)) return value;
  const plain = value
    .replace(/<[^<>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  if (plain === '') return value === '' ? 'empty' : 'markup';
  return `“${plain.length > MAX_QUOTE_LENGTH ? `${plain.slice(0, MAX_QUOTE_LENGTH).toWellFormed().trimEnd()}…` : plain}”`;
}

/** Formats a value for a sentence. */
function valueText(value: unknown): string {
  if (value === null || value === undefined) return 'none';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'number') return numberText(value);
  if (typeof value === 'string') return quotedText(value);
  if (Array.isArray(value)) return `${value.length} ${value.length === 1 ? 'entry' : 'entries'}`;
  if (isVector(value)) return vectorText(value);
  const { name, title } = value as { name?: unknown; title?: unknown };
  return valueText(String(name || title || 'set'));
}

/** Boolean fields and the phrase for each value. */
const FLAG_PHRASES: Record<string, readonly [on: string, off: string]> = {
  hidden: ['hidden', 'shown'],
  editable: ['made editable', 'made non-editable'],
};

const inWords = (name: string) => name.replaceAll('_', ' ');
const lower = (words: string) => words.charAt(0).toLowerCase() + words.slice(1);
const upper = (words: string) => words.charAt(0).toUpperCase() + words.slice(1);

/** Labels of a path: its containing setting and its own label without units. */
function fieldLabelsOf(path: string): { group: string; label: string } {
  const names = path.split('.').filter((name) => name !== 'config' && name !== 'type_config');
  const label = lower(labelOf(path).replace(/ \([^()]*\)$/, ''));
  return { group: names.slice(0, -1).map(inWords).join(' '), label };
}

function changeSentence({ subject, path, before, after }: Difference & { kind: 'changed' }): string {
  if (subject && path === 'name') {
    const old = { ...subject, name: String(before ?? '') };
    return `${subjectText(old)} renamed to ${valueText(after)}`;
  }
  const words = subject && FLAG_PHRASES[path];
  if (words) return `${subjectText(subject)} ${after ? words[0] : words[1]}`;
  const { group, label } = fieldLabelsOf(path);
  const [was, is] = [valueText(before), valueText(after)];
  const change = was === is ? 'changed' : `${was} → ${is}`;
  if (subject) return `${subjectText(subject)}: ${group ? `${group} ` : ''}${label} ${change}`;
  return group ? `${upper(group)}: ${label} ${change}` : `${upper(label)} ${change}`;
}

const into = (parent: Subject | null) => (parent ? `into ${subjectText(parent)}` : 'to the top level');

/**
 * A difference in one line without a period: `“Portrait” moved from 0, 0, 0 to 10, 0, 0`. Long texts are truncated, markup
 * is stripped, angles are in degrees.
 */
export function sentenceOf(difference: Difference): string {
  const { kind } = difference;
  switch (kind) {
    case 'added':
    case 'removed': {
      const { subject, parent, inside } = difference;
      const place = parent ? (kind === 'added' ? ` to ${subjectText(parent)}` : ` from ${subjectText(parent)}`) : '';
      const others = inside === 0 ? '' : `, with ${inside} ${inside === 1 ? 'child element' : 'child elements'}`;
      return `${subjectText(subject)} ${kind}${place}${others}`;
    }
    case 'put':
      return `${subjectText(difference.subject)} moved ${into(difference.after)}${
        difference.before ? `, out of ${subjectText(difference.before)}` : ''
      }`;
    case 'ordered':
      return `${subjectText(difference.subject)} reordered from position ${difference.before} to ${difference.after}${
        difference.parent ? ` in ${subjectText(difference.parent)}` : ''
      }`;
    case 'moved':
    case 'turned':
    case 'scaled': {
      const text = (vector: Vector) => (kind === 'turned' ? vectorText(vector, DEGREES, '°') : vectorText(vector));
      return `${subjectText(difference.subject)} ${kind} from ${text(difference.before)} to ${text(difference.after)}`;
    }
    case 'changed':
      return changeSentence(difference);
  }
}
