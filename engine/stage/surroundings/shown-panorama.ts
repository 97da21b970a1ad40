import type { FileReference } from '../../document/fields.ts';
import { type Panorama, panoramaOf } from '../../document/panorama.ts';
import { savesData } from '../resources/device.ts';

/** The sources of a panorama for this visitor: lighter ones if the browser saves data. */
export const shownPanorama = (file: FileReference): Panorama => panoramaOf(file, savesData());
