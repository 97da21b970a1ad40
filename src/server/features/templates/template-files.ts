import type { Template } from '../../../../engine/document/template.ts';
import type { MediaType } from '../../../contract/entities.ts';

/** The files of a template: the field that holds the file, and the one that holds its id. */
export const TEMPLATE_FILES = {
  file: 'file_id',
  background_file: 'background_file_id',
  hdr_file: 'hdr_file_id',
  font_file: 'font_file_id',
  logo_file: 'logo_file_id',
} as const;

/** Kinds of file that each id field of a template takes. */
export const templateFileKinds = (
  modelType: Template['model_type'],
): Record<(typeof TEMPLATE_FILES)[keyof typeof TEMPLATE_FILES], readonly MediaType[]> => ({
  // A grid draws no file; one that is left from before may stay.
  file_id: { grid: ['object', 'image'], model: ['object'], pano: ['image'] }[modelType] as MediaType[],
  background_file_id: ['image'],
  hdr_file_id: ['hdr'],
  font_file_id: ['font'],
  logo_file_id: ['image'],
});
