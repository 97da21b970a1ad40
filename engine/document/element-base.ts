import { z } from 'zod';
import { MAX_OUT_OF_SYNC, PROXIMITY_DISTANCE } from './constants.ts';
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
  timeOfDay,
  timeZone,
  utcOffset,
} from './fields.ts';
import { realtimeFields } from './room-config.ts';

/** Config fields of every element. */
const sharedConfig = {
  proximity_sensor: z.boolean().default(false).describe('Whether it plays only for a visitor nearby.'),
  proximity_sensor_audio_only: z.boolean().default(false).describe('Whether the distance changes only the volume.'),
  proximity_sensor_distance: length
    .default(PROXIMITY_DISTANCE)
    .describe('Distance at which it falls silent, in units.'),
  timed: z.boolean().default(false).describe("Whether it follows the room's time."),
  timed_max_out_of_sync: z
    .number()
    .min(0)
    .max(3600)
    .default(MAX_OUT_OF_SYNC)
    .describe('Seconds it may run ahead or behind before it jumps to the right moment.'),
  ...realtimeFields,
};

/** Text alternative of elements that show or play something. */
export const alternativeFields = {
  alt: line(1000)
    .default('')
    .describe('Alternative text for people who can’t see or hear it. Empty to use the title or name.'),
  decorative: z.boolean().default(false).describe('Whether it is decoration that screen readers skip.'),
};

/** Seconds of the element's local day; `from` inclusive, `till` exclusive; `till` before `from` crosses midnight. */
export const visibleBetween = z.object({
  from: z.number().min(0).max(86_400).describe('Second of the day from which it is visible.'),
  till: z.number().min(0).max(86_400).describe('Second of the day from which it is hidden again.'),
});
export type VisibleBetween = z.output<typeof visibleBetween>;

const elementFields = {
  id: id.describe('Id of the element, unique in its room.'),
  name: line().default('').describe('Name in the editor and for screen readers.'),
  parent_element_id: optional(id).describe('Group that holds it; null at the top.'),
  index: z
    .string()
    .regex(/^[A-Za-z0-9]*$/)
    .max(200)
    .default('')
    .describe(
      'Key that orders it among its siblings, bytewise. The server assigns it; lists say the same by their order.',
    ),
  hidden: z.boolean().default(false).describe('Whether it is left out of the room.'),
  editable: z.boolean().default(true).describe('Whether it may be selected and changed.'),
  file: optional(fileReference).describe('Media file behind file_id.'),
  file_id: optional(id).describe('Media file that it shows or plays.'),
  width: optional(length).describe('Width in units; null follows the content.'),
  height: optional(length).describe('Height in units; null follows the content.'),
  depth: optional(length).describe('Depth in units; null follows the content.'),
  ignore_light: z.boolean().default(false).describe('Whether it is drawn in full brightness.'),
  position_x: coordinate.default(0).describe('Position in its parent, units to the right.'),
  position_y: coordinate.default(0).describe('Position in its parent, units up.'),
  position_z: coordinate.default(0).describe('Position in its parent, units towards the viewer.'),
  rotation_x: radians.default(0).describe('Turn around x in radians (Euler order XYZ).'),
  rotation_y: radians.default(0).describe('Turn around y in radians.'),
  rotation_z: radians.default(0).describe('Turn around z in radians.'),
  scale_x: factor.default(1).describe('Size factor along x.'),
  scale_y: factor.default(1).describe('Size factor along y.'),
  scale_z: factor.default(1).describe('Size factor along z.'),
  start_time: optional(timeOfDay).describe('Time of day from which it is visible, HH:mm.'),
  end_time: optional(timeOfDay).describe('Time of day from which it is hidden, HH:mm.'),
  time_zone: optional(timeZone).describe(
    'IANA time zone of those times, such as Europe/Amsterdam; null for a fixed offset, and without times.',
  ),
  utc_offset: optional(utcOffset).describe(
    'Minutes of UTC minus local time for those times. Follows the time zone where there is one; null without times.',
  ),
  visible_between: optional(visibleBetween).describe(
    'Window of visibility; follows start_time and end_time when they are set.',
  ),
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
export const fileUrl = href.default('').describe('Address of the file.');
