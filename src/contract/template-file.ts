import { z } from 'zod';
import type { Template } from '../../engine/document/template.ts';

/** How far the sides of an equirectangular picture may be off, as a part of its width: rounding, and a seam of pixels. */
const TOLERANCE = 0.01;

/** Sides of a picture in pixels, where they are known. */
interface Sides {
  width?: number | null;
  height?: number | null;
}

/** A picture, with what was found in it. */
interface Picture extends Sides {
  details?: Record<string, unknown>;
}

/** What a camera noted of a panorama, where it does not surround its visitor. */
const notes = z.object({
  panorama: z.object({
    projection: z.string().optional(),
    stereo: z.string().optional(),
    full: z.object({ width: z.number(), height: z.number() }).optional(),
    part: z.object({ left: z.number() }).optional(),
  }),
});

/** Whether a picture has the shape of a whole equirectangular one. */
export const isTwiceAsWide = ({ width, height }: { width: number; height: number }): boolean =>
  Math.abs(width - 2 * height) <= Math.max(1, width * TOLERANCE);

/** What a picture of another shape may be, where its shape is that of two panoramas. */
function stereoHint(width: number, height: number): string {
  const how = isTwiceAsWide({ width, height: height * 2 })
    ? 'side by side'
    : width === height
      ? 'one above the other'
      : '';
  return how && ` If it is a stereo photo with two eyes ${how}, use the image of one eye.`;
}

/** Whether a picture is a part of a sphere that is shown where it was taken. */
const isPart = ({ details }: Picture): boolean => notes.safeParse(details).data?.panorama.part !== undefined;

/** What a camera noted that keeps a picture from being a 360° photo. */
function notedProblem({ width, height, details }: Picture): string | null {
  const { data } = notes.safeParse(details);
  if (!data) return null;
  const { projection, stereo, full, part } = data.panorama;
  if (projection)
    return `Not a 360° photo that can be shown: its projection is ${projection}; export it as equirectangular.`;
  if (stereo) return `Not a 360° photo for one eye: it holds a stereo pair (${stereo}); use the image of one eye.`;
  if (!full || (part && isTwiceAsWide(full))) return null;
  return `Only a part of a 360° photo: it is ${width} × ${height} of ${full.width} × ${full.height}; export the whole one.`;
}

/**
 * What keeps a picture from being a 360° photo that surrounds its visitor.
 * @returns a sentence; null where nothing does, or where its sides are not known
 */
export function panoramaProblem(picture: Picture): string | null {
  const { width, height } = picture;
  if (!width || !height) return null;
  const noted = notedProblem(picture);
  if (noted || isPart(picture) || isTwiceAsWide({ width, height })) return noted;
  const found = `the image must be twice as wide as high (2:1); this one is ${width} × ${height}.`;
  return `Not a 360° photo: ${found}${stereoHint(width, height)}`;
}

/** What should be looked at in a picture that is to be a 360° photo, as sentences. */
export const panoramaWarnings = ({ details }: Picture): string[] =>
  z.object({ warnings: z.array(z.string()) }).safeParse(details).data?.warnings ?? [];

/**
 * What is wrong with the file that a template draws.
 * @param file the file; null for none
 * @param before kind and file as they are stored, which stand in the way of no other change; null for a new template
 * @returns a sentence for the field `file_id`; null where nothing is wrong
 */
export function templateFileProblem(
  { model_type, file_id }: Pick<Template, 'model_type' | 'file_id'>,
  file: Picture | null,
  before: Pick<Template, 'model_type' | 'file_id'> | null,
): string | null {
  if (model_type === 'grid' || (before?.model_type === model_type && before.file_id === file_id)) return null;
  if (file_id === null) return model_type === 'pano' ? 'Choose a 360° photo.' : 'Choose a model.';
  return model_type === 'pano' && file ? panoramaProblem(file) : null;
}
