import { PerspectiveCamera, Scene, Vector3, WebGLRenderer } from 'three';
import { loadModel } from '../../stage/resources/gltf.ts';
import { addImageBasedLight } from '../../stage/surroundings/image-based-light.ts';

/** Views around a model, and their layout on the sheet. */
const VIEWS = { columns: 6, rows: 4, width: 200, height: 150 } as const;
const COUNT = VIEWS.columns * VIEWS.rows;
/** Field of view in degrees: narrow, to minimize distortion. */
const FOV = 30;
/** Camera elevation in radians. */
const ABOVE = 0.28;
/** Margin around the model, as a factor. */
const MARGIN = 1.06;
/** Loading timeout in milliseconds. */
const TIMEOUT = 30_000;

const timeoutAfter = (milliseconds: number): Promise<never> =>
  new Promise((_, reject) => setTimeout(() => reject(new Error('The model took too long.')), milliseconds));

/** Camera distance at which a rotating model is always completely visible. */
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
 * Renders a model from all sides: 24 views of 200 × 150 pixels, six per row, on a transparent background.
 * @param url of the file
 * @returns the sprite sheet; null if encoding fails
 */
export async function drawTurntable(url: string): Promise<Blob | null> {
  const canvas = document.createElement('canvas');
  const renderer = new WebGLRenderer({ canvas, antialias: true, alpha: true, preserveDrawingBuffer: true });
  let free: (() => void)[] = [];
  try {
    renderer.setPixelRatio(1);
    renderer.setSize(VIEWS.width, VIEWS.height, false);
    const scene = new Scene();
    const [model, light] = await Promise.race([
      Promise.all([loadModel(url, renderer), addImageBasedLight({ three: scene, renderer }, '')]),
      timeoutAfter(TIMEOUT),
    ]);
    free = [() => model.dispose(), () => light.remove()];
    // Outside a room, models need more light.
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
