import { z } from 'zod';
import { cameraSchema } from './camera.ts';
import { FRAMING, ROOM_SIZE, STEREO_LAYOUTS, TONE_MAPPINGS, TRANSITIONS } from './constants.ts';
import { fileReference, hexColor, href, id, length, line, optional, share, text } from './fields.ts';
import { textTranslationsOf } from './translation-fields.ts';

const file = (what: string) => optional(fileReference).describe(`Media file: ${what}.`);
const fileId = (what: string) => optional(id).describe(`Media file: ${what}.`);

/** Texts of a 360° photo that visitors read. */
export const templateTexts = { alt: line(1000), long_description: text(10_000) };

/** Translations of the texts of a 360° photo. */
export const templateTranslations = textTranslationsOf(templateTexts);

/** The shell shared by rooms of one kind: its space, look and camera. */
export const templateSchema = z.object({
  id: id.describe('Template ID.'),
  name: line().min(1, 'Give the template a name.').describe('Name, shown in the back-office.'),
  description: text(10_000).default('').describe('Purpose of the template.'),
  config: z
    .object({
      camera: cameraSchema.describe('Default camera of new rooms.'),
      animate: z.boolean().default(false).describe("Whether the model's animations play."),
      transition: z
        .enum(TRANSITIONS)
        .default('zoom')
        .describe(
          'Transition between places: `zoom` towards the next one while the images cross-fade, `fade` without zoom, or `cut`.',
        ),
      tone_mapping: z
        .enum(TONE_MAPPINGS)
        .default('neutral')
        .describe(
          'How lit colors brighter than white are shown: `neutral` keeps hues (Khronos PBR Neutral), `aces` and `agx` are filmic, `none` cuts them off. Images that ignore light, and panoramas, keep their own colors.',
        ),
      frame_width: length
        .default(FRAMING.frame_width)
        .describe('Width of the frames of images in units; 0 for none. An image can have its own.'),
      frame_depth: length.default(FRAMING.frame_depth).describe('Depth of the frames in units.'),
      frame_color: hexColor.default(FRAMING.frame_color).describe('Color of the frames.'),
      mat_width: length
        .default(FRAMING.mat_width)
        .describe('Width of the mats between images and their frames in units; 0 for none.'),
      mat_color: hexColor.default(FRAMING.mat_color).describe('Color of the mats.'),
      contact_shadow: share
        .default(FRAMING.contact_shadow)
        .describe('Strength of the soft shadows on the wall behind images, from 0 to 1; 0 for none.'),
      video_url: href
        .optional()
        .describe('URL of a 360° video or HLS playlist, instead of a media file; only for 360° photos.'),
      video_stereo: z
        .enum(STEREO_LAYOUTS)
        .optional()
        .describe('Layout of the 360° video, like `stereo` of native videos; `auto` by default.'),
      alt: templateTexts.alt.optional().describe('Alternative text of the 360° photo for screen readers.'),
      long_description: templateTexts.long_description
        .optional()
        .describe("Detailed description of the 360° photo for people who can't see it, shown on request."),
      translations: templateTranslations
        .optional()
        .describe('Translations of these two texts by language and field. Left out if there are none.'),
    })
    .prefault({})
    .describe('Default settings of rooms.'),
  model_type: z
    .enum(['grid', 'model', 'pano'])
    .default('grid')
    .describe(
      'Room type: a grid, a 3D model or a 360° photo. A 360° photo created without camera settings allows looking around and zooming.',
    ),
  hotspot_style: z
    .enum(['dot', 'ring', 'off'])
    .default('dot')
    .describe('Style of the markers and labels of interactive elements; `off` for none.'),
  font_color: optional(hexColor).describe('Color of texts over the room; null for the organization’s color.'),
  accent_color: optional(hexColor).describe('Color of buttons and marks; null for the organization’s color.'),
  width: length.default(ROOM_SIZE.width).describe('Width of the room in units.'),
  height: length.default(ROOM_SIZE.height).describe('Height of the room in units.'),
  depth: length.default(ROOM_SIZE.depth).describe('Depth of the room in units.'),
  file: file('Model or panorama'),
  file_id: fileId('glTF, GLB or ZIP for a model, an image for a panorama'),
  video_file: fileReference
    .nullish()
    .describe('Media file: 360° video that plays in a loop instead of the 360° photo. Left out if there is none.'),
  video_file_id: id
    .nullish()
    .describe(
      'Media file: equirectangular video. Rooms show the 360° photo until it plays, and follow their timed sequence.',
    ),
  background_file: file('Background image'),
  background_file_id: fileId('image behind the room, visible where nothing covers it'),
  hdr_file: file('Environment'),
  hdr_file_id: fileId('HDR environment that lights the room'),
  font_file: file('Font'),
  font_file_id: fileId('default font of 3D texts; null for the organization’s font'),
  logo_file: file('Logo'),
  logo_file_id: fileId('logo over the room'),
});

export type Template = z.output<typeof templateSchema>;
