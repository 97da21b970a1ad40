import type { FileReference } from '../../document/fields.ts';
import { type Panorama, panoramaOf } from '../../document/panorama.ts';
import { budget, savesData } from '../resources/device.ts';

/** The sources of a panorama for this visitor: lighter ones if the browser saves data. */
export const shownPanorama = (file: FileReference): Panorama => panoramaOf(file, savesData());

/** Maximum width in pixels of the first image of a panorama on this device. */
export function widthLimit(file: FileReference): number {
  const { panoramaWidth, untiledWidth } = budget();
  return shownPanorama(file).tiles ? panoramaWidth : untiledWidth;
}
