import { z } from 'zod';

/** Preview image of a space, structure or template in lists and link previews. */
export const posterSchema = z.object({
  small_url: z.string().describe('Its address with 640 × 360 pixels, WebP.'),
  large_url: z.string().describe('Its address with 1200 × 630 pixels, JPEG.'),
  is_chosen: z.boolean().describe('Whether somebody chose it; otherwise it was drawn.'),
  updated_at: z.string().describe('Since when it is so, UTC.'),
});
export type Poster = z.output<typeof posterSchema>;

/** URL of a space's small poster. */
export const posterUrl = z.string().nullable().describe('Address of an image of the space, 640 × 360; null for none.');
/** URL of a template's small poster. */
export const templatePosterUrl = z
  .string()
  .nullable()
  .describe(
    'Address of the image that somebody chose for it, otherwise of an empty space that it makes, 640 × 360; null for none.',
  );
/** URL of a structure's small poster. */
export const structurePosterUrl = z
  .string()
  .nullable()
  .describe(
    'Address of the image that somebody chose for it, otherwise of that of its space, 640 × 360; null for none.',
  );
