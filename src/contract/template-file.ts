import { z } from 'zod';
import type { Template } from '../../engine/document/template.ts';

/**
 * Tolerance of an equirectangular image's aspect ratio, as a fraction of its width: rounding, and a seam of a few pixels.
 */
const TOLERANCE = 0.01;

/** Size of an image in pixels, if known. */
interface Size {
  width?: number | null;
  height?: number | null;
}

/** An image and its metadata. */
interface ImageInfo extends Size {
  details?: Record<string, unknown>;
}

/** Camera metadata of a panorama that isn't a plain full sphere. */
const cameraMetadata = z.object({
  panorama: z.object({
    projection: z.string().optional(),
    stereo: z.string().optional(),
    full: z.object({ width: z.number(), height: z.number() }).optional(),
    part: z.object({ left: z.number() }).optional(),
  }),
});

/** Whether an image has the aspect ratio of a full equirectangular image. */
export const hasPanoramaRatio = ({ width, height }: { width: number; height: number }): boolean =>
  Math.abs(width - 2 * height) <= Math.max(1, width * TOLERANCE);

/** A hint for images with the aspect ratio of two panoramas. */
function stereoHint(width: number, height: number): string {
  const how = hasPanoramaRatio({ width, height: height * 2 })
    ? 'side by side'
    : width === height
      ? 'top and bottom'
      : '';
  return how && ` If it is a stereo photo (${how}), use the image of one eye.`;
}

/** Whether an image is a partial panorama with a known position. */
const isPart = ({ details }: ImageInfo): boolean => cameraMetadata.safeParse(details).data?.panorama.part !== undefined;

/** Metadata that rules out a 360° photo. */
function metadataProblem({ width, height, details }: ImageInfo): string | null {
  const { data } = cameraMetadata.safeParse(details);
  if (!data) return null;
  const { projection, stereo, full, part } = data.panorama;
  if (projection) return `This 360° photo uses ${projection} projection. Export it as equirectangular.`;
  if (stereo) return `This 360° photo is a stereo pair (${stereo}). Use the image of one eye.`;
  if (!full || (part && hasPanoramaRatio(full))) return null;
  return `This 360° photo is cropped: ${width} × ${height} of ${full.width} × ${full.height}. Export the whole sphere.`;
}

/**
 * Why an image can't be used as a 360° photo.
 * @returns a sentence; null if it can, or if its size is unknown
 */
export function panoramaProblem(image: ImageInfo): string | null {
  const { width, height } = image;
  if (!width || !height) return null;
  const problem = metadataProblem(image);
  if (problem || isPart(image) || hasPanoramaRatio({ width, height })) return problem;
  return `Not a 360° photo: the width must be twice the height (2:1); this image is ${width} × ${height}.${stereoHint(width, height)}`;
}

/** Warnings about an image to be used as a 360° photo. */
export const panoramaWarnings = ({ details }: ImageInfo): string[] =>
  z.object({ warnings: z.array(z.string()) }).safeParse(details).data?.warnings ?? [];

/**
 * Validates the file of a template.
 * @param file the file; null for none
 * @param before stored kind and file, which are accepted if unchanged; null for a new template
 * @returns a sentence for the field `file_id`; null if valid
 */
export function templateFileProblem(
  { model_type, file_id }: Pick<Template, 'model_type' | 'file_id'>,
  file: ImageInfo | null,
  before: Pick<Template, 'model_type' | 'file_id'> | null,
): string | null {
  if (model_type === 'grid' || (before?.model_type === model_type && before.file_id === file_id)) return null;
  if (file_id === null) return model_type === 'pano' ? 'Choose a 360° photo.' : 'Choose a model.';
  return model_type === 'pano' && file ? panoramaProblem(file) : null;
}
