import { mergeFields, type RoomCommand } from './commands.ts';
import { flatElementSchema } from './element.ts';
import { type ByPath, changedPaths, fieldsByPath, isRecord } from './field-paths.ts';
import { type Room, roomFieldsSchema } from './room.ts';
import { findElement } from './tree.ts';

/** Maximum length of the text to find and of its replacement. */
export const MAX_FIND = 1000;

/** Last names of the paths of texts that people read. */
const LINES: ReadonlySet<string> = new Set([
  'name',
  'title',
  'sub_title',
  'text',
  'author',
  'date',
  'alt',
  'success_message',
]);
const HTML: ReadonlySet<string> = new Set(['body', 'content', 'description', 'timed_popup_text']);

/** Whether a text is plain or HTML; undefined for other values, such as names of events. */
export function kindOfText(path: readonly string[]): 'plain' | 'html' | undefined {
  const name = path.at(-1)!;
  if (HTML.has(name)) return 'html';
  const isEventName = name === 'name' && path.at(-2) === 'type_config';
  return LINES.has(name) && !isEventName ? 'plain' : undefined;
}

/** What to find. The text is literal: `.` and `*` stand for themselves. */
export interface TextQuery {
  text: string;
  matchCase: boolean;
  wholeWords: boolean;
}

/** A text of a room with matches. */
export interface FoundText {
  /** Element ID; null for the room itself. */
  id: number | null;
  /** Path of the field in the element or room, such as `config.title`. */
  path: string;
  /** Number of matches. */
  count: number;
  /** The first match, with the text around it. */
  before: string;
  match: string;
  after: string;
}

/** A replacement in a room. */
export interface TextReplacement {
  commands: RoomCommand[];
  /** Number of replaced matches. */
  count: number;
  /** Texts that would break a limit. They stay as they are. */
  refused: { id: number | null; path: string; message: string }[];
}

/** Characters around a match in an excerpt. */
const AROUND = 30;

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
const inHtml = (text: string): string => text.replace(/[&<>]/g, (sign) => ENTITIES[sign]!);

/** A pattern of a literal text. In HTML, spaces may be entities. */
function patternOf({ text, matchCase, wholeWords }: TextQuery, kind: 'plain' | 'html'): RegExp {
  const literal = (kind === 'html' ? inHtml(text) : text).replace(/[\^$\\.*+?()[\]{}|/]/g, String.raw`\$&`);
  const spaced = kind === 'html' ? literal.replace(/[ \u00A0]/g, '(?:[ \u00A0]|&nbsp;)') : literal;
  const whole = wholeWords ? String.raw`(?<![\p{L}\p{M}\p{N}_])${spaced}(?![\p{L}\p{M}\p{N}_])` : spaced;
  return new RegExp(whole, matchCase ? 'gu' : 'giu');
}

/** Splits HTML into texts and tags, alternately; a text is first. */
function runsOf(html: string): string[] {
  const runs: string[] = [];
  let start = 0;
  for (let at = html.indexOf('<'); at >= 0; at = html.indexOf('<', start)) {
    runs.push(html.slice(start, at));
    let quote = '';
    let end = at + 1;
    for (; end < html.length && (quote !== '' || html[end] !== '>'); end++) {
      const sign = html[end]!;
      if (quote === sign) quote = '';
      else if (quote === '' && (sign === '"' || sign === "'")) quote = sign;
    }
    runs.push(html.slice(at, end + 1));
    start = end + 1;
  }
  runs.push(html.slice(start));
  return runs;
}

const textsIn = (value: string, kind: 'plain' | 'html'): string[] =>
  kind === 'plain' ? [value] : runsOf(value).filter((_, index) => index % 2 === 0);

