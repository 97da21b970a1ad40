import workerUrl from 'virtual:basis-worker';
import {
  AnimationClip,
  AnimationMixer,
  Box3,
  Group,
  type KeyframeTrack,
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
import { freeObject } from './free.ts';
import type { OnArrival } from './load-progress.ts';
import { allowOwnScripts } from './own-scripts.ts';

/** Loads KTX2 pictures with a worker that is a file, so that the page's policy needs no `eval`. */
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

/** Decoders that run in workers are shared, and end with the last model that used them. */
let shared: { draco: DRACOLoader; ktx2: FileWorkerKtx2Loader; loader: GLTFLoader } | undefined;
let users = 0;

function loaderFor(renderer: WebGLRenderer): GLTFLoader {
  if (!shared) {
    allowOwnScripts();
    const draco = new DRACOLoader();
    const ktx2 = new FileWorkerKtx2Loader().detectSupport(renderer);
    const loader = new GLTFLoader().setDRACOLoader(draco).setKTX2Loader(ktx2).setMeshoptDecoder(MeshoptDecoder);
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

/** A loaded model, its middle at the origin. */
export interface Model {
  readonly object: Object3D;
  /** Size before fitting, in the file's own unit. */
  readonly size: Vector3;
  /** Scales it evenly so that it fills a box as far as it can. */
  fit(box: Vector): void;
  /** Lets it cast and receive shadows. */
  shadows(): void;
  /**
   * Starts its animation.
   * @param phase how far a clip of some seconds has come, from 0 to below 1: the room's time decides, so that a picture
   * of one moment is always the same
   * @returns a function that brings it there and tells whether anything moved; undefined when there is none
   */
  play(phase: (seconds: number) => number): (() => boolean) | undefined;
  dispose(): void;
}

/** What a model is made of: what is drawn of it, and the bounds of the whole file. */
interface Content {
  scene: Object3D;
  animations: AnimationClip[];
  bounds: Box3;
  free(): void;
}

function modelOf({ scene, animations, bounds, free }: Content): Model {
  const size = bounds.isEmpty() ? new Vector3(1, 1, 1) : bounds.getSize(new Vector3());
  scene.position.sub(bounds.isEmpty() ? new Vector3() : bounds.getCenter(new Vector3()));
  const object = new Group().add(scene);
  let mixer: AnimationMixer | undefined;
  return {
    object,
    size,
    fit: (box) => {
      const ratios = [box.x / size.x, box.y / size.y, box.z / size.z].filter(Number.isFinite);
      object.scale.setScalar(Math.min(...ratios));
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
      // Clips of one file often pose the same bones in different ways; the first is the one that its maker shows.
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

/**
 * Loads a GLTF or GLB file, Draco, meshopt and KTX2 included.
 * @throws when it cannot be loaded or read
 */
export async function loadModel(url: string, renderer: WebGLRenderer, onArrival?: OnArrival): Promise<Model> {
  users++;
  try {
    const { scene, animations } = await loaderFor(renderer).loadAsync(url, onArrival);
    return modelOf({
      scene,
      animations,
      bounds: new Box3().setFromObject(scene, true),
      free: () => freeObject(scene),
    });
  } catch (error) {
    leave();
    throw error;
  }
}

/** Files whose parts are shown: loaded once, however many parts there are, and freed after the last. */
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

/** A copy of a node with all below it, where it stands in its file; geometries and materials are those of the file. */
function copyOf({ scene }: GLTF, name: string): Object3D {
  scene.updateMatrixWorld();
  let found: Object3D | undefined;
  // The loader makes names fit for its tracks, and keeps the file's own beside them.
  scene.traverse((node) => {
    if (!found && node !== scene && (node.userData.name === name || node.name === name)) found = node;
  });
  if (!found) throw new Error(`The model has no part named ${name}.`);
  const place = new Group();
  place.applyMatrix4(found.parent!.matrixWorld);
  return new Group().add(place.add(found.clone()));
}

/** A clip without what it says of nodes that are not there; undefined where nothing is left. */
function clipFor(clip: AnimationClip, root: Object3D): AnimationClip | undefined {
  const isThere = ({ name }: KeyframeTrack) =>
    PropertyBinding.findNode(root, PropertyBinding.parseTrackName(name).nodeName) !== null;
  const tracks = clip.tracks.filter(isThere);
  return tracks.length > 0 ? new AnimationClip(clip.name, clip.duration, tracks) : undefined;
}

/**
 * Loads one part of a file: the node of this name with all below it, where it stands in the whole and as large.
 * @throws when the file cannot be loaded or has no such node
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
