import { z } from 'zod';
import { alternativeOf, isDecorative } from './alternative.ts';
import type { RoomCommand, RoomFields } from './commands.ts';
import { type Element, type ElementType, flatElementSchema } from './element.ts';
import { isRecord, isSame, mergeSettings } from './field-paths.ts';
import { type Room, roomFieldsSchema } from './room.ts';
import type { Template } from './template.ts';
import { kindOfText, mapTexts } from './texts.ts';
import { keyOf, partsOfKey, shownTranslation, type Translation, type Translations } from './translation-fields.ts';
import { hashOfText } from './translation-state.ts';
import { findElement } from './tree.ts';

/** A text of a space that visitors read. */
export interface SourceText {
  /** Element ID; null for the space itself. */
  id: number | null;
  /** Path of the field in the element or space, such as `config.title`. */
  path: string;
  kind: 'plain' | 'html';
  text: string;
}

type Texts = Record<string, unknown> & { config: Record<string, unknown> };
const withoutTranslations = ({ translations: _, ...config }: Record<string, unknown>) => config;

/** The fields of a space that contain texts for visitors. */
const roomTexts = ({ title, description, config }: Room): Texts => ({
  title,
  description,
  config: withoutTranslations(config as Record<string, unknown>),
});

/** Types whose names nobody but the editor shows. */
const UNNAMED: ReadonlySet<ElementType> = new Set(['light', 'motion']);

/** Whether visitors get the name of an element: nothing else names it, or it is a plan, whose name is its floor. */
function isNameShown(element: Element): boolean {
  if (UNNAMED.has(element.element) || isDecorative(element)) return false;
  const isPlan = element.element === 'image' && element.config.appearance === 'plan';
  return isPlan || alternativeOf({ ...element, name: '' }) === '';
}

/** The fields of an element that contain texts for visitors. */
function elementTexts(element: Element): Texts {
  const config = withoutTranslations(element.config as Record<string, unknown>);
  return isNameShown(element) ? { name: element.name, config } : { config };
}

/** Whether an author wrote a text, not the platform of a video. */
const isAuthored = (path: readonly string[]): boolean => path[1] !== 'module_video';

/** All texts of a space that visitors read, in the order of its elements. */
export function sourceTexts(room: Room): SourceText[] {
  const found: SourceText[] = [];
  const visit = (id: number | null, fields: Texts) =>
    mapTexts(fields, [], (text, kind, path) => {
      if (text.trim() !== '' && isAuthored(path)) found.push({ id, path: path.join('.'), kind, text });
      return text;
    });
  visit(null, roomTexts(room));
  for (const element of room.elements) visit(element.id, elementTexts(element));
  return found;
}

/** The translations of an element or a space. */
export const translationsOf = (thing: { config: object } | undefined): Translations =>
  (thing?.config as { translations?: Translations } | undefined)?.translations ?? {};

/** An object with a text at a path replaced; undefined if there is no text. */
function withText(value: unknown, [name, ...rest]: readonly string[], text: string): unknown {
  if (name === undefined) return typeof value === 'string' ? text : undefined;
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  const inner = withText((value as Record<string, unknown>)[name], rest, text);
  if (inner === undefined) return undefined;
  return Array.isArray(value) ? value.with(Number(name), inner) : { ...value, [name]: inner };
}

/** The text at a path of an element or a space; undefined if there is none. */
export function textAt(thing: object, path: string): string | undefined {
  let value: unknown = thing;
  for (const name of path.split('.'))
    value = isRecord(value) || Array.isArray(value) ? (value as Record<string, unknown>)[name] : undefined;
  return typeof value === 'string' ? value : undefined;
}

/**
 * Validates and sanitizes translations like the texts that they translate. New ones without a text are dropped; known
 * ones stay, because an undo may bring their text back.
 * @param thing an element, or a space's fields
 * @param read validates and sanitizes it without translations
 * @param known translations that are clean, because they are stored
 * @returns the thing with its cleaned translations
 * @throws ZodError with the path of the translation
 */
