import type { Insertable, Selectable } from 'kysely';
import type { z } from 'zod';
import { detached } from '../../../../engine/document/blocks.ts';
import { DOCUMENT_VERSION } from '../../../../engine/document/constants.ts';
import { ELEMENT_TYPES, type Element, flatElementSchema } from '../../../../engine/document/element.ts';
import type { Link, Navigation } from '../../../../engine/document/navigation.ts';
import { ROOM_LINKS } from '../../../../engine/document/remap.ts';
import { type Room, roomFieldsSchema } from '../../../../engine/document/room.ts';
import type { RoomConfig } from '../../../../engine/document/room-config.ts';
import type { Translations } from '../../../../engine/document/translation-fields.ts';
import { type Translated, translatedRoom, withCleanTranslations } from '../../../../engine/document/translations.ts';
import { shownElements } from '../../../../engine/document/tree.ts';
import { withOffset } from '../../../../engine/document/window.ts';
import type { ElementRow } from '../../../contract/entities.ts';
import type { HtmlCleaner } from '../../core/files/workers/clean-ahead.ts';
import type { Files } from '../media/queries.ts';
import type { StoredRoom } from './queries.ts';
import type { ElementTable } from './table.ts';

/** A navigation with sanitized HTML. */
const cleanNavigation = (navigation: Navigation, html: HtmlCleaner): Navigation =>
  navigation.type === 'modal_content'
    ? {
        ...navigation,
        type_config: { ...navigation.type_config, content: html.page(navigation.type_config.content) },
      }
    : navigation;

/** A link with sanitized HTML. */
const cleanLink = (link: Link | null, html: HtmlCleaner): Link | null =>
  link && { ...link, navigation: cleanNavigation(link.navigation, html) };

/** A validated element with sanitized HTML. */
export function cleanElement<T extends Element>(element: T, html: HtmlCleaner): T {
  const config: Record<string, unknown> = { ...element.config };
  if (element.element === 'html') config.body = html.page(element.config.body);
  if (element.element === 'rich_text') config.body = html.richText(element.config.body);
  if ('navigation' in element.config) config.navigation = cleanNavigation(element.config.navigation, html);
  return { ...element, config };
}

const POSITIONS = ['position_x', 'position_y', 'position_z'] as const;

/** Floors an element's positions to integers. */
export function withWholePosition<T extends { [P in (typeof POSITIONS)[number]]?: number | undefined }>(fields: T): T {
  const whole = { ...fields };
  for (const name of POSITIONS) {
    const value = whole[name];
    if (value !== undefined) whole[name] = Math.floor(value) as T[typeof name];
  }
  return whole;
}

/**
 * A room for visitors, in a language: without hidden elements and back-office fields; places of blocks are groups.
 * @param language one of its languages; its main one if undefined
 */
export function publicRoom(room: Room, language?: string): Translated {
  const visible = { ...room, elements: shownElements(room.elements).map(detached) };
  const { room: shown, untranslated } = translatedRoom(visible, language);
  const template = shown.template && { ...shown.template, name: 'Template', description: '' };
  return { room: { ...shown, name: shown.title, template }, untranslated };
}

/** A room's fields without its elements. */
export type RoomFields = z.output<typeof roomFieldsSchema>;

/** A stored room without its elements and template, with the URL of its marker file. */
export function roomFromRow(row: StoredRoom, files: Files): Omit<Room, 'elements' | 'template'> {
  const config: RoomConfig = JSON.parse(row.config);
  const file = config.realtime_file_id === null ? null : (files.get(config.realtime_file_id) ?? null);
  return {
    version: DOCUMENT_VERSION,
    id: row.id,
    name: row.name,
    title: row.title,
    description: row.description,
    template_id: row.template_id,
    width: row.width,
    height: row.height,
    depth: row.depth,
    angle: row.angle === null ? null : JSON.parse(row.angle),
    config: {
      ...config,
      // Rows of earlier versions lack it.
      start_view_point_id: config.start_view_point_id ?? null,
      realtime_file: file,
      ...(file && { realtime_file_url: file.url }),
    },
  };
}

/** A room's settings without fields derived from its marker file, which are not stored. */
export const configWithoutFile = (config: RoomConfig): RoomConfig => ({
  ...config,
  realtime_file: null,
  realtime_file_url: config.realtime_file_id === null ? config.realtime_file_url : '',
});

