import type { ElementOf } from '../../document/element.ts';
import type { ElementDrawing, StageContext } from '../context.ts';
import { holderOf, panelSize, playerFrame } from '../frame.ts';
import { holding } from '../holding.ts';
import { playElement } from '../media/element-player.ts';
import { playFrame } from '../media/frame-player.ts';
import { fullPageOf } from '../media/full-page.ts';
import { followScene, type Player } from '../media/player.ts';
import { attachSource, playsHls } from '../media/source.ts';
import { vimeoAddress, vimeoEventAddress, vimeoProtocol } from '../media/vimeo.ts';
import { youtubeAddress, youtubeProtocol } from '../media/youtube.ts';
import { drawPanel } from '../panel.ts';

type Broadcast = ElementOf<'live_stream'>;

interface Made {
  content: HTMLElement;
  player: Player;
}

/** A broadcast has no moments: it plays what is on. */
const LIVE = { seekable: false };

/** A page that plays by itself and can't be told anything. */
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

async function hlsPlayer(context: StageContext, element: Broadcast): Promise<Made> {
  const { src, id } = element.config;
  const url = src || id;
  const video = document.createElement('video');
  if (!playsHls(video)) {
    const frame = playerFrame(url, nameOf(element));
    return { content: frame, player: silentPlayer(frame) };
  }
  Object.assign(video, { playsInline: true, crossOrigin: 'anonymous', controls: true });
  video.dataset.media = String(element.id);
  video.ariaLabel = nameOf(element);
  const detach = await attachSource(video, url, (reason) => context.fail(reason, element.id), { live: true });
  const player = playElement(context, element.id, video, LIVE);
  const dispose = () => {
    player.dispose();
    detach();
  };
  return { content: video, player: { ...player, dispose } };
}

const nameOf = ({ name }: Broadcast) => name || 'Live stream';

async function makePlayer(context: StageContext, element: Broadcast): Promise<Made> {
  const { type, id, src, muted } = element.config;
  if (!id && !src) throw new Error('The live stream has no id.');
  const options = { controls: true, muted, loop: false, subtitles: '' };
  switch (type) {
    case 'wowza_live':
      return hlsPlayer(context, element);
    case 'vimeo_live': {
      const frame = playerFrame(vimeoEventAddress(id), nameOf(element));
      return { content: frame, player: silentPlayer(frame) };
    }
    case 'vimeo': {
      const frame = playerFrame(vimeoAddress(id, options), nameOf(element));
      return { content: frame, player: playFrame(context, element.id, frame, vimeoProtocol, LIVE) };
    }
    case 'youtube_live': {
      const frame = playerFrame(youtubeAddress(id, options), nameOf(element));
      return { content: frame, player: playFrame(context, element.id, frame, youtubeProtocol, LIVE) };
    }
  }
}

/** A broadcast: HLS in the browser's own player, otherwise in the platform's. */
export const drawLiveStream: ElementDrawing<Broadcast> = async (context, element, entity) => {
  const { content, player } = await makePlayer(context, element);
  const holder = holderOf(content, 'live_stream');
  const panel = await holding(drawPanel(context, holder, panelSize(element), 0), () => player.dispose());
  const fullPage = fullPageOf(context, holder);
  return {
    ...panel,
    ...followScene(context, entity, { ...player, fullPage }),
    dispose: () => {
      if (holder.hasAttribute('data-fullpage')) fullPage(false);
      player.dispose();
      panel.dispose();
    },
  };
};
