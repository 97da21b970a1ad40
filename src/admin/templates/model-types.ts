import type { Template } from '../../../engine/document/template.ts';
import type { AdminTemplate } from '../../contract/entities.ts';
import { thumbnailOf } from '../../ui/media/media-kinds.ts';

/** What the kinds of shell are called. */
export const MODEL_TYPES: Record<Template['model_type'], string> = {
  grid: 'Grid',
  model: '3D model',
  pano: '360° photo',
};

/** What the marks on things that can be pressed are called. */
export const HOTSPOT_STYLES: Record<Template['hotspot_style'], string> = {
  dot: 'A dot',
  ring: 'A ring',
  off: 'No mark, no name',
};

/** What stands for a template until it is drawn: a 360° photo shows what it is. @param width in pixels */
export const photoOf = (
  { model_type, file }: Pick<AdminTemplate, 'model_type' | 'file'>,
  width: number,
): string | null => (model_type === 'pano' && file ? thumbnailOf(file.url, width).src : null);
