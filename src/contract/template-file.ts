import type { Template } from '../../engine/document/template.ts';

/** How far the sides of an equirectangular picture may be off, as a part of its width: rounding, and a seam of pixels. */
const TOLERANCE = 0.01;

/** Sides of a picture in pixels, where they are known. */
interface Sides {
  width?: number | null;
  height?: number | null;
}

/**
 * What keeps a picture from being a 360° photo that surrounds its visitor.
 * @returns a sentence; null where nothing does, or where its sides are not known
 */
export function panoramaProblem({ width, height }: Sides): string | null {
  if (!width || !height || Math.abs(width - 2 * height) <= Math.max(1, width * TOLERANCE)) return null;
  return `Not a 360° photo: the image must be twice as wide as high (2:1); this one is ${width} × ${height}.`;
}

/**
 * What is wrong with the file that a template draws.
 * @param file the file; null for none
 * @param before kind and file as they are stored, which stand in the way of no other change; null for a new template
 * @returns a sentence for the field `file_id`; null where nothing is wrong
 */
export function templateFileProblem(
  { model_type, file_id }: Pick<Template, 'model_type' | 'file_id'>,
  file: Sides | null,
  before: Pick<Template, 'model_type' | 'file_id'> | null,
): string | null {
  if (model_type === 'grid' || (before?.model_type === model_type && before.file_id === file_id)) return null;
  if (file_id === null) return model_type === 'pano' ? 'Choose a 360° photo.' : 'Choose a model.';
  return model_type === 'pano' && file ? panoramaProblem(file) : null;
}
