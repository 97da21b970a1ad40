import { z } from 'zod';
import { cameraSchema } from './camera.ts';
import { ROOM_SIZE, TRANSITIONS } from './constants.ts';
import { fileReference, hexColor, id, length, line, optional, text } from './fields.ts';

const file = (what: string) => optional(fileReference).describe(`Media file: ${what}.`);
const fileId = (what: string) => optional(id).describe(`Media file: ${what}.`);

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
  width: length.default(ROOM_SIZE.width).describe('Width of the room in units.'),
  height: length.default(ROOM_SIZE.height).describe('Height of the room in units.'),
  depth: length.default(ROOM_SIZE.depth).describe('Depth of the room in units.'),
  file: file('Model or panorama'),
  file_id: fileId('glTF, GLB or ZIP for a model, an image for a panorama'),
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
