import type { Template } from '../../../engine/document/template.ts';
import type { AdminTemplate } from '../../contract/entities.ts';
import { thumbnailOf } from '../../ui/media/media-kinds.ts';

/** Labels of template kinds. */
export const MODEL_TYPES: Record<Template['model_type'], string> = {
  grid: 'Grid',
  model: '3D model',
  pano: '360° photo',
};

/** Labels of hotspot styles. */
export const HOTSPOT_STYLES: Record<Template['hotspot_style'], string> = {
  dot: 'Dot',
  ring: 'Ring',
  off: 'None',
};

/** Placeholder image until a template is rendered: its 360° photo. @param width in pixels */
export const photoOf = (
  { model_type, file }: Pick<AdminTemplate, 'model_type' | 'file'>,
  width: number,
): string | null => (model_type === 'pano' && file ? thumbnailOf(file.url, width).src : null);
