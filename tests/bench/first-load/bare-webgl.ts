import { Painter } from '../../../src/viewer/first-picture/painter.ts';

/** A panorama painted by WebGL and nothing else, as soon as it is there: no room, no small copy. */
const painter = new Painter(() => ({ fov: 75, ratio: 1, azimuth: 0, elevation: 0 }));
document.body.append(painter.canvas);
const answer = await fetch('/panorama.jpg');
painter.show(await createImageBitmap(await answer.blob(), { premultiplyAlpha: 'none' }));
