import { z } from 'zod';
import { cameraSchema } from './camera.ts';
import { ROOM_SIZE } from './constants.ts';
import { fileReference, hexColor, id, length, line, optional, text } from './fields.ts';

const file = (what: string) => optional(fileReference).describe(`${what} as stored in the media library.`);
const fileId = (what: string) => optional(id).describe(`Media file: ${what}.`);

/** The shell shared by rooms of one kind: its space, look and camera. */
export const templateSchema = z.object({
  id: id.describe('Id of the template.'),
  name: line().min(1, 'Give the template a name.').describe('Name in the back-office.'),
  description: text(10_000).default('').describe('What the template is for.'),
  config: z
    .object({
      camera: cameraSchema.describe('Camera that new rooms start with.'),
      animate: z.boolean().default(false).describe("Whether the model's animations play."),
    })
    .prefault({})
    .describe('Settings that rooms take over.'),
  model_type: z
    .enum(['grid', 'model', 'pano'])
    .default('grid')
    .describe(
      'What the room is: a grid, a 3D model or a 360° photo. One that is added without a camera can be looked around, and zoomed.',
    ),
  hotspot_style: z
    .enum(['dot', 'ring', 'off'])
    .default('dot')
    .describe('How things that can be pressed are marked, and named where the pointer is; off for not at all.'),
  font_color: optional(hexColor).describe('Color of texts drawn over the room; null for the organization’s.'),
  width: length.default(ROOM_SIZE.width).describe('Width of the room in units.'),
  height: length.default(ROOM_SIZE.height).describe('Height of the room in units.'),
  depth: length.default(ROOM_SIZE.depth).describe('Depth of the room in units.'),
  file: file('Model or panorama'),
  file_id: fileId('GLTF, GLB or zip for a model, an image for a panorama'),
  background_file: file('Background image'),
  background_file_id: fileId('image behind the room, which shows where nothing else is'),
  hdr_file: file('Environment'),
  hdr_file_id: fileId('HDR environment that lights the room'),
  font_file: file('Font'),
  font_file_id: fileId('font of 3D texts that name none; the organization’s where this is null'),
  logo_file: file('Logo'),
  logo_file_id: fileId('logo shown over the room'),
});

export type Template = z.output<typeof templateSchema>;