export function withCleanTranslations<T extends { config: object }>(
  thing: T,
  read: (thing: T) => T,
  known: Translations = {},
): T {
  const { translations, ...config } = thing.config as { translations?: Translations };
  if (!translations) return thing;
  const bare = { ...thing, config } as T;
  const cleaned: Translations = {};
  for (const [language, own] of Map.groupBy(Object.entries(translations), ([key]) => partsOfKey(key)!.language)) {
    let applied: T = bare;
    const fresh: [key: string, path: string, translation: Translation][] = [];
    for (const [key, translation] of own) {
      if (isSame(known[key], translation)) {
        cleaned[key] = translation;
        continue;
      }
      const { path } = partsOfKey(key)!;
      const names = path.split('.');
      const next = kindOfText(names) && withText(applied, names, translation.text);
      if (next === undefined) continue;
      applied = next as T;
      fresh.push([key, path, translation]);
    }
    if (fresh.length === 0) continue;
    const result = readLanguage(applied, language, read);
    for (const [key, path, translation] of fresh) cleaned[key] = { ...translation, text: textAt(result, path) ?? '' };
  }
  return Object.keys(cleaned).length > 0 ? ({ ...thing, config: { ...config, translations: cleaned } } as T) : bare;
}

function readLanguage<T>(applied: T, language: string, read: (thing: T) => T): T {
  try {
    return read(applied);
  } catch (error) {
    if (!(error instanceof z.ZodError)) throw error;
    const pathOf = (path: PropertyKey[]) => ['config', 'translations', keyOf(language, path.join('.'))];
    throw new z.ZodError(error.issues.map((issue) => ({ ...issue, path: pathOf(issue.path) })));
  }
}

/** Whether a path leads into a list, whose entries may have changed places. */
const isNumbered = (path: readonly string[]): boolean => path.some((name) => /^\d+$/.test(name));

/** A space in a language. */
export interface Translated {
  /** The space without its translations. Texts without one stay in the main language. */
  room: Room;
  /** Texts that stay in the main language; those of the template have its name for an ID. */
  untranslated: (Pick<SourceText, 'path'> & { id: number | 'template' | null })[];
}

/** Whether a language is another than the main one of a space. */
const isTranslated = (room: Room, language: string | undefined): language is string =>
  language !== undefined && language !== room.config.language;

/** The texts of a template that visitors read. */
const TEMPLATE_TEXTS = ['alt', 'long_description'] as const;

/** A template in a language, without its translations. @param language undefined for the main one */
function translatedTemplate(
  template: Template,
  language: string | undefined,
  untranslated: Translated['untranslated'],
): Template {
  const { translations = {}, ...config } = template.config;
  for (const name of TEMPLATE_TEXTS) {
    if (language === undefined || !config[name]?.trim()) continue;
    const text = shownTranslation(translations, language, name);
    if (text === undefined) untranslated.push({ id: 'template', path: `config.${name}` });
    else config[name] = text;
  }
  return { ...template, config };
}

/**
 * A space as visitors see it in a language. Outdated translations are shown; drafts of machines are not.
 * @param language one of its languages; its main one if undefined
 */
export function translatedRoom(room: Room, language?: string): Translated {
  const untranslated: Translated['untranslated'] = [];
  const translate = <T extends { config: object }>(thing: T, id: number | null, texts: Texts): T => {
    const translations = translationsOf(thing);
    const mapped = isTranslated(room, language)
      ? (mapTexts(texts, [], (text, _kind, parts) => {
          const path = parts.join('.');
          const own = translations[keyOf(language, path)];
          if (own && !own.draft && (!isNumbered(parts) || own.source === hashOfText(text))) return own.text;
          if (text.trim() !== '' && isAuthored(parts)) untranslated.push({ id, path });
          return text;
        }) as Texts)
      : texts;
    const hasOwn = 'translations' in thing.config;
    return mapped === texts && !hasOwn ? thing : { ...thing, ...mapped };
  };
  const shown = translate(room, null, roomTexts(room));
  const elements = room.elements.map((element) => translate(element, element.id, elementTexts(element)));
  const template =
    room.template &&
    translatedTemplate(room.template, isTranslated(room, language) ? language : undefined, untranslated);
  return { room: { ...shown, elements, template }, untranslated };
}

