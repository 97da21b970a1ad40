import { type PerspectiveCamera, type Scene, Vector4, type WebGLRenderer } from 'three';

/**
 * Renders a scene in a corner of the renderer's own canvas, so that colors match what visitors see. The caller must
 * redraw the canvas before the browser presents it.
 * @param width in device pixels, like `height`; at most the canvas size
 */
export function takePicture(
  renderer: WebGLRenderer,
  scene: Scene,
  camera: PerspectiveCamera,
  width: number,
  height: number,
): HTMLCanvasElement {
  const ratio = renderer.getPixelRatio();
  const whole = renderer.getViewport(new Vector4());
  renderer.setViewport(0, 0, width / ratio, height / ratio);
  renderer.setScissor(0, 0, width / ratio, height / ratio);
  renderer.setScissorTest(true);
  const { shadowMap } = renderer;
  shadowMap.needsUpdate = true;
  renderer.render(scene, camera);
  // The scene may be dressed for this picture only.
  shadowMap.needsUpdate = true;
  const picture = Object.assign(document.createElement('canvas'), { width, height });
  const { domElement: canvas } = renderer;
  picture.getContext('2d')!.drawImage(canvas, 0, canvas.height - height, width, height, 0, 0, width, height);
  renderer.setScissorTest(false);
  renderer.setViewport(whole);
  return picture;
}
