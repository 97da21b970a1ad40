import {
  CubeCamera,
  DataUtils,
  HalfFloatType,
  Mesh,
  type Object3D,
  PMREMGenerator,
  ShaderMaterial,
  WebGLCubeRenderTarget,
  type WebGLRenderTarget,
} from 'three';
import type { StageContext } from '../context.ts';

/** Width of the probe's faces in pixels. */
const SIDE = 128;
/** Distance in pixels between the samples of a face's brightness. */
const STEP = 4;
/** Types of elements that reflect the room. They would hide it from a probe inside them. */
const REFLECTORS: ReadonlySet<string> = new Set(['model', 'motion']);

/** A room's reflections. */
export interface RoomProbe {
  /** Filtered by roughness, for `Scene.environment`. */
  map: WebGLRenderTarget;
  /** Mean luminance of the surroundings. */
  luminance: number;
}

/** A panorama's material, with linear colors: on the canvas, the photo's own are copied. */
function linearPanorama({ uniforms, vertexShader, fragmentShader }: ShaderMaterial): ShaderMaterial {
  const linear = fragmentShader.replace(/}\s*$/, 'gl_FragColor = sRGBTransferEOTF(gl_FragColor);\n}');
  return new ShaderMaterial({ uniforms, vertexShader, fragmentShader: linear, depthTest: false });
}

/**
 * Mean luminance (ITU-R BT.709) of a cube map with linear half-float colors, by solid angle: a texel at (u, v) of a
 * face that spans −1 to 1 covers (1 + u² + v²)^(−3/2).
 */
async function meanLuminance(
  renderer: Pick<StageContext['renderer'], 'readRenderTargetPixelsAsync'>,
  target: WebGLCubeRenderTarget,
): Promise<number> {
  const { width } = target;
  const pixels = new Uint16Array(width * width * 4);
  let sum = 0;
  let weights = 0;
  for (let face = 0; face < 6; face++) {
    await renderer.readRenderTargetPixelsAsync(target, 0, 0, width, width, pixels, face);
    for (let y = STEP / 2; y < width; y += STEP)
      for (let x = STEP / 2; x < width; x += STEP) {
        const [red, green, blue] = [0, 1, 2].map((channel) =>
          DataUtils.fromHalfFloat(pixels[(y * width + x) * 4 + channel]!),
        ) as [number, number, number];
        const [u, v] = [(2 * x) / width - 1, (2 * y) / width - 1];
        const weight = (1 + u * u + v * v) ** -1.5;
        sum += weight * (0.2126 * red + 0.7152 * green + 0.0722 * blue);
        weights += weight;
      }
  }
  return sum / weights;
}

/**
 * Captures the surroundings of the camera: the room, its panorama, pictures and lights, without its models. The scene is
 * drawn before the first `await`.
 * @param around the room's own object
 */
export async function probeRoom(context: StageContext, around: Object3D): Promise<RoomProbe> {
  const { renderer, three, camera, scene } = context;
  const target = new WebGLCubeRenderTarget(SIDE, { type: HalfFloatType });
  const eye = new CubeCamera(camera.near, camera.far, target);
  eye.position.copy(camera.position);
  const typeOf = ({ userData }: Object3D) => scene.elementOf(scene.entityOf(userData.element_id) ?? -1)?.element;
  const isReflected = (object: Object3D): boolean => {
    const type = typeOf(object);
    return object === around || 'isLight' in object || object.userData.isBatch || (type && !REFLECTORS.has(type));
  };
  const { children } = three;
  const panorama = around instanceof Mesh && around.material instanceof ShaderMaterial ? around : undefined;
  const material = panorama?.material;
  const linear = material && linearPanorama(material);
  if (panorama) panorama.material = linear;
  three.children = children.filter(isReflected);
  try {
    eye.update(renderer, three);
  } finally {
    three.children = children;
    // Models cast shadows again.
    renderer.shadowMap.needsUpdate = true;
    if (panorama) panorama.material = material;
    linear?.dispose();
  }
  const generator = new PMREMGenerator(renderer);
  const map = generator.fromCubemap(target.texture);
  generator.dispose();
  try {
    return { map, luminance: await meanLuminance(renderer, target) };
  } catch (error) {
    map.dispose();
    throw error;
  } finally {
    target.dispose();
  }
}
