import {
  type BufferGeometry,
  Group,
  type Material,
  Mesh,
  MeshBasicMaterial,
  MeshStandardMaterial,
  type Object3D,
  PlaneGeometry,
  type Texture,
} from 'three';
import type { ElementOf } from '../../../document/element.ts';
import { imageSize } from '../../../document/image-size.ts';
import type { StageContext } from '../../context.ts';
import { boxOf } from '../../resources/box.ts';
import type { TextureOptions } from '../../resources/resources.ts';
import { selectedNames } from './selected-names.ts';

type NativeVideo = ElementOf<'native_video'>;
type Screen = Mesh<BufferGeometry, MeshBasicMaterial | MeshStandardMaterial>;

/** Color of a screen before playback. */
const DARK = '#14171C';

/** A surface that shows a video. */
export interface VideoSurface {
  object: Object3D;
  /** Texture orientation: models and spheres use unflipped textures. */
  flipY: boolean;
  /** How the preview image is loaded; null to show none. */
  preview: Omit<TextureOptions, 'maxSize'> | null;
  /** Adapts to the video's size in pixels. */
  fit(film: { width: number; height: number }): void;
  /** Shows a texture: a frame, the preview image, or a message about trouble. */
  put(map: Texture, isMessage: boolean): void;
  show?(visible: boolean): void;
  animate?: (() => boolean) | undefined;
  dispose(): void;
}

function putOn(screens: readonly Screen[], map: Texture | null): void {
  for (const { material } of screens) {
    material.map = map;
    material.color.set('#FFFFFF');
    material.needsUpdate = true;
  }
}

function freeScreens(screens: readonly Screen[]): void {
  for (const { material } of screens) {
    material.map = null;
    material.dispose();
  }
}

const screenMaterial = (ignoreLight: boolean) =>
  ignoreLight
    ? new MeshBasicMaterial({ color: DARK, toneMapped: false })
    : new MeshStandardMaterial({ color: DARK, roughness: 0.9, envMapIntensity: 0 });

/** A plane of the video's aspect ratio. */
export function planeSurface(element: NativeVideo): VideoSurface {
  const screen = new Mesh(new PlaneGeometry(1, 1), screenMaterial(element.ignore_light));
  return {
    object: new Group().add(screen),
    flipY: true,
    preview: {},
    put: (map) => putOn([screen], map),
    fit: (film) => {
      const { width, height } = imageSize(element, film);
      screen.scale.set(width, height, 1);
    },
    dispose: () => {
      screen.geometry.dispose();
      freeScreens([screen]);
    },
  };
}

/** Meshes of a model selected by name, either as in the file or as sanitized by the loader. */
function namedMeshes(model: Object3D, selector: string): Mesh[] {
  const known = new Set<string>();
  model.traverse(({ name, userData }) => known.add(name).add(String(userData.name ?? '')));
  const names = new Set(selectedNames(selector, known));
  const isNamed = (object: Object3D | null): boolean =>
    object !== null && (names.has(object.name) || names.has(object.userData.name) || isNamed(object.parent));
  const found: Mesh[] = [];
  model.traverse((object) => {
    if ((object as Mesh).isMesh && isNamed(object)) found.push(object as Mesh);
  });
  return found;
}

/** Meshes of a model. @throws if the model can't be loaded, or has none of the meshes */
export async function modelSurface(context: StageContext, element: NativeVideo): Promise<VideoSurface> {
  const { model_file_url, model_mesh_selector, model_animate } = element.config;
  context.lightFromEnvironment();
  const model = await context.resources.track(async (onArrival) => {
    const { loadModel } = await import('../../resources/gltf.ts');
    return loadModel(model_file_url, context.renderer, onArrival);
  });
  model.fit(boxOf(element));
  model.shadows();
  const screens = namedMeshes(model.object, model_mesh_selector) as Screen[];
  if (screens.length === 0) {
    model.dispose();
    throw new Error(`The model has no mesh named ${model_mesh_selector || '(no name is given)'}.`);
  }
  const replaced: Material[] = [];
  for (const screen of screens) {
    replaced.push(screen.material);
    screen.material = screenMaterial(element.ignore_light);
  }
  return {
    object: new Group().add(model.object),
    flipY: false,
    preview: null,
    put: (map) => putOn(screens, map),
    fit: () => undefined,
    animate: model_animate ? model.play(context.phase) : undefined,
    dispose: () => {
      freeScreens(screens);
      for (const material of replaced) material.dispose();
      model.dispose();
    },
  };
}
