import { PerspectiveCamera, Scene, Vector3, WebGLRenderer } from 'three';
import { loadModel } from '../stage/resources/gltf.ts';
import { addImageBasedLight } from '../stage/surroundings/image-based-light.ts';

/** Views of a model all around it, and how they stand on the sheet. */
const VIEWS = { columns: 6, rows: 4, width: 200, height: 150 } as const;
const COUNT = VIEWS.columns * VIEWS.rows;
/** Field of view in degrees: narrow, so that nothing looks bent. */
const FOV = 30;
/** From how far above it is looked at, in radians. */
const ABOVE = 0.28;
/** Room around the model, as a part of it. */
const MARGIN = 1.06;
/** Milliseconds for which textures may still be on their way to the graphics card. */
const LONGEST = 30_000;

const waited = (milliseconds: number): Promise<never> =>
  new Promise((_, reject) => setTimeout(() => reject(new Error('The model took too long.')), milliseconds));

/** How far away a camera sees all of a model while it turns, whichever of its sides comes nearest. */
function distanceFor(size: Vector3): number {
  const up = Math.tan((FOV * Math.PI) / 360);
  const aside = (up * VIEWS.width) / VIEWS.height;
  const radius = Math.hypot(size.x, size.z) / 2;
  const half = size.y / 2;
  const [sin, cos] = [Math.sin(ABOVE), Math.cos(ABOVE)];
  const inWidth = radius * Math.hypot(1 / aside, 1);
  const inHeight = (half * cos + radius * sin) / up + radius * cos - half * sin;
  return MARGIN * Math.max(inWidth, inHeight) || 1;
}

/**
 * Draws a model from all sides, beside the page: 24 views of 200 × 150 pixels, six in a row, on nothing.
 * @param url address of the file
 * @returns the sheet; null where the browser cannot draw it
 */
export async function drawTurntable(url: string): Promise<Blob | null> {
  const canvas = document.createElement('canvas');
  const renderer = new WebGLRenderer({ canvas, antialias: true, alpha: true, preserveDrawingBuffer: true });
  let free: (() => void)[] = [];
  try {
    renderer.setPixelRatio(1);
    renderer.setSize(VIEWS.width, VIEWS.height, false);
    const scene = new Scene();
    const [model, unlight] = await Promise.race([
      Promise.all([loadModel(url, renderer), addImageBasedLight(scene, renderer, '')]),
      waited(LONGEST),
    ]);
    free = [() => model.dispose(), unlight];
    // Alone, it needs more light than in a room.
    scene.environmentIntensity = 1;
    scene.add(model.object);
    const camera = new PerspectiveCamera(FOV, VIEWS.width / VIEWS.height, 0.01, 100);
    const distance = distanceFor(model.size);
    camera.near = distance / 100;
    camera.far = distance * 10;
    camera.updateProjectionMatrix();
    camera.position.set(0, distance * Math.sin(ABOVE), distance * Math.cos(ABOVE));
    camera.lookAt(new Vector3());
    const sheet = Object.assign(document.createElement('canvas'), {
      width: VIEWS.columns * VIEWS.width,
      height: VIEWS.rows * VIEWS.height,
    });
    const paper = sheet.getContext('2d')!;
    for (let view = 0; view < COUNT; view++) {
      model.object.rotation.y = (view / COUNT) * 2 * Math.PI;
      renderer.render(scene, camera);
      const column = view % VIEWS.columns;
      paper.drawImage(canvas, column * VIEWS.width, Math.floor(view / VIEWS.columns) * VIEWS.height);
    }
    return await new Promise<Blob | null>((done) => sheet.toBlob(done, 'image/webp', 0.85));
  } finally {
    for (const part of free) part();
    renderer.dispose();
    renderer.forceContextLoss();
  }
}
