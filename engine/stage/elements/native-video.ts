import { NoColorSpace, SRGBColorSpace, type Texture, VideoTexture } from 'three';
import { alternativeOf } from '../../document/alternative.ts';
import type { ElementOf } from '../../document/element.ts';
import { sourceOf } from '../../document/source.ts';
import type { ElementDrawing, StageContext } from '../context.ts';
import { answersPress } from '../interaction/interactive.ts';
import type { AudioDescription } from '../media/audio-description.ts';
import { playElement } from '../media/element-player.ts';
import { fullPageOf } from '../media/full-page.ts';
import { latePlayer } from '../media/late-player.ts';
import { followScene } from '../media/player.ts';
import { attachSource } from '../media/source.ts';
import { addTracks, chooseTrack } from '../media/tracks.ts';
import { reportTrouble, troubleTexture } from '../media/trouble.ts';
import { preloadOf } from '../resources/device.ts';
import { modelSurface, planeSurface, type VideoSurface } from './parts/video-surface.ts';

type NativeVideo = ElementOf<'native_video'>;

/** Aspect ratio assumed until the video's size is known. */
const DEFAULT_SIZE = { width: 16, height: 9 };

/** Creates the surface that shows the video of an element. */
async function surfaceOf(context: StageContext, element: NativeVideo): Promise<VideoSurface> {
  const { projection, stereo, model_file_url } = element.config;
  if (projection === 'equirectangular')
    return (await import('./parts/video-sphere.ts')).videoSphere(
      (isCovered) => context.cover(element, isCovered),
      stereo,
      answersPress(element),
    );
  return model_file_url ? modelSurface(context, element) : planeSurface(element);
}

/** @param hasStill whether an image is shown before it plays */
function createVideo(element: NativeVideo, hasStill: boolean): HTMLVideoElement {
  const { loop, autoplay, projection } = element.config;
  const video = document.createElement('video');
  video.className = 'stage-film';
  video.playsInline = true;
  // Drawing cross-origin video to WebGL requires CORS.
  video.crossOrigin = 'anonymous';
  // Around the visitor, the first frame is needed before it plays.
  const isAround = projection === 'equirectangular';
  video.preload = preloadOf(autoplay || isAround ? 'auto' : 'metadata', isAround && !hasStill ? 'metadata' : 'none');
  video.loop = loop;
  video.dataset.media = String(element.id);
  video.ariaLabel = alternativeOf(element) || 'Video';
  return video;
}

/** The thumbnail shown before playback; undefined if there is none or it can't be loaded. */
async function thumbnail(
  { resources, renderer }: StageContext,
  { config }: NativeVideo,
  { preview }: VideoSurface,
): Promise<{ map: Texture; release(): void } | undefined> {
  const url = config.disable_thumb
    ? ''
    : config.thumb || config.module_video?.thumb_large || config.module_video?.thumb;
  if (!url || !preview) return undefined;
  const map = resources.texture(url, { ...preview, maxSize: renderer.capabilities.maxTextureSize });
  return map.then(
    (loaded) => ({ map: loaded, release: () => resources.release(url, preview) }),
    () => undefined,
  );
}

/** The audio description of a video, loaded on request; undefined if it has none. */
function descriptionOf(context: StageContext, { id, config }: NativeVideo, video: HTMLVideoElement) {
  const { audio_description: url } = config;
  if (!url) return undefined;
  let wanted = false;
  let isOver = false;
  let loaded: Promise<AudioDescription> | undefined;
  const failed = (reason: unknown) => context.fail(reason, id);
  const load = async () => {
    const { describeVideo } = await import('../media/audio-description.ts');
    return describeVideo(video, { container: context.container, url, report: reportTrouble(context, id), failed });
  };
  return {
    enable: (isOn: boolean) => {
      wanted = isOn;
      if (!isOn && !loaded) return;
      loaded ??= load();
      loaded.then((description) => isOver || description.enable(wanted), failed);
    },
    dispose: () => {
      isOver = true;
      // A failure was reported.
      loaded?.then(
        (description) => description.dispose(),
        () => undefined,
      );
    },
  };
}

/** A video drawn on a plane, on meshes of a model or around the visitor. Requests frames only for new video frames. */
export const draw: ElementDrawing<NativeVideo> = async (context, element, entity) => {
  const { config, file, id } = element;
  const url = sourceOf(element);
  if (!url) throw new Error('The video has no file.');
  const surface = await surfaceOf(context, element);
  surface.fit(file?.width && file.height ? { width: file.width, height: file.height } : DEFAULT_SIZE);
  const thumb = await thumbnail(context, element, surface);
  if (thumb) surface.put(thumb.map, false);
  /** Whether it is the video of a template, whose panorama stays until it plays. */
  const hasPanorama = id < 0;
  const video = createVideo(element, thumb !== undefined || hasPanorama);
  const texture = new VideoTexture(video);
  texture.colorSpace = surface.preview?.asIs ? NoColorSpace : SRGBColorSpace;
  texture.flipY = surface.flipY;
  let frame = 0;
  let begun = false;
  let message: Texture | undefined;
  const draw = () => {
    frame = video.requestVideoFrameCallback(draw);
    // Keep the thumbnail until playback starts.
    if (!begun && video.paused && (thumb || hasPanorama)) return;
    if (!begun && !message) surface.put(texture, false);
    begun = true;
    context.invalidate();
  };
  const report = reportTrouble(context, id, (text) => {
    const isFirst = !message && !text;
    message?.dispose();
    message = text ? troubleTexture(text, surface.flipY) : undefined;
    if (hasPanorama && isFirst && !begun) return;
    surface.put(message ?? (begun || !thumb ? texture : thumb.map), message !== undefined);
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
    surface.dispose();
    texture.dispose();
    message?.dispose();
    thumb?.release();
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
  const describes = descriptionOf(context, element, video);
  const follower = followScene(context, entity, player);
  return {
    object: surface.object,
    follow: follower.follow,
    near: late.near,
    far: late.far,
    ...(surface.show && { show: surface.show }),
    subtitles: (language: string) => {
      showCues([]);
      chooseTrack(video, language, 'hidden');
    },
    ...(describes && { describe: (isOn: boolean) => describes.enable(isOn) }),
    animate: () => {
      follower.animate(0);
      return surface.animate?.() ?? false;
    },
    dispose: () => {
      if (video.hasAttribute('data-fullpage')) fullPage(false);
      showCues([]);
      describes?.dispose();
      player.dispose();
      free();
    },
  };
};
