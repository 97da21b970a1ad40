import { z } from 'zod';

/** Preview image of a space, structure or template in lists and link previews. */
export const posterSchema = z.object({
  small_url: z.string().describe('URL of the 640 × 360 WebP image.'),
  large_url: z.string().describe('URL of the 1200 × 630 JPEG image.'),
  is_chosen: z.boolean().describe('Whether a user chose the image; false if it was rendered.'),
  updated_at: z.string().describe('Time of the last change in UTC.'),
});
export type Poster = z.output<typeof posterSchema>;

/** URL of a space's small poster. */
export const posterUrl = z.string().nullable().describe("URL of the space's poster, 640 × 360; null for none.");
/** URL of a template's small poster. */
export const templatePosterUrl = z
  .string()
  .nullable()
  .describe(
    "URL of the template's poster, 640 × 360: the chosen image, or a rendering of an empty space; null for none.",
  );
/** URL of a structure's small poster. */
export const structurePosterUrl = z
  .string()
  .nullable()
  .describe("URL of the structure's poster, 640 × 360: the chosen image, or the poster of its space; null for none.");
