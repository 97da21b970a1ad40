import {
  type BufferGeometry,
  Group,
  type Material,
  Mesh,
  MeshBasicMaterial,
  MeshStandardMaterial,
  type Object3D,
  PlaneGeometry,
  SRGBColorSpace,
  type Texture,
  VideoTexture,
} from 'three';
import { alternativeOf } from '../../document/alternative.ts';
import type { ElementOf } from '../../document/element.ts';
import { imageSize } from '../../document/image-size.ts';
import { sourceOf } from '../../document/source.ts';
import type { ElementDrawing, StageContext } from '../context.ts';
import { playElement } from '../media/element-player.ts';
import { fullPageOf } from '../media/full-page.ts';
import { latePlayer } from '../media/late-player.ts';
import { followScene } from '../media/player.ts';
import { attachSource } from '../media/source.ts';
import { addTracks, chooseTrack } from '../media/tracks.ts';
import { reportTrouble, troubleTexture } from '../media/trouble.ts';
import { boxOf } from './parts/box.ts';
import { selectedNames } from './parts/selected-names.ts';

type NativeVideo = ElementOf<'native_video'>;
type Screen = Mesh<BufferGeometry, MeshBasicMaterial | MeshStandardMaterial>;

/** Aspect ratio assumed until the video's size is known. */
const DEFAULT_SIZE = { width: 16, height: 9 };
/** Color of a screen before playback. */
const DARK = '#14171C';

/** The meshes that show the video, each with its own material, and their parent object. */
interface Surface {
  object: Object3D;
  screens: Screen[];
  /** Texture orientation: models use unflipped textures. */
  flipY: boolean;
  /** Adapts to the video's size in pixels. */
  fit(film: { width: number; height: number }): void;
  animate?: () => boolean;
  dispose(): void;
}

const screenMaterial = (ignoreLight: boolean) =>
  ignoreLight
    ? new MeshBasicMaterial({ color: DARK, toneMapped: false })
    : new MeshStandardMaterial({ color: DARK, roughness: 0.9, envMapIntensity: 0 });

function plane(element: NativeVideo): Surface {
  const screen = new Mesh(new PlaneGeometry(1, 1), screenMaterial(element.ignore_light));
  return {
    object: new Group().add(screen),
    screens: [screen],
    flipY: true,
    fit: (film) => {
      const { width, height } = imageSize(element, film);
      screen.scale.set(width, height, 1);
    },
    dispose: () => {
      screen.geometry.dispose();
      screen.material.dispose();
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

async function modelSurface(context: StageContext, element: NativeVideo): Promise<Surface> {
  const { model_file_url, model_mesh_selector, model_animate } = element.config;
  context.lightFromEnvironment();
  const model = await context.resources.track(async (onArrival) => {
    const { loadModel } = await import('../resources/gltf.ts');
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
    screens,
    flipY: false,
    fit: () => undefined,
    animate: model_animate ? model.play(context.phase) : undefined,
    dispose: () => {
      for (const material of replaced) material.dispose();
      model.dispose();
    },
  };
}

function createVideo(element: NativeVideo): HTMLVideoElement {
  const { loop, autoplay } = element.config;
  const video = document.createElement('video');
  video.className = 'stage-film';
  video.playsInline = true;
  // Drawing cross-origin video to WebGL requires CORS.
  video.crossOrigin = 'anonymous';
  video.preload = autoplay ? 'auto' : 'metadata';
  video.loop = loop;
  video.dataset.media = String(element.id);
  video.ariaLabel = alternativeOf(element) || 'Video';
  return video;
}

/** Sets the texture of a surface. */
function put({ screens }: Surface, map: Texture): void {
  for (const { material } of screens) {
    material.map = map;
    material.color.set('#FFFFFF');
    material.needsUpdate = true;
  }
}

/** The thumbnail shown before playback; undefined if it can't be loaded. */
async function thumbnail(
  context: StageContext,
  { config }: NativeVideo,
): Promise<{ url: string; map: Texture } | undefined> {
  const url = config.disable_thumb
    ? ''
    : config.thumb || config.module_video?.thumb_large || config.module_video?.thumb;
  if (!url) return undefined;
  const maxSize = context.renderer.capabilities.maxTextureSize;
  return context.resources.texture(url, { maxSize }).then(
    (map) => ({ url, map }),
    () => undefined,
  );
}

/** A video drawn on a plane or on meshes of a model. Requests frames only for new video frames. */
export const draw: ElementDrawing<NativeVideo> = async (context, element, entity) => {
  const { config, file, id } = element;
  const url = sourceOf(element);
  if (!url) throw new Error('The video has no file.');
  const surface = config.model_file_url ? await modelSurface(context, element) : plane(element);
  surface.fit(file?.width && file.height ? { width: file.width, height: file.height } : DEFAULT_SIZE);
  const thumb = await thumbnail(context, element);
  if (thumb && surface.flipY) put(surface, thumb.map);
  const video = createVideo(element);
  const texture = new VideoTexture(video);
  texture.colorSpace = SRGBColorSpace;
  texture.flipY = surface.flipY;
  let frame = 0;
  let begun = false;
  let message: Texture | undefined;
  const draw = () => {
    frame = video.requestVideoFrameCallback(draw);
    // Keep the thumbnail until playback starts.
    if (!begun && video.paused && thumb) return;
    if (!begun && !message) put(surface, texture);
    begun = true;
    context.invalidate();
  };
  const report = reportTrouble(context, id, (text) => {
    message?.dispose();
    message = text ? troubleTexture(text, surface.flipY) : undefined;
    put(surface, message ?? (begun || !thumb || !surface.flipY ? texture : thumb.map));
    context.invalidate();
  });
  frame = video.requestVideoFrameCallback(draw);
  video.addEventListener('loadedmetadata', () => {
    if (video.videoWidth === 0) return;
    surface.fit({ width: video.videoWidth, height: video.videoHeight });
    context.invalidate();
  });
  const showCues = (lines: readonly string[]) => context.cues(id, lines);
  addTracks(video, config.text_tracks, config.default_text_track, {
    notify: showCues,
    found: (language) => context.subtitlesFound(id, language),
  });
  const free = () => {
    video.cancelVideoFrameCallback(frame);
    for (const { material } of surface.screens) {
      material.map = null;
      material.dispose();
    }
    surface.dispose();
    texture.dispose();
    message?.dispose();
    if (thumb) context.resources.release(thumb.url);
  };
  context.container.append(video);
  const fullPage = fullPageOf(context, video);
  const fail = (reason: unknown) => context.fail(reason, id);
  const late = latePlayer(playElement(context, id, video), () => attachSource(video, url, report), fail);
  const player = {
    ...late,
    fullPage: (on: boolean) => {
      if (on) late.near();
      video.controls = on && config.controls;
      fullPage(on);
    },
  };
  const follower = followScene(context, entity, player);
  return {
    object: surface.object,
    follow: follower.follow,
    near: late.near,
    far: late.far,
    subtitles: (language: string) => {
      showCues([]);
      chooseTrack(video, language, 'hidden');
    },
    animate: () => {
      follower.animate(0);
      return surface.animate?.() ?? false;
    },
    dispose: () => {
      if (video.hasAttribute('data-fullpage')) fullPage(false);
      showCues([]);
      player.dispose();
      free();
    },
  };
};