/** Replaces matches, outside of tags. */
function replaced(value: string, kind: 'plain' | 'html', query: TextQuery, replacement: string): string {
  const pattern = patternOf(query, kind);
  const inserted = kind === 'html' ? inHtml(replacement) : replacement;
  const replace = (text: string) => text.replace(pattern, () => inserted);
  if (kind === 'plain') return replace(value);
  return runsOf(value)
    .map((run, index) => (index % 2 === 0 ? replace(run) : run))
    .join('');
}

/** Visits the texts of a value, and builds the value with the texts that the visitor returns. */
function mapTexts(
  value: unknown,
  path: readonly string[],
  visit: (text: string, kind: 'plain' | 'html', path: readonly string[]) => string,
): unknown {
  if (typeof value === 'string') {
    const kind = value === '' ? undefined : kindOfText(path);
    return kind ? visit(value, kind, path) : value;
  }
  if (Array.isArray(value)) {
    const mapped = value.map((each) => mapTexts(each, path, visit));
    return mapped.every((each, index) => each === value[index]) ? value : mapped;
  }
  if (!isRecord(value)) return value;
  const mapped = Object.entries(value).map(([name, each]) => [name, mapTexts(each, [...path, name], visit)] as const);
  return mapped.every(([name, each]) => each === value[name]) ? value : Object.fromEntries(mapped);
}

/** The parts of a room that contain texts: itself, and each element. */
function* partsOf({ elements, config, name, title, description }: Room) {
  yield { id: null, fields: { name, title, description, config } };
  for (const { id, name: elementName, config: settings } of elements)
    yield { id, fields: { name: elementName, config: settings } };
}

const isUsable = ({ text }: TextQuery): boolean => text.trim() !== '' && text.length <= MAX_FIND;

/** Finds a text in all texts of a room, in the order of its elements. */
export function findTexts(room: Room, query: TextQuery): FoundText[] {
  const found: FoundText[] = [];
  if (!isUsable(query)) return found;
  for (const { id, fields } of partsOf(room))
    mapTexts(fields, [], (value, kind, path) => {
      const hits = textsIn(value, kind).flatMap((text) =>
        [...text.matchAll(patternOf(query, kind))].map((match) => ({ text, match })),
      );
      const [first] = hits;
      if (first) {
        const { text, match } = first;
        const end = match.index + match[0].length;
        found.push({
          id,
          path: path.join('.'),
          count: hits.length,
          before: text.slice(Math.max(0, match.index - AROUND), match.index),
          match: match[0],
          after: text.slice(end, end + AROUND),
        });
      }
      return value;
    });
  return found;
}

/**
 * Replaces a text in all texts of a room, or in one of them. Tags of HTML stay as they are.
 * @param only the text to change; all of them by default
 */
export function replaceTexts(
  room: Room,
  query: TextQuery,
  replacement: string,
  only?: Pick<FoundText, 'id' | 'path'>,
): TextReplacement {
  const result: TextReplacement = { commands: [], count: 0, refused: [] };
  if (!isUsable(query)) return result;
  for (const { id, fields } of partsOf(room)) {
    if (only && only.id !== id) continue;
    let count = 0;
    const mapped = mapTexts(fields, [], (value, kind, path) => {
      if (only && only.path !== path.join('.')) return value;
      const next = replaced(value, kind, query, replacement);
      if (next !== value)
        count += textsIn(value, kind).reduce((sum, text) => sum + [...text.matchAll(patternOf(query, kind))].length, 0);
      return next;
    });
    if (count === 0) continue;
    const changed: ByPath = changedPaths(fields, mapped as object);
    const edit = fieldsByPath(changed);
    const read =
      id === null
        ? roomFieldsSchema.safeParse(mergeFields(room, edit))
        : flatElementSchema.safeParse(mergeFields(findElement(room.elements, id)!, edit));
    if (!read.success) {
      const [issue] = read.error.issues;
      result.refused.push({ id, path: issue!.path.join('.'), message: issue!.message });
      continue;
    }
    result.commands.push(
      id === null ? { type: 'room.update', fields: edit } : { type: 'element.update', id, fields: edit },
    );
    result.count += count;
  }
  return result;
}