/** Columns of validated room fields. */
export const columnsOfRoom = ({ config, angle, ...fields }: RoomFields) => ({
  ...fields,
  version: DOCUMENT_VERSION,
  angle: angle && JSON.stringify(angle),
  config: JSON.stringify(configWithoutFile(config)),
});

/**
 * Validates a room's fields: fills in defaults, sanitizes HTML, and defaults an empty name to the title.
 * @param html sanitizes HTML
 * @param known stored translations of the room itself, which are clean
 * @throws ZodError naming invalid paths
 */
export function readRoomFields(input: unknown, html: HtmlCleaner, known?: Translations): RoomFields {
  const fields = roomFieldsSchema.parse(input);
  const links = ROOM_LINKS.map((name) => [name, cleanLink(fields.config[name], html)]);
  // Sanitizing can make HTML longer, so limits are checked on the result.
  const read = roomFieldsSchema.parse({
    ...fields,
    name: fields.name || fields.title,
    description: html.page(fields.description),
    config: {
      ...fields.config,
      ...Object.fromEntries(links),
      timed_popup_text: html.page(fields.config.timed_popup_text),
    },
  });
  return withCleanTranslations(read, (translated) => readRoomFields(translated, html), known);
}

export type StoredElement = Selectable<ElementTable>;

/** Columns of a validated element, without its place in the tree and its owner. */
type ElementColumns = Pick<Insertable<ElementTable>, 'element' | 'name' | 'file_id' | 'body'> & {
  block_id: number | null;
  block_version: number | null;
  hidden: number;
};

/** Default settings by element type. */
const CONFIG_DEFAULTS = Object.fromEntries(
  ELEMENT_TYPES.map((element) => [element, flatElementSchema.parse({ id: 1, element }).config]),
) as Record<string, Element['config']>;

/** Settings of a stored element with defaults for those that its row lacks, because an earlier version wrote it. */
function completeConfig(type: string, config: Element['config']): Element['config'] {
  const missing = Object.entries(CONFIG_DEFAULTS[type] ?? {}).filter(([name]) => !(name in config));
  return missing.length === 0 ? config : { ...config, ...structuredClone(Object.fromEntries(missing)) };
}

/** A stored element as in a document, with the URL of its file. */
export function elementFromRow(row: StoredElement, files: Files): Element {
  const { config, ...body } = JSON.parse(row.body);
  const element = {
    ...body,
    // Rows of earlier versions lack these. Other rows keep their field order, which import marks depend on.
    ...(body.time_zone === undefined && { time_zone: null }),
    ...(body.visible_at === undefined && { visible_at: [] }),
    id: row.id,
    element: row.element,
    name: row.name,
    parent_element_id: row.parent_element_id,
    index: row.index,
    hidden: row.hidden === 1,
    file_id: row.file_id,
    file: null,
    config: completeConfig(row.element, config),
  };
  return withFile(element as Element, files);
}

/** An element with its file's URL and video type filled in. */
export function withFile(element: Element, files: Files): Element {
  const { config, file_id } = element;
  const file = file_id === null ? null : (files.get(file_id) ?? null);
  if (!file) return { ...element, file } as Element;
  const filled = {
    ...('file_url' in config && { file_url: file.url }),
    ...('mime' in config && { mime: file.mime ?? '' }),
  };
  return { ...element, file, config: { ...config, ...filled } } as Element;
}

/** A stored element as in API responses. @param now seconds since 1970 */
export const asElementRow = (row: StoredElement, files: Files, now: number): ElementRow => ({
  ...withOffset(elementFromRow(row, files), now),
  room_id: row.room_id,
  updated_at: row.updated_at,
});

/** An element without fields derived from its file, which are not stored. */
export function withoutFile<T extends Element>(element: T): T {
  const { file_id, config } = element;
  const emptied = {
    ...(file_id !== null && 'file_url' in config && { file_url: '' }),
    ...(file_id !== null && 'mime' in config && { mime: '' }),
  };
  return { ...element, file: null, config: { ...config, ...emptied } };
}

/** Columns of a validated element. */
export function elementColumnsOf(element: Element): ElementColumns {
  const { id, element: type, name, parent_element_id, index, hidden, file_id, file, ...body } = withoutFile(element);
  const { block_id = null, block_version = null } = element.element === 'group' ? element.config : {};
  const block = { block_id, block_version };
  return { element: type, name, hidden: Number(hidden), file_id, ...block, body: JSON.stringify(body) };
}
