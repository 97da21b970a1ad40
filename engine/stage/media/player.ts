import type { SceneEvent } from '../../scene/scene.ts';
import type { ElementView, StageContext } from '../context.ts';

/** Whatever plays a sound or a video. Moments in seconds of the file, volumes from 0 to 100. */
export interface Player {
  play(at: number, muted: boolean, volume: number): void;
  pause(): void;
  /** Pauses and goes back to the beginning. */
  stop(): void;
  seek(at: number): void;
  mute(muted: boolean): void;
  setVolume(volume: number): void;
  /** Covers the page, or goes back into the room. */
  fullPage?(on: boolean): void;
  dispose(): void;
}

/**
 * Lets a player do what the scene says, beginning with what it would be doing had it been there all along.
 * @param entity the element's entity
 * @returns the parts of a view that follow the scene
 */
export function followScene(
  context: StageContext,
  entity: number,
  player: Player,
): Required<Pick<ElementView, 'tell' | 'animate'>> {
  const { scene } = context;
  let playing = false;
  let volume = Number.NaN;
  const play = (at: number, muted: boolean, wanted: number) => {
    playing = true;
    volume = wanted;
    player.play(at, muted, wanted);
  };
  const begun = scene.media(entity);
  if (begun?.status === 'playing') play(begun.at, begun.muted, begun.volume);
  else if (begun?.status === 'paused') player.seek(begun.at);
  if (begun?.fullpage) player.fullPage?.(true);
  return {
    tell: (event: SceneEvent) => {
      switch (event.type) {
        case 'media.play':
          play(event.at, event.muted, event.volume);
          break;
        case 'media.pause':
        case 'media.ended':
          playing = false;
          player.pause();
          break;
        case 'media.stop':
          playing = false;
          player.stop();
          break;
        case 'media.seek':
          player.seek(event.at);
          break;
        case 'media.mute':
        case 'media.unmute':
          player.mute(event.type === 'media.mute');
          break;
        case 'media.volume':
          volume = event.volume;
          player.setVolume(volume);
          break;
        case 'media.fullpage':
          player.fullPage?.(event.on);
          break;
        default:
      }
    },
    // A sensor changes the volume with every step of the visitor; that draws nothing.
    animate: () => {
      if (!playing) return false;
      const now = scene.mediaVolume(entity);
      if (Math.abs(now - volume) >= 0.5) {
        volume = now;
        player.setVolume(now);
      }
      return false;
    },
  };
}
