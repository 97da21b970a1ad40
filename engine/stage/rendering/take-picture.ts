import { type PerspectiveCamera, type Scene, Vector4, type WebGLRenderer } from 'three';

/**
 * A picture of a scene, drawn in a corner of the renderer's own canvas: there its colors come out as visitors see them.
 * What stood in that corner has to be drawn again before the browser shows it.
 * @param width in pixels of the screen, like `height`; at most those of the canvas
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
  renderer.render(scene, camera);
  const picture = Object.assign(document.createElement('canvas'), { width, height });
  const { domElement: canvas } = renderer;
  picture.getContext('2d')!.drawImage(canvas, 0, canvas.height - height, width, height, 0, 0, width, height);
  renderer.setScissorTest(false);
  renderer.setViewport(whole);
  return picture;
}
