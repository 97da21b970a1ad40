import { z } from 'zod';
import { MAX_PLAN_MARKS } from '../constants.ts';
import { BOX_TRIANGLES, FRAME_TRIANGLES, PLANE_TRIANGLES } from '../costs.ts';
import { alternativeFields, elementOf, fileUrl } from '../element-base.ts';
import { CHOOSE_FILE, type ElementDescriptor } from '../element-type.ts';
import { hexColor, id, length, line, optional, share, text } from '../fields.ts';
import { borderOf, framingOf } from '../framing.ts';
import { navigationSchema } from '../navigation.ts';

/** An image on a plane, with title, author, date and text. */
export const imageElement = elementOf('image', {
  file_url: fileUrl,
  appearance: z
    .enum(['image', 'nadir', 'plan'])
    .default('image')
    .describe(
      'An `image` on a plane, a `nadir` patch straight below visitors at places with a panorama, or a `plan`: a floor of the plan of the tour, which is not drawn in the room.',
    ),
  nadir_angle: z.number().min(5).max(120).default(40).describe('Diameter of a nadir patch in degrees.'),
  plan_marks: z
    .array(
      z.object({
        view_point_id: id.describe('ID of the view point.'),
        x: share.describe('Position from the left, as a fraction of the width of the plan.'),
        y: share.describe('Position from the top, as a fraction of the height of the plan.'),
      }),
    )
    .max(MAX_PLAN_MARKS, `Put at most ${MAX_PLAN_MARKS} view points on a plan.`)
    .refine(
      (marks) => new Set(marks.map(({ view_point_id }) => view_point_id)).size === marks.length,
      'Mark each view point once.',
    )
    .default([])
    .describe('Where the view points are on a plan; at most one mark for each.'),
  title: line().default('').describe('Title, shown beside the image.'),
  title_alignment: z.enum(['left', 'right']).default('left').describe('Side of the title.'),
  title_color: hexColor.default('#14171C').describe('Title color.'),
  title_size: z.number().min(1).max(500).default(24).describe('Font size of the title in pixels.'),
  text: text(10_000)
    .default('')
    .describe('Text beside the image, limited to its first 400 characters; shown in full in a slider.'),
  caption_style: z.enum(['plain', 'plaque']).default('plain').describe('Caption style: plain text, or a plaque.'),
  caption_side: z
    .enum(['beside', 'below'])
    .default('beside')
    .describe('Caption position: beside the image, on the side of `title_alignment`, or below it.'),
  caption_width: optional(length).describe('Maximum line width of the caption in units; null to fit its text.'),
  frame_width: optional(length).describe("Width of the frame in units; 0 for none, null for the template's."),
  frame_depth: optional(length).describe("Depth of the frame in units; null for the template's."),
  frame_color: optional(hexColor).describe("Color of the frame; null for the template's."),
  mat_width: optional(length).describe(
    "Width of the mat between image and frame in units; 0 for none, null for the template's.",
  ),
  mat_color: optional(hexColor).describe("Color of the mat; null for the template's."),
  contact_shadow: optional(share).describe(
    "Strength of the soft shadow on the wall behind the image, from 0 to 1; null for the template's.",
  ),
  author: line().default('').describe('Creator of the image.'),
  date: line(60).default('').describe('Creation date of the image.'),
  zoomable: z
    .boolean()
    .default(true)
    .describe(
      'Whether a press shows the image up close with its texts, to zoom to full resolution. Links take precedence, and decorative images ignore presses.',
    ),
  ...alternativeFields,
  navigation: navigationSchema,
});

export const imageDescriptor: ElementDescriptor<z.output<typeof imageElement>> = {
  label: 'Image',
  description: 'An image on a plane, with a title, author and date.',
  traits: {
    hit: 'body',
    press: 'look',
    navigation: true,
    sources: ['file_url', 'file'],
    reads: 'picture',
    namedBy: 'title',
  },
  files: ['image'],
  madeOf: 'image',
  dropped: { flat: true },
  source: { settings: ['file_url'], advice: CHOOSE_FILE },
  isPlaceless: ({ config }) => config.appearance !== 'image',
  cost: ({ config, depth }, sheet, template) => {
    if (config.appearance === 'plan') {
      sheet.download();
      return;
    }
    const isFlat = config.appearance === 'nadir';
    const captions = !isFlat && (config.title || config.author || config.date) ? 1 : 0;
    const boxes = depth && !isFlat ? 1 : 0;
    sheet.add({
      triangles: PLANE_TRIANGLES * (1 + captions) + BOX_TRIANGLES * boxes,
      draw_calls: 1 + captions + boxes,
    });
    sheet.picture();
    if (isFlat) return;
    const framing = framingOf(config, template);
    if (borderOf(framing) > 0) {
      sheet.add({ triangles: FRAME_TRIANGLES });
      sheet.shared('frames');
    }
    if (framing.contact_shadow > 0) {
      sheet.add({ triangles: PLANE_TRIANGLES });
      sheet.shared('shadows');
    }
  },
};
