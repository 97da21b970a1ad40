import { z } from 'zod';
import { MAX_OUT_OF_SYNC, MAX_VISIBLE_AT, PROXIMITY_DISTANCE } from './constants.ts';
import {
  coordinate,
  factor,
  fileReference,
  href,
  id,
  length,
  line,
  optional,
  radians,
  text,
  timeOfDay,
  timeZone,
  utcOffset,
} from './fields.ts';
import { realtimeFields } from './room-config.ts';
import { translatedFields } from './translation-fields.ts';

/** Config fields of every element. */
export const sharedConfig = {
  proximity_sensor: z.boolean().default(false).describe('Whether media play only for nearby visitors.'),
  proximity_sensor_audio_only: z.boolean().default(false).describe('Whether the distance affects only the volume.'),
  proximity_sensor_distance: length
    .default(PROXIMITY_DISTANCE)
    .describe('Distance in units beyond which media are silent.'),
  timed: z.boolean().default(false).describe("Whether playback follows the room's timed sequence."),
  timed_max_out_of_sync: z
    .number()
    .min(0)
    .max(3600)
    .default(MAX_OUT_OF_SYNC)
    .describe('Maximum drift from the room time in seconds, before playback seeks.'),
  ...realtimeFields,
  ...translatedFields,
};

/** Text alternative of elements that show or play something. */
export const alternativeFields = {
  alt: line(1000).default('').describe('Alternative text for screen readers. Defaults to the title or name.'),
  decorative: z.boolean().default(false).describe('Whether the element is decorative, so that screen readers skip it.'),
  long_description: text(10_000)
    .default('')
    .describe("Detailed description for people who can't see it, shown on request."),
};

/** Text of elements that play recorded speech. */
export const spokenFields = {
  transcript: text(50_000).default('').describe('Transcript of speech and other audio, shown on request.'),
};

/** Playback settings of elements that play a media file. */
export const playedFields = {
  even_loudness: z
    .boolean()
    .default(true)
    .describe('Whether a media file is played at the same loudness as others. Other sources are played as they are.'),
};

/** Seconds of the element's local day; `from` inclusive, `till` exclusive; `till` before `from` crosses midnight. */
export const visibleBetween = z.object({
  from: z.number().min(0).max(86_400).describe('Start of visibility, in seconds of the day.'),
  till: z.number().min(0).max(86_400).describe('End of visibility, in seconds of the day.'),
});
export type VisibleBetween = z.output<typeof visibleBetween>;

const elementFields = {
  id: id.describe('Element ID, unique in its room.'),
  name: line().default('').describe('Name, shown in the editor and read by screen readers.'),
  parent_element_id: optional(id).describe('Parent group; null at the top level.'),
  index: z
    .string()
    .regex(/^[A-Za-z0-9]*$/)
    .max(200)
    .default('')
    .describe('Sort key among its siblings, compared bytewise. Assigned by the server; lists are in this order.'),
  hidden: z.boolean().default(false).describe('Whether the element is hidden.'),
  editable: z.boolean().default(true).describe('Whether the element can be selected and edited.'),
  file: optional(fileReference).describe('Media file of file_id.'),
  file_id: optional(id).describe('Media file to show or play.'),
  width: optional(length).describe('Width in units; null to fit the content.'),
  height: optional(length).describe('Height in units; null to fit the content.'),
  depth: optional(length).describe('Depth in units; null to fit the content.'),
  ignore_light: z
    .boolean()
    .default(false)
    .describe('Whether the element ignores lights and renders at full brightness.'),
  position_x: coordinate.default(0).describe('Position relative to the parent along x (right), in units.'),
  position_y: coordinate.default(0).describe('Position relative to the parent along y (up), in units.'),
  position_z: coordinate.default(0).describe('Position relative to the parent along z (toward the viewer), in units.'),
  rotation_x: radians.default(0).describe('Rotation around x in radians (Euler order XYZ).'),
  rotation_y: radians.default(0).describe('Rotation around y in radians.'),
  rotation_z: radians.default(0).describe('Rotation around z in radians.'),
  scale_x: factor.default(1).describe('Scale along x.'),
  scale_y: factor.default(1).describe('Scale along y.'),
  scale_z: factor.default(1).describe('Scale along z.'),
  start_time: optional(timeOfDay).describe('Time of day when the element is shown, HH:mm.'),
  end_time: optional(timeOfDay).describe('Time of day when the element is hidden, HH:mm.'),
  time_zone: optional(timeZone).describe(
    'IANA time zone of start_time and end_time, such as Europe/Amsterdam; null for a fixed offset or without times.',
  ),
  utc_offset: optional(utcOffset).describe(
    'UTC minus local time of start_time and end_time, in minutes. Derived from the time zone, if set; null without times.',
  ),
  visible_at: z
    .array(id)
    .max(MAX_VISIBLE_AT, `Choose at most ${MAX_VISIBLE_AT} view points.`)
    .default([])
    .describe(
      'IDs of the view points at which the element is visible; empty for everywhere. With IDs, it is hidden while no view point is current. A group limits its children too.',
    ),
  visible_between: optional(visibleBetween).describe('Visibility window, derived from start_time and end_time if set.'),
};

/**
 * Schema of one element type, without children.
 * @param type the element type
 * @param fields the type's own config fields
 */
export const elementOf = <T extends string, S extends z.ZodRawShape>(type: T, fields: S) =>
  z.object({
    ...elementFields,
    element: z.literal(type).describe('Element type.'),
    config: z
      .object({ ...sharedConfig, ...fields })
      .prefault({} as never)
      .describe('Settings of this element type.'),
  });

/** URL of the element's file; the server derives it from `file_id`. */
export const fileUrl = href.default('').describe('File URL.');
