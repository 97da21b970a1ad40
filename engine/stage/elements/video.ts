import { alternativeOf } from '../../document/alternative.ts';
import type { ElementOf } from '../../document/element.ts';
import { sourceOf } from '../../document/source.ts';
import type { ElementDrawing, StageContext } from '../context.ts';
import { drawPanel } from '../layers/panel.ts';
import { playElement } from '../media/element-player.ts';
import { playFrame } from '../media/frame-player.ts';
import { fullPageOf } from '../media/full-page.ts';
import { isInUse, type LatePlayer, latePlayer, nearWhenUsed } from '../media/late-player.ts';
import { followScene } from '../media/player.ts';
import { attachSource } from '../media/source.ts';
import { chooseTrack } from '../media/tracks.ts';
import { panelReport } from '../media/trouble.ts';
import { vimeoAddress, vimeoProtocol } from '../media/vimeo.ts';
import { youtubeAddress, youtubeProtocol } from '../media/youtube.ts';
import { holderOf, panelSize, playerFrame, showPage } from '../rendering/frame.ts';
import { preloadOf } from '../resources/device.ts';
import { withCleanup } from '../resources/with-cleanup.ts';

type Video = ElementOf<'video'>;

interface Made {
  content: HTMLElement;
  player: LatePlayer;
  /** Error message over the content. */
  message?: HTMLElement;
}

/** Whether a track's id is a URL. Ids of platform tracks aren't. */
const isUrl = (id: string) => /^(?:https:\/\/|\/)/.test(id);

function localPlayer(context: StageContext, element: Video): Made {
  const { controls, loop, autoplay, text_tracks, default_text_track, mime } = element.config;
  const url = sourceOf(element);
  if (!url) throw new Error('The video has no file.');
  const video = document.createElement('video');
  Object.assign(video, { controls, loop, playsInline: true, crossOrigin: 'anonymous' });
  video.preload = preloadOf(autoplay ? 'auto' : 'metadata');
  video.dataset.media = String(element.id);
  video.ariaLabel = alternativeOf(element) || 'Video';
  for (const { id, name, language } of text_tracks) {
    if (!isUrl(id)) continue;
    const track = document.createElement('track');
    Object.assign(track, { kind: 'subtitles', label: name, srclang: language, src: id });
    track.default = default_text_track === id || default_text_track === language;
    video.append(track);
  }
  const { report, message } = panelReport(context, element.id);
  const player = latePlayer(
    playElement(context, element.id, video),
    () => attachSource(video, url, report, { type: mime }),
    (reason) => context.fail(reason, element.id),
  );
  return { content: video, player, message };
}

function platformPlayer(context: StageContext, element: Video): Made {
  const { type, id, module_video, controls, muted, loop, text_tracks, default_text_track } = element.config;
  const video = module_video?.id || id;
  if (!video) throw new Error('The video has no id.');
  const subtitles = text_tracks.find((track) => track.id === default_text_track)?.language ?? default_text_track;
  const options = { controls, muted, loop, subtitles };
  const isVimeo = type === 'vimeo';
  const frame = playerFrame(videoNameOf(element));
  const address = isVimeo ? vimeoAddress(video, options) : youtubeAddress(video, options);
  const player = playFrame(context, element.id, frame, isVimeo ? vimeoProtocol : youtubeProtocol);
  const fail = (reason: unknown) => context.fail(reason, element.id);
  return { content: frame, player: latePlayer(player, () => showPage(frame, address), fail) };
}

const videoNameOf = ({ name, config }: Video) => name || config.module_video?.name || 'Video';

/** A video in a DOM player: the browser's, YouTube's or Vimeo's. */
export const draw: ElementDrawing<Video> = async (context, element, entity) => {
  const local = element.config.type === 'local';
  const { content, player, message } = local ? localPlayer(context, element) : platformPlayer(context, element);
  const holder = holderOf(content, 'video');
  if (message) holder.append(message);
  nearWhenUsed(holder, player.near);
  const panel = await withCleanup(drawPanel(context, holder, panelSize(element), 0), () => player.dispose());
  const fullPage = fullPageOf(context, holder);
  return {
    ...panel,
    ...followScene(context, entity, { ...player, fullPage }),
    near: player.near,
    ...(content instanceof HTMLVideoElement && {
      subtitles: (language: string) => chooseTrack(content, language, 'showing'),
    }),
    far: () => {
      if (!isInUse(holder)) player.far();
    },
    dispose: () => {
      if (holder.hasAttribute('data-fullpage')) fullPage(false);
      player.dispose();
      panel.dispose();
    },
  };
};
