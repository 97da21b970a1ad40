import { AnimationMixer, Box3, Group, type Mesh, type Object3D, Vector3, type WebGLRenderer } from 'three';
import { MeshoptDecoder } from 'three/addons/libs/meshopt_decoder.module.js';
import { DRACOLoader } from 'three/addons/loaders/DRACOLoader.js';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import type { Vector } from '../document/fields.ts';
import { freeObject } from './free.ts';
import { FileWorkerKtx2Loader } from './ktx2.ts';

/** Decoders that run in workers are shared, and end with the last model that used them. */
let shared: { draco: DRACOLoader; ktx2: FileWorkerKtx2Loader; loader: GLTFLoader } | undefined;
let users = 0;

function loaderFor(renderer: WebGLRenderer): GLTFLoader {
  if (!shared) {
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

/**
 * Loads a GLTF or GLB file, Draco, meshopt and KTX2 included.
 * @throws when it can't be loaded or read
 */
export async function loadModel(url: string, renderer: WebGLRenderer): Promise<Model> {
  users++;
  try {
    const { scene, animations } = await loaderFor(renderer).loadAsync(url);
    const bounds = new Box3().setFromObject(scene, true);
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
        freeObject(object);
        leave();
      },
    };
  } catch (error) {
    leave();
    throw error;
  }
}