/** A key of a text in a map. */
export const textKey = ({ id, path }: Pick<SourceText, 'id' | 'path'>): string => `${id ?? ''} ${path}`;

/** A translated text as it is set: without text, it is removed. */
export interface TranslationEdit extends Pick<SourceText, 'id' | 'path'> {
  text: string;
  draft?: true;
}

/** A translation that can't be set, and why. */
export interface RefusedTranslation extends Pick<SourceText, 'id' | 'path'> {
  message: string;
}

/** A translated text with its source. */
type SourcedEdit = TranslationEdit & { source: string };

/**
 * The command that sets translations of one element, or of a space itself, with the hashes of their sources.
 * @param edits texts of this element or space
 * @returns the command, null without a change; and the refused edits
 */
export function translationCommand(
  thing: Room | Element,
  language: string,
  edits: readonly SourcedEdit[],
): { command: RoomCommand | null; refused: RefusedTranslation[] } {
  const asTranslation = ({ text, source, draft }: SourcedEdit): Translation | null =>
    text.trim() === '' ? null : { text, source: hashOfText(source), ...(draft && { draft }) };
  const all = Object.fromEntries(edits.map((edit) => [keyOf(language, edit.path), asTranslation(edit)]));
  const refused: RefusedTranslation[] = [];
  let translations: Record<string, Translation | null> = all;
  // Usually all of them fit; otherwise, those that do.
  if (problemOf(thing, all) !== null) {
    translations = {};
    for (const { id, path } of edits) {
      const key = keyOf(language, path);
      const message = problemOf(thing, { ...translations, [key]: all[key]! });
      if (message === null) translations[key] = all[key]!;
      else refused.push({ id, path, message });
    }
  }
  if (Object.keys(translations).length === 0) return { command: null, refused };
  const fields = { config: { translations } };
  const command: RoomCommand =
    'element' in thing
      ? { type: 'element.update', id: thing.id, fields }
      : { type: 'room.update', fields: fields as RoomFields };
  return { command, refused };
}

/**
 * Commands that set translations of a space, with the hashes of the current source texts.
 * @returns one command per element, and the refused edits, such as those of texts that the space doesn't have
 */
export function translationCommands(
  room: Room,
  language: string,
  edits: readonly TranslationEdit[],
): { commands: RoomCommand[]; refused: RefusedTranslation[] } {
  const sources = new Map(sourceTexts(room).map((source) => [textKey(source), source.text]));
  const commands: RoomCommand[] = [];
  const refused: RefusedTranslation[] = [];
  for (const [id, own] of Map.groupBy(edits, (edit) => edit.id)) {
    const sourced = own.flatMap((edit) => ({ ...edit, source: sources.get(textKey(edit)) ?? null }));
    const known = sourced.filter((edit): edit is SourcedEdit => edit.source !== null);
    for (const { path, source } of sourced)
      if (source === null) refused.push({ id, path, message: "The space doesn't have this text." });
    if (known.length === 0) continue;
    const result = translationCommand(id === null ? room : findElement(room.elements, id)!, language, known);
    if (result.command) commands.push(result.command);
    refused.push(...result.refused);
  }
  return { commands, refused };
}

/** Why translations don't fit their fields or the limits; null if they do. */
function problemOf(thing: Room | Element, translations: Record<string, Translation | null>): string | null {
  const schema: z.ZodType = 'element' in thing ? flatElementSchema : roomFieldsSchema;
  const parse = <T>(each: T) => schema.parse(each) as T;
  try {
    const edited = { ...thing, config: mergeSettings(thing.config, { translations }) };
    withCleanTranslations(parse(edited) as { config: object }, parse, translationsOf(thing));
    return null;
  } catch (error) {
    if (!(error instanceof z.ZodError)) throw error;
    return error.issues[0]!.message;
  }
}
