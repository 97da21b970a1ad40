import type { z } from 'zod';
import { DOCUMENT_VERSION } from '../../../../engine/document/constants.ts';
import { ROOM_LINKS } from '../../../../engine/document/remap.ts';
import { type Room, roomFieldsSchema } from '../../../../engine/document/room.ts';
import type { RoomConfig } from '../../../../engine/document/room-config.ts';
import type { HtmlCleaner } from '../../core/files/workers/clean-ahead.ts';
import type { Files } from '../media/queries.ts';
import { cleanLink } from './element-html.ts';
import type { StoredRoom } from './rooms-repository.ts';

/** Fields of a room besides its elements. */
export type RoomFields = z.output<typeof roomFieldsSchema>;

/** A stored room without its elements and template, with the address of its marker file filled in. */
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
    config: { ...config, realtime_file: file, ...(file && { realtime_file_url: file.url }) },
  };
}

/** Settings of a room without what follows from its marker's file: that is not stored. */
export const configWithoutFile = (config: RoomConfig): RoomConfig => ({
  ...config,
  realtime_file: null,
  realtime_file_url: config.realtime_file_id === null ? config.realtime_file_url : '',
});

/** Columns of checked room fields. */
export const columnsOfRoom = ({ config, angle, ...fields }: RoomFields) => ({
  ...fields,
  version: DOCUMENT_VERSION,
  angle: angle && JSON.stringify(angle),
  config: JSON.stringify(configWithoutFile(config)),
});

/**
 * Reads the fields of a room: defaults filled in, HTML made safe, the name following the title where it is empty.
 * @param html makes HTML safe
 * @throws ZodError naming what is wrong by its path
 */
export function readRoomFields(input: unknown, html: HtmlCleaner): RoomFields {
  const fields = roomFieldsSchema.parse(input);
  const links = ROOM_LINKS.map((name) => [name, cleanLink(fields.config[name], html)]);
  // Making HTML safe can make it longer, so its bounds are checked on what is stored.
  return roomFieldsSchema.parse({
    ...fields,
    name: fields.name || fields.title,
    description: html.page(fields.description),
    config: {
      ...fields.config,
      ...Object.fromEntries(links),
      timed_popup_text: html.page(fields.config.timed_popup_text),
    },
  });
}
