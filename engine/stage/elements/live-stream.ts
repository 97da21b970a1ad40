import type { ElementOf } from '../../document/element.ts';
import type { ElementDrawing, StageContext } from '../context.ts';
import { drawPanel } from '../layers/panel.ts';
import { playElement } from '../media/element-player.ts';
import { playFrame } from '../media/frame-player.ts';
import { fullPageOf } from '../media/full-page.ts';
import { isInUse, type LatePlayer, latePlayer, nearWhenUsed } from '../media/late-player.ts';
import { followScene, type Player } from '../media/player.ts';
import { attachSource, playsHls } from '../media/source.ts';
import { vimeoAddress, vimeoEventAddress, vimeoProtocol } from '../media/vimeo.ts';
import { youtubeAddress, youtubeProtocol } from '../media/youtube.ts';
import { holderOf, panelSize, playerFrame, showPage } from '../rendering/frame.ts';
import { withCleanup } from '../resources/with-cleanup.ts';

type Broadcast = ElementOf<'live_stream'>;

interface Made {
  content: HTMLElement;
  player: LatePlayer;
  /** Whether it says when it plays: what does not may be playing. */
  tells: boolean;
}

/** A broadcast has no moments: it plays what is on. */
const LIVE = { seekable: false };

/** A page that plays by itself and cannot be told anything. */
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

function hlsPlayer(context: StageContext, element: Broadcast): Made {
  const { src, id } = element.config;
  const url = src || id;
  const video = document.createElement('video');
  if (!playsHls(video)) {
    const frame = playerFrame(broadcastNameOf(element));
    return { content: frame, player: framed(context, element, frame, url, silentPlayer(frame)), tells: false };
  }
  Object.assign(video, { playsInline: true, crossOrigin: 'anonymous', controls: true });
  video.dataset.media = String(element.id);
  video.ariaLabel = broadcastNameOf(element);
  const fail = (reason: unknown) => context.fail(reason, element.id);
  const player = playElement(context, element.id, video, LIVE);
  const late = latePlayer(player, () => attachSource(video, url, fail, { live: true }), fail);
  return { content: video, player: late, tells: true };
}

const broadcastNameOf = ({ name }: Broadcast) => name || 'Live stream';

/** A player in a frame, whose page comes late. */
const framed = (
  context: StageContext,
  { id }: Broadcast,
  frame: HTMLIFrameElement,
  address: string,
  player: Player,
): LatePlayer =>
  latePlayer(
    player,
    () => showPage(frame, address),
    (reason) => context.fail(reason, id),
  );

function makePlayer(context: StageContext, element: Broadcast): Made {
  const { type, id, src, muted } = element.config;
  if (!id && !src) throw new Error('The live stream has no id.');
  const options = { controls: true, muted, loop: false, subtitles: '' };
  const frame = playerFrame(broadcastNameOf(element));
  switch (type) {
    case 'wowza_live':
      return hlsPlayer(context, element);
    case 'vimeo_live': {
      const player = framed(context, element, frame, vimeoEventAddress(id), silentPlayer(frame));
      return { content: frame, player, tells: false };
    }
    case 'vimeo': {
      const player = playFrame(context, element.id, frame, vimeoProtocol, LIVE);
      const late = framed(context, element, frame, vimeoAddress(id, options), player);
      return { content: frame, player: late, tells: true };
    }
    case 'youtube_live': {
      const player = playFrame(context, element.id, frame, youtubeProtocol, LIVE);
      const late = framed(context, element, frame, youtubeAddress(id, options), player);
      return { content: frame, player: late, tells: true };
    }
  }
}

/** A broadcast: HLS in the browser's own player, otherwise in the platform's. */
export const draw: ElementDrawing<Broadcast> = async (context, element, entity) => {
  const { content, player, tells } = makePlayer(context, element);
  const holder = holderOf(content, 'live_stream');
  nearWhenUsed(holder, player.near);
  const panel = await withCleanup(drawPanel(context, holder, panelSize(element), 0), () => player.dispose());
  const fullPage = fullPageOf(context, holder);
  return {
    ...panel,
    ...followScene(context, entity, { ...player, fullPage }),
    near: player.near,
    far: () => {
      if (tells && !isInUse(holder)) player.far();
    },
    dispose: () => {
      if (holder.hasAttribute('data-fullpage')) fullPage(false);
      player.dispose();
      panel.dispose();
    },
  };
};
