import type { AdminTemplate } from '../../contract/entities.ts';
import { thumbnailOf } from '../../ui/media/media-kinds.ts';

/** What stands for a template until it is drawn: a 360° photo shows what it is. @param width in pixels */
export const photoOf = (
  { model_type, file }: Pick<AdminTemplate, 'model_type' | 'file'>,
  width: number,
): string | null => (model_type === 'pano' && file ? thumbnailOf(file.url, width).src : null);
