import { Box2, Texture, Vector2, Vector3, type WebGLRenderer } from 'three';

/** Bytes uploaded to the GPU per frame: few enough for a frame of 33 ms without a GPU. */
const MAX_FRAME_BYTES = 4 * 2 ** 20;
/** Milliseconds after which an upload continues without a frame, as in a hidden tab: longer than the slowest frame. */
const FRAME_TIMEOUT = 1000;

const nextFrame = (): Promise<unknown> =>
  Promise.race([
    new Promise((resolve) => requestAnimationFrame(resolve)),
    new Promise((resolve) => setTimeout(resolve, FRAME_TIMEOUT)),
  ]);

/** The last upload of each renderer: uploads share the bytes of a frame, so they run one after another. */
const last = new WeakMap<WebGLRenderer, Promise<unknown>>();

async function upload(
  renderer: WebGLRenderer,
  bitmap: ImageBitmap,
  target: Texture,
  layer: number,
  goesOn: () => boolean,
): Promise<void> {
  const { width, height } = bitmap;
  const source = new Texture(bitmap);
  const rows = Math.max(1, Math.floor(MAX_FRAME_BYTES / (width * 4)));
  for (let top = 0; top < height; top += rows) {
    await nextFrame();
    if (!goesOn()) return;
    if (renderer.getContext().isContextLost()) throw new Error('The WebGL context was lost.');
    const strip = new Box2(new Vector2(0, top), new Vector2(width, Math.min(top + rows, height)));
    renderer.copyTextureToTexture(source, target, strip, new Vector3(0, top, layer));
  }
}

/**
 * Uploads an image in strips over several frames, after other uploads of the renderer.
 * @param target allocated texture of at least that size, with top-down rows; see `allocate`
 * @param layer of an array texture
 * @param goesOn whether the image is still needed
 */
export function uploadGradually(
  renderer: WebGLRenderer,
  bitmap: ImageBitmap,
  target: Texture,
  goesOn: () => boolean = () => true,
  layer = 0,
): Promise<void> {
  const turn = (last.get(renderer) ?? Promise.resolve()).then(() => upload(renderer, bitmap, target, layer, goesOn));
  last.set(
    renderer,
    turn.catch(() => undefined),
  );
  return turn;
}

/** Allocates a texture on the GPU, for the size of its image, without uploading anything. */
export function allocate(renderer: WebGLRenderer, texture: Texture): void {
  texture.source.dataReady = false;
  texture.needsUpdate = true;
  renderer.initTexture(texture);
}

/**
 * Replaces a texture's image without blocking a frame: the old image stays until the new one is on the GPU.
 * @param bitmap with top-down rows; the caller closes it
 */
export async function replaceGradually(
  renderer: WebGLRenderer,
  texture: Texture,
  bitmap: ImageBitmap,
  goesOn: () => boolean,
): Promise<void> {
  const next = texture.clone();
  next.source = new Texture({ width: bitmap.width, height: bitmap.height }).source;
  allocate(renderer, next);
  await uploadGradually(renderer, bitmap, next, goesOn);
  next.source.dataReady = true;
  if (goesOn()) {
    // Textures with the same source share their memory on the GPU.
    texture.dispose();
    texture.source = next.source;
    texture.version = next.version;
    renderer.initTexture(texture);
  }
  next.dispose();
}
