import { alternativeOf } from '../../document/alternative.ts';
import type { ElementOf } from '../../document/element.ts';
import type { ElementDrawing, StageContext } from '../context.ts';
import { drawPanel } from '../layers/panel.ts';
import { playElement } from '../media/element-player.ts';
import { playFrame } from '../media/frame-player.ts';
import { fullPageOf } from '../media/full-page.ts';
import { isInUse, type LatePlayer, latePlayer, nearWhenUsed } from '../media/late-player.ts';
import { followScene, type Player } from '../media/player.ts';
import { attachSource, playsHls } from '../media/source.ts';
import { panelReport } from '../media/trouble.ts';
import { vimeoAddress, vimeoEventAddress, vimeoProtocol } from '../media/vimeo.ts';
import { youtubeAddress, youtubeProtocol } from '../media/youtube.ts';
import { holderOf, panelSize, playerFrame, showPage } from '../rendering/frame.ts';
import { withCleanup } from '../resources/with-cleanup.ts';

type LiveStream = ElementOf<'live_stream'>;

interface Made {
  content: HTMLElement;
  player: LatePlayer;
  /** Whether the player reports its state; one that doesn't may be playing at any time. */
  follows: boolean;
  /** Error message over the content. */
  message?: HTMLElement;
}

/** A live stream isn't seekable. */
const LIVE = { seekable: false };

/** A player for pages that can't be controlled. */
function silentPlayer(frame: HTMLIFrameElement): Player {
  const nothing = () => undefined;
  return {
    play: nothing,
    pause: nothing,
    stop: nothing,
    seek: nothing,
    mute: nothing,
    setVolume: nothing,
    dispose: () => frame.remove(),
  };
}

function hlsPlayer(context: StageContext, element: LiveStream): Made {
  const { src, id } = element.config;
  const url = src || id;
  const video = document.createElement('video');
  if (!playsHls(video)) {
    const frame = playerFrame(titleOf(element));
    return { content: frame, player: framed(context, element, frame, url, silentPlayer(frame)), follows: false };
  }
  Object.assign(video, { playsInline: true, crossOrigin: 'anonymous', controls: true });
  video.dataset.media = String(element.id);
  video.ariaLabel = titleOf(element);
  const { report, message } = panelReport(context, element.id);
  const player = playElement(context, element.id, video, LIVE);
  const late = latePlayer(
    player,
    () => attachSource(video, url, report, { live: true }),
    (reason) => context.fail(reason, element.id),
  );
  return { content: video, player: late, follows: true, message };
}

const titleOf = (element: LiveStream) => alternativeOf(element) || 'Live stream';

/** A player in an iframe whose page is loaded late. */
const framed = (
  context: StageContext,
  { id }: LiveStream,
  frame: HTMLIFrameElement,
  address: string,
  player: Player,
): LatePlayer =>
  latePlayer(
    player,
    () => showPage(frame, address),
    (reason) => context.fail(reason, id),
  );

function makePlayer(context: StageContext, element: LiveStream): Made {
  const { type, id, src, muted } = element.config;
  if (!id && !src) throw new Error('The live stream has no id.');
  const options = { controls: true, muted, loop: false, subtitles: '' };
  const frame = playerFrame(titleOf(element));
  switch (type) {
    case 'wowza_live':
      return hlsPlayer(context, element);
    case 'vimeo_live': {
      const player = framed(context, element, frame, vimeoEventAddress(id), silentPlayer(frame));
      return { content: frame, player, follows: false };
    }
    case 'vimeo': {
      const player = playFrame(context, element.id, frame, vimeoProtocol, LIVE);
      const late = framed(context, element, frame, vimeoAddress(id, options), player);
      return { content: frame, player: late, follows: true };
    }
    case 'youtube_live': {
      const player = playFrame(context, element.id, frame, youtubeProtocol, LIVE);
      const late = framed(context, element, frame, youtubeAddress(id, options), player);
      return { content: frame, player: late, follows: true };
    }
  }
}

/** A live stream: HLS in a video element, other types in the platform's player. */
export const draw: ElementDrawing<LiveStream> = async (context, element, entity) => {
  const { content, player, follows, message } = makePlayer(context, element);
  const holder = holderOf(content, 'live_stream');
  if (message) holder.append(message);
  nearWhenUsed(holder, player.near);
  const panel = await withCleanup(drawPanel(context, holder, panelSize(element), 0), () => player.dispose());
  const fullPage = fullPageOf(context, holder);
  return {
    ...panel,
    ...followScene(context, entity, { ...player, fullPage }),
    near: player.near,
    far: () => {
      if (follows && !isInUse(holder)) player.far();
    },
    dispose: () => {
      if (holder.hasAttribute('data-fullpage')) fullPage(false);
      player.dispose();
      panel.dispose();
    },
  };
};
