import workerUrl from 'virtual:basis-worker';
import {
  AnimationClip,
  AnimationMixer,
  Box3,
  type DirectionalLight,
  Group,
  type KeyframeTrack,
  type Light,
  type Mesh,
  type Object3D,
  PropertyBinding,
  Vector3,
  type WebGLRenderer,
} from 'three';
import { MeshoptDecoder } from 'three/addons/libs/meshopt_decoder.module.js';
import { DRACOLoader } from 'three/addons/loaders/DRACOLoader.js';
import { type GLTF, GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { KTX2Loader } from 'three/addons/loaders/KTX2Loader.js';
import transcoderUrl from 'three/examples/jsm/libs/basis/basis_transcoder.wasm?url';
import type { Vector } from '../../document/fields.ts';
import { LEVEL_SIDES, LIGHT_MODEL, type ModelLevel } from '../../document/small-copy.ts';
import { meshProblem } from '../../document/splats.ts';
import { fitFactor } from './box.ts';
import { freeObject } from './free.ts';
import type { OnArrival } from './load-progress.ts';
import { allowOwnScripts } from './own-scripts.ts';

/** Loads KTX2 textures with a worker from a file, so that the page's content security policy doesn't need `eval`. */
class FileWorkerKtx2Loader extends KTX2Loader {
  override init(): Promise<void> {
    this.transcoderPending ??= fetch(transcoderUrl)
      .then((response) => response.arrayBuffer())
      .then((binary) => {
        this.transcoderBinary = binary;
        this.workerPool.setWorkerCreator(() => {
          const worker = new Worker(workerUrl);
          const transcoderBinary = binary.slice(0);
          worker.postMessage({ type: 'init', config: this.workerConfig, transcoderBinary }, [transcoderBinary]);
          return worker;
        });
      });
    return this.transcoderPending;
  }
}

/** Decoders running in workers are shared, and disposed with the last model that uses them. */
let shared: { draco: DRACOLoader; ktx2: FileWorkerKtx2Loader; loader: GLTFLoader } | undefined;
let users = 0;

function loaderFor(renderer: WebGLRenderer): GLTFLoader {
  if (!shared) {
    allowOwnScripts();
    const draco = new DRACOLoader();
    const ktx2 = new FileWorkerKtx2Loader().detectSupport(renderer);
    const loader = new GLTFLoader().setDRACOLoader(draco).setKTX2Loader(ktx2).setMeshoptDecoder(MeshoptDecoder);
    // The server sends the lighter version of a model, if it has one.
    loader.setRequestHeader({ Accept: `${LIGHT_MODEL}, */*` });
    shared = { draco, ktx2, loader };
  }
  return shared.loader;
}

function leave(): void {
  if (--users > 0 || !shared) return;
  shared.draco.dispose();
  shared.ktx2.dispose();
  shared = undefined;
}

/** A loaded model, centered at the origin. */
export interface Model {
  readonly object: Object3D;
  /** Coarser levels of detail that the server has, finest first. */
  readonly levels: readonly ModelLevel[];
  /** Which level of detail it is: 0 for the model itself. */
  readonly level: number;
  /** Size before fitting, in the file's units. */
  readonly size: Vector3;
  /** Scales uniformly to fit a box. */
  fit(box: Vector): void;
  /** Removes the model's lights. */
  darken(): void;
  /** Enables casting and receiving shadows. */
  shadows(): void;
  /**
   * Starts the animation.
   * @param phase of a clip with the given seconds, 0 to 1 (exclusive). Derived from room time, so that images of one
   * moment are identical.
   * @returns a function that updates the pose and returns whether it changed; undefined without an animation
   */
  play(phase: (seconds: number) => number): (() => boolean) | undefined;
  dispose(): void;
}

/** Parts of a model: the visible objects, and the bounds of the whole file. */
interface Content {
  scene: Object3D;
  animations: AnimationClip[];
  bounds: Box3;
  levels?: readonly ModelLevel[];
  level?: number;
  free(): void;
}

/** A light in a model, with its original intensity. */
interface OwnLight {
  light: Light;
  intensity: number;
}

/**
 * Maximum illuminance of all directional lights of a model together, and of each other light at half the model's
 * size. It is what makes a white surface white; exporters write directional lights of hundreds of lux.
 */
const MAX_ILLUMINANCE = Math.PI;

/** Maximum number of lights per model: GPUs fail to render anything with hundreds. */
const MAX_LIGHTS = 32;

const isSun = ({ light }: OwnLight) => (light as DirectionalLight).isDirectionalLight === true;

/** The lights of a model: directional lights first, then by intensity; lights beyond `MAX_LIGHTS` are removed. */
function takeLights(scene: Object3D): OwnLight[] {
  const lights: OwnLight[] = [];
  scene.traverse((node) => {
    const light = node as Light;
    if (light.isLight) lights.push({ light, intensity: light.intensity });
  });
  lights.sort((one, other) => Number(isSun(other)) - Number(isSun(one)) || other.intensity - one.intensity);
  for (const { light } of lights.splice(MAX_LIGHTS)) light.removeFromParent();
  return lights;
}

/** Limits the lights of a model to prevent overexposure. @param reach half of the model's size in units */
function limitLights(lights: readonly OwnLight[], reach: number): void {
  const suns = lights.filter(isSun);
  const all = suns.reduce((sum, { intensity }) => sum + intensity, 0);
  for (const { light, intensity } of suns) light.intensity = intensity * Math.min(1, MAX_ILLUMINANCE / all);
  const lamps = lights.filter((each) => !isSun(each));
  // Point and spot lights decay with the square of the distance, in room units.
  const most = (MAX_ILLUMINANCE * Math.max(1, reach) ** 2) / Math.max(1, lamps.length);
  for (const { light, intensity } of lamps) light.intensity = Math.min(intensity, most);
}

function modelOf({ scene, animations, bounds, levels = [], level = 0, free }: Content): Model {
  const size = bounds.isEmpty() ? new Vector3(1, 1, 1) : bounds.getSize(new Vector3());
  scene.position.sub(bounds.isEmpty() ? new Vector3() : bounds.getCenter(new Vector3()));
  const object = new Group().add(scene);
  const lights = takeLights(scene);
  let mixer: AnimationMixer | undefined;
  return {
    object,
    size,
    levels,
    level,
    fit: (box) => {
      object.scale.setScalar(fitFactor(size, box));
      limitLights(lights, (size.length() / 2) * object.scale.x);
    },
    darken: () => {
      for (const { light } of lights) light.removeFromParent();
      lights.length = 0;
    },
    shadows: () =>
      scene.traverse((node) => {
        if (!(node as Mesh).isMesh) return;
        node.castShadow = true;
        node.receiveShadow = true;
      }),
    play: (phase) => {
      if (animations.length === 0) return undefined;
      mixer = new AnimationMixer(scene);
      // Clips of one file often pose the same bones differently; the first is usually the intended one.
      const clip = animations[0]!;
      mixer.clipAction(clip).play();
      const playing = mixer;
      let last = -1;
      return () => {
        const now = phase(clip.duration);
        if (now === last) return false;
        last = now;
        playing.setTime(now * clip.duration);
        return true;
      };
    },
    dispose: () => {
      mixer?.stopAllAction();
      mixer?.uncacheRoot(scene);
      free();
      leave();
    },
  };
}

/** Metadata of a lighter version with levels of detail. */
interface Levels {
  levels: ModelLevel[];
  level: number;
  /** Minimum and maximum of the bounds of the model itself. */
  bounds: number[];
}

/** The levels of detail that a lighter version of a model lists; undefined if it lists none. */
function levelsOf({ asset }: GLTF): (Omit<Levels, 'bounds'> & { bounds: Box3 }) | undefined {
  const { enfilade } = (asset.extras ?? {}) as { enfilade?: Partial<Levels> | null };
  const { levels, level, bounds } = enfilade ?? {};
  // Uploaded files can contain anything.
  if (!Array.isArray(levels) || levels.length > LEVEL_SIDES.length || !Array.isArray(bounds)) return undefined;
  if (!levels.every((each) => Number.isFinite(each?.pixels)) || !bounds.every(Number.isFinite)) return undefined;
  const box = new Box3(new Vector3().fromArray(bounds), new Vector3().fromArray(bounds, 3));
  if (bounds.length !== 6 || box.isEmpty() || !Number.isInteger(level) || !(level! >= 0 && level! <= levels.length))
    return undefined;
  return { levels, level: level!, bounds: box };
}

/**
 * Loads a GLTF or GLB file, including Draco, meshopt and KTX2.
 * @throws if it can't be loaded or parsed
 */
export async function loadModel(url: string, renderer: WebGLRenderer, onArrival?: OnArrival): Promise<Model> {
  const problem = meshProblem({ url });
  if (problem) throw new Error(problem);
  users++;
  try {
    const file = await loaderFor(renderer).loadAsync(url, onArrival);
    const { scene, animations } = file;
    return modelOf({
      scene,
      animations,
      ...(levelsOf(file) ?? { bounds: new Box3().setFromObject(scene, true) }),
      free: () => freeObject(scene),
    });
  } catch (error) {
    leave();
    throw error;
  }
}

/** Files used for their parts: loaded once, and disposed with the last part. */
const files = new Map<string, { file: Promise<GLTF>; users: number }>();

function releaseFile(url: string): void {
  const entry = files.get(url);
  if (!entry || --entry.users > 0) return;
  files.delete(url);
  entry.file.then(
    ({ scene }) => freeObject(scene),
    () => undefined,
  );
}

/** A copy of a node and its descendants at their position in the file; geometries and materials are shared. */
function copyOf({ scene }: GLTF, name: string): Object3D {
  scene.updateMatrixWorld();
  let found: Object3D | undefined;
  // The loader sanitizes names and stores the original in `userData`.
  scene.traverse((node) => {
    if (!found && node !== scene && (node.userData.name === name || node.name === name)) found = node;
  });
  if (!found) throw new Error(`The model has no part named ${name}.`);
  const place = new Group();
  place.applyMatrix4(found.parent!.matrixWorld);
  return new Group().add(place.add(found.clone()));
}

/** A clip restricted to existing nodes; undefined if no tracks remain. */
function clipFor(clip: AnimationClip, root: Object3D): AnimationClip | undefined {
  const isThere = ({ name }: KeyframeTrack) =>
    PropertyBinding.findNode(root, PropertyBinding.parseTrackName(name).nodeName) !== null;
  const tracks = clip.tracks.filter(isThere);
  return tracks.length > 0 ? new AnimationClip(clip.name, clip.duration, tracks) : undefined;
}

/**
 * Loads one part of a file: the named node with its descendants, at its position and scale in the whole model.
 * @throws if the file can't be loaded or has no such node
 */
export async function loadPart(
  url: string,
  node: string,
  renderer: WebGLRenderer,
  onArrival?: OnArrival,
): Promise<Model> {
  users++;
  const entry = files.get(url) ?? { file: loaderFor(renderer).loadAsync(url, onArrival), users: 0 };
  entry.users++;
  files.set(url, entry);
  try {
    const file = await entry.file;
    const scene = copyOf(file, node);
    return modelOf({
      scene,
      animations: file.animations.flatMap((clip) => clipFor(clip, scene) ?? []),
      bounds: new Box3().setFromObject(file.scene, true),
      free: () => releaseFile(url),
    });
  } catch (error) {
    releaseFile(url);
    leave();
    throw error;
  }
}
