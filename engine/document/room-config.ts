import { z } from 'zod';
import { cameraSchema } from './camera.ts';
import { factor, fileReference, hexColor, href, html, id, length, optional, radians } from './fields.ts';
import { linkSchema } from './navigation.ts';

const factors = (fallback: number) =>
  z
    .object({
      x: factor.default(fallback).describe('Size factor along x.'),
      y: factor.default(fallback).describe('Size factor along y.'),
      z: factor.default(fallback).describe('Size factor along z.'),
    })
    .prefault({});
const angles = z
  .object({
    x: radians.default(0).describe('Turn around x in radians.'),
    y: radians.default(0).describe('Turn around y in radians.'),
    z: radians.default(0).describe('Turn around z in radians.'),
  })
  .prefault({});

/** Appearance of a visitor's marker, for rooms and elements. */
export const realtimeFields = {
  realtime: z.boolean().default(false).describe('Whether other visitors are shown, or the element follows them.'),
  realtime_file_url: href.default('').describe('Model drawn for each visitor; empty draws a disc.'),
  realtime_scale: factors(1).describe('Size factor of that model.'),
  realtime_rotate: angles.describe(
    'Turn of that model in radians. What then lies along −z is its front, which looks where its visitor does.',
  ),
};

export const roomConfigSchema = z
  .object({
    camera: cameraSchema.describe('Where the visitor starts and how the camera may move.'),
    ambient_light: z.number().min(0).max(20).default(1).describe('Strength of the light from everywhere.'),
    fog: z
      .object({
        enabled: z.boolean().default(false).describe('Whether distance fades to a color.'),
        color: hexColor.default('#FFFFFF').describe('Color that distance fades to.'),
        near: length.default(1).describe('Distance at which fog begins, in units.'),
        far: length.default(6000).describe('Distance at which nothing else is seen, in units.'),
      })
      .prefault({})
      .describe('Fog.'),
    pixelratio: optional(z.number().min(0.1).max(4)).describe('Drawn pixels per CSS pixel; null follows the device.'),
    animate: z.boolean().default(false).describe("Whether the room model's animations play."),
    ...realtimeFields,
    realtime_file: optional(fileReference).describe('Media file behind realtime_file_id.'),
    realtime_file_id: optional(id).describe('Media file drawn for each visitor.'),
    duration: optional(z.number().positive().max(31_536_000)).describe(
      'Seconds of the timed sequence; null: not timed.',
    ),
    show_start_popup: z.boolean().default(false).describe('Whether the description is shown on entering.'),
    show_timed_timer: z
      .enum(['top_left', 'top_right', 'bottom_left', 'bottom_right', 'off'])
      .default('off')
      .describe('Corner of the countdown.'),
    show_timed_popup: z.boolean().default(false).describe('Whether the timed pop-up opens.'),
    timed_popup_offset: z
      .number()
      .min(0)
      .max(31_536_000)
      .default(0)
      .describe('Seconds after the start at which it opens.'),
    timed_popup_text: html(200_000).default('').describe('HTML of the timed pop-up.'),
    timed_popup_action_left: optional(linkSchema).describe('Left action of the timed pop-up.'),
    timed_popup_action_center: optional(linkSchema).describe('Middle action of the timed pop-up.'),
    timed_popup_action_right: optional(linkSchema).describe('Right action of the timed pop-up.'),
    timed_popup_action_required: z.boolean().default(false).describe('Whether the pop-up closes only by an action.'),
    top_left_link: optional(linkSchema).describe('Link in the top left corner.'),
    top_right_link: optional(linkSchema).describe('Link in the top right corner.'),
    bottom_left_link: optional(linkSchema).describe('Link in the bottom left corner.'),
    bottom_right_link: optional(linkSchema).describe('Link in the bottom right corner.'),
  })
  .prefault({});

export type RoomConfig = z.output<typeof roomConfigSchema>;
