import { mergeFields, type RoomCommand } from './commands.ts';
import { flatElementSchema } from './element.ts';
import { type ByPath, changedPaths, fieldsByPath, isRecord, TRANSLATIONS } from './field-paths.ts';
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
  'long_description',
  'transcript',
  'success_message',
]);
const HTML: ReadonlySet<string> = new Set(['body', 'content', 'description', 'timed_popup_text']);

/** Whether a text is plain or HTML; undefined for other values, such as names of events. */
export function kindOfText(path: readonly string[]): 'plain' | 'html' | undefined {
  const name = path.at(-1)!;
  // A translation is what its source is.
  if (path.at(-3) === TRANSLATIONS)
    return name === 'text' ? kindOfText(path.at(-2)!.split(':').at(-1)!.split('.')) : undefined;
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

const SIGNS: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00A0' };
/** Stands for an entity that the editor doesn't write. It matches nothing. */
const UNKNOWN_SIGN = '\uFFFC';

/** The sign of an entity, without `&` and `;`. */
function signOf(entity: string): string {
  const code = /^#(?:x([\da-f]{1,4})|(\d{1,5}))$/i.exec(entity);
  if (!code) return SIGNS[entity] ?? UNKNOWN_SIGN;
  return String.fromCharCode(code[1] ? Number.parseInt(code[1], 16) : Number(code[2]));
}

/** A decoded text, and the source of each of its characters; null if they are the same. */
interface Reading {
  signs: string;
  written: readonly string[] | null;
}

function readingOf(text: string, kind: 'plain' | 'html'): Reading {
  if (kind === 'plain' || !text.includes('&')) return { signs: text, written: null };
  const written: string[] = [];
  let signs = '';
  let start = 0;
  const take = (plain: string) => {
    signs += plain;
    // By code units, as positions in strings are.
    for (const unit of plain.split('')) written.push(unit);
  };
  for (const match of text.matchAll(/&(#?\w{1,32});/g)) {
    take(text.slice(start, match.index));
    signs += signOf(match[1]!);
    written.push(match[0]);
    start = match.index + match[0].length;
  }
  take(text.slice(start));
  return { signs, written };
}

/** A text for comparison, as long as the text itself. */
function folded(text: string, matchCase: boolean): string {
  const spaced = text.replaceAll('\u00A0', ' ');
  if (matchCase) return spaced;
  const lower = spaced.toLowerCase();
  if (lower.length === spaced.length) return lower;
  const letters = [...spaced].map((letter) => {
    const small = letter.toLowerCase();
    return small.length === letter.length ? small : letter;
  });
  return letters.join('');
}

const isPartOfWord = (sign: string | undefined): boolean => sign !== undefined && /[\p{L}\p{M}\p{N}_]/u.test(sign);

const isWhole = (signs: string, start: number, end: number): boolean =>
  !isPartOfWord([...signs.slice(Math.max(0, start - 2), start)].at(-1)) &&
  !isPartOfWord([...signs.slice(end, end + 2)][0]);

/** Positions of matches in a text as it reads. */
function hitsIn(signs: string, { text, matchCase, wholeWords }: TextQuery): number[] {
  const [within, wanted] = [folded(signs, matchCase), folded(text, matchCase)];
  const hits: number[] = [];
  for (let at = within.indexOf(wanted); at >= 0; ) {
    const isHit = !wholeWords || isWhole(signs, at, at + wanted.length);
    if (isHit) hits.push(at);
    at = within.indexOf(wanted, at + (isHit ? wanted.length : 1));
  }
  return hits;
}

/** Splits HTML into texts and tags, alternately; a text is first. */
export function runsOf(html: string): string[] {
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

/** A text with its matches replaced. */
function withReplaced(text: string, kind: 'plain' | 'html', query: TextQuery, inserted: string): string {
  const { signs, written } = readingOf(text, kind);
  const hits = hitsIn(signs, query);
  if (hits.length === 0) return text;
  const part = (from: number, till?: number) =>
    written ? written.slice(from, till).join('') : signs.slice(from, till);
  const ends = [0, ...hits.map((at) => at + query.text.length)];
  const kept = ends.map((end, nth) => part(end, hits[nth]));
  return kept.join(inserted);
}

/** Replaces matches, outside of tags. */
function replaced(value: string, kind: 'plain' | 'html', query: TextQuery, replacement: string): string {
  const inserted = kind === 'html' ? inHtml(replacement) : replacement;
  const replace = (text: string) => withReplaced(text, kind, query, inserted);
  if (kind === 'plain') return replace(value);
  return runsOf(value)
    .map((run, index) => (index % 2 === 0 ? replace(run) : run))
    .join('');
}

/** Visits the texts of a value, and builds the value with the texts that the visitor returns. */
export function mapTexts(
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
      const hits = textsIn(value, kind).flatMap((text) => {
        const { signs } = readingOf(text, kind);
        return hitsIn(signs, query).map((at) => ({ signs, at }));
      });
      const [first] = hits;
      if (first) {
        const { signs, at } = first;
        const end = at + query.text.length;
        found.push({
          id,
          path: path.join('.'),
          count: hits.length,
          before: signs.slice(Math.max(0, at - AROUND), at),
          match: signs.slice(at, end),
          after: signs.slice(end, end + AROUND),
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
        count += textsIn(value, kind).reduce((sum, text) => sum + hitsIn(readingOf(text, kind).signs, query).length, 0);
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
