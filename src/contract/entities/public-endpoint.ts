import { z } from 'zod';
import { id, line } from '../../../engine/document/fields.ts';
import { imageSheetSchema } from '../../../engine/document/image-sheet.ts';
import { publicRoomSchema } from './room.ts';

export interface PublicEndpointRow {
  id: number;
  name: string;
  slug: string;
  path: string;
  is_protected: boolean;
  language?: string | undefined;
  children: PublicEndpointRow[];
}
export const publicEndpointRowSchema: z.ZodType<PublicEndpointRow> = z.object({
  id,
  name: line(),
  slug: line(),
  path: z.string().describe('Public path, such as /museum/east-wing.'),
  is_protected: z.boolean(),
  language: z.string().optional().describe('Language of the name, if it is translated.'),
  children: z.array(z.lazy((): z.ZodType<PublicEndpointRow> => publicEndpointRowSchema)),
});

/** A structure as sent to visitors: its room and the clock for playback. */
export const publicEndpointSchema = z.object({
  id,
  name: line(),
  slug: line(),
  path: z.string().describe('Public path.'),
  is_timed: z.boolean(),
  show_countdown: z.boolean(),
  start_date: z.string().nullable().describe('Start date, YYYY-MM-DD; null to start daily.'),
  start_time: z.string().nullable(),
  start_time_utc_offset: z.int().nullable().describe('UTC minus local time in minutes, if there is no time zone.'),
  time_zone: z.string().nullable().describe('IANA time zone of the start time; null for a fixed offset.'),
  is_protected: z.boolean(),
  accent_color: z.string().nullable().describe('Own color of buttons and marks; null to inherit it.'),
  current_time: z.number().describe('Server time in seconds since 1970, UTC.'),
  opens_at: z
    .number()
    .nullable()
    .describe(
      'Opening time of a structure with a countdown, in seconds since 1970, UTC; null once open, or without a countdown.',
    ),
  access_ends_at: z
    .number()
    .nullable()
    .describe("End of the visitor's access in seconds since 1970, UTC; null if the structure isn't protected."),
  image_sheets: z
    .array(imageSheetSchema)
    .optional()
    .describe('Sheets of small images, those near the start first. Only for a space with more than 40 images.'),
  language: z
    .string()
    .optional()
    .describe('Language of the texts in the space, as BCP 47 tag; left out if the space states none.'),
  languages: z
    .array(z.string())
    .optional()
    .describe('Languages in which visitors can read the space, its main one first; left out for fewer than two.'),
  name_language: z
    .string()
    .optional()
    .describe('Language of the name, if it is translated; otherwise it is in the main language.'),
  untranslated: z
    .int()
    .optional()
    .describe('Number of texts that are only available in the main language; left out for none.'),
  room: publicRoomSchema.nullable().describe('The space; null before the opening time, or if there is none.'),
});
export type PublicEndpoint = z.output<typeof publicEndpointSchema>;
