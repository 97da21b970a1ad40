import { z } from 'zod';
import { cameraSchema } from './camera.ts';
import { factor, fileReference, hexColor, href, html, id, length, optional, radians } from './fields.ts';
import { linkSchema } from './navigation.ts';
import { languageFields } from './translation-fields.ts';

const factors = (fallback: number) =>
  z
    .object({
      x: factor.default(fallback).describe('Scale along x.'),
      y: factor.default(fallback).describe('Scale along y.'),
      z: factor.default(fallback).describe('Scale along z.'),
    })
    .prefault({});
const angles = z
  .object({
    x: radians.default(0).describe('Rotation around x in radians.'),
    y: radians.default(0).describe('Rotation around y in radians.'),
    z: radians.default(0).describe('Rotation around z in radians.'),
  })
  .prefault({});

/** Appearance of a visitor's marker, for rooms and elements. */
export const realtimeFields = {
  realtime: z
    .boolean()
    .default(false)
    .describe('Rooms: whether to show other visitors. Elements: whether the element moves with other visitors.'),
  realtime_file_url: href.default('').describe('URL of the model for each visitor; empty for a disc.'),
  realtime_scale: factors(1).describe('Scale of the model.'),
  realtime_rotate: angles.describe(
    'Rotation of the model in radians, after which its front must face −z. The model turns with the visitor.',
  ),
};

export const roomConfigSchema = z
  .object({
    camera: cameraSchema.describe('Start position of visitors, and camera settings.'),
    start_view_point_id: optional(id).describe(
      'View point where visits start; null to start at the camera position, with no current view point.',
    ),
    ambient_light: z.number().min(0).max(20).default(1).describe('Intensity of the ambient light.'),
    fog: z
      .object({
        enabled: z.boolean().default(false).describe('Whether fog is enabled.'),
        color: hexColor.default('#FFFFFF').describe('Fog color.'),
        near: length.default(1).describe('Distance where fog starts, in units.'),
        far: length.default(6000).describe('Distance where fog is opaque, in units.'),
      })
      .prefault({})
      .describe('Fog settings.'),
    pixelratio: optional(z.number().min(0.1).max(4)).describe(
      'Rendered pixels per CSS pixel; null for the device pixel ratio.',
    ),
    animate: z.boolean().default(false).describe("Whether the room model's animations play."),
    ...realtimeFields,
    realtime_file: optional(fileReference).describe('Media file of realtime_file_id.'),
    realtime_file_id: optional(id).describe('Model of each visitor.'),
    autorotate_speed: z
      .number()
      .min(-30)
      .max(30)
      .default(0)
      .describe(
        'Speed at which the view turns after 10 seconds without input, in degrees per second, clockwise seen from above; 0 for off. Any input stops it, and it never starts under reduced motion.',
      ),
    compass: z.boolean().default(false).describe('Whether to show a compass; north is −z.'),
    nadir_blur: z
      .number()
      .min(0)
      .max(90)
      .default(0)
      .describe('Diameter of the blurred patch straight below the visitor in panoramas, in degrees; 0 for none.'),
    duration: optional(z.number().positive().max(31_536_000)).describe(
      'Duration of the timed sequence in seconds; null if not timed.',
    ),
    show_start_popup: z.boolean().default(false).describe('Whether to show the description when visitors enter.'),
    show_timed_timer: z
      .enum(['top_left', 'top_right', 'bottom_left', 'bottom_right', 'off'])
      .default('off')
      .describe('Corner that shows the countdown.'),
    show_timed_popup: z.boolean().default(false).describe('Whether the timed pop-up opens.'),
    timed_popup_offset: z
      .number()
      .min(0)
      .max(31_536_000)
      .default(0)
      .describe('Delay of the timed pop-up after the start, in seconds.'),
    timed_popup_text: html(200_000).default('').describe('Timed pop-up content as HTML.'),
    timed_popup_action_left: optional(linkSchema).describe('Left action of the timed pop-up.'),
    timed_popup_action_center: optional(linkSchema).describe('Center action of the timed pop-up.'),
    timed_popup_action_right: optional(linkSchema).describe('Right action of the timed pop-up.'),
    timed_popup_action_required: z.boolean().default(false).describe('Whether only an action closes the pop-up.'),
    top_left_link: optional(linkSchema).describe('Link in the top left corner.'),
    top_right_link: optional(linkSchema).describe('Link in the top right corner.'),
    bottom_left_link: optional(linkSchema).describe('Link in the bottom left corner.'),
    bottom_right_link: optional(linkSchema).describe('Link in the bottom right corner.'),
    ...languageFields,
  })
  .prefault({});

export type RoomConfig = z.output<typeof roomConfigSchema>;
