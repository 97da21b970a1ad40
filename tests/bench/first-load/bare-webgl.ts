import { Painter } from '../../../src/viewer/first-picture/painter.ts';

/** Baseline: a panorama in plain WebGL, painted as soon as it has loaded, without a room or a thumbnail. */
const file = { id: 1, name: 'panorama.jpg', type: 'image', url: '/panorama.jpg' };
const panorama = { file, heading: 0, pitch: 0, roll: 0 };
const painter = new Painter(panorama, () => ({ fov: 75, ratio: 1, azimuth: 0, elevation: 0 }));
document.body.append(painter.canvas);
const answer = await fetch('/panorama.jpg');
painter.show(await createImageBitmap(await answer.blob(), { premultiplyAlpha: 'none' }));
