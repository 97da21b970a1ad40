import type { SceneEvent } from '../../scene/scene.ts';
import type { ElementView, StageContext } from '../context.ts';

/** A player of audio or video. Positions in seconds of the file, volumes from 0 to 100, and more to amplify files. */
export interface Player {
  play(at: number, muted: boolean, volume: number): void;
  pause(): void;
  /** Pauses and rewinds. */
  stop(): void;
  seek(at: number): void;
  mute(muted: boolean): void;
  setVolume(volume: number): void;
  /** Expands to the whole page, or returns to the room. */
  fullPage?(on: boolean): void;
  dispose(): void;
}

/**
 * Connects a player to the scene, starting from the current media state.
 * @param entity the element's entity
 * @returns the view methods that update the player
 */
export function followScene(
  context: StageContext,
  entity: number,
  player: Player,
): Required<Pick<ElementView, 'follow' | 'animate'>> {
  const { scene } = context;
  let playing = false;
  let volume = Number.NaN;
  const play = (at: number, muted: boolean, wanted: number) => {
    playing = true;
    volume = wanted * context.gain();
    player.play(at, muted, volume);
  };
  const begun = scene.media(entity);
  if (begun?.status === 'playing') play(begun.at, begun.muted, begun.volume);
  else if (begun?.status === 'paused') player.seek(begun.at);
  if (begun?.fullpage) player.fullPage?.(true);
  return {
    follow: (event: SceneEvent) => {
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
          volume = event.volume * context.gain();
          player.setVolume(volume);
          break;
        case 'media.fullpage':
          player.fullPage?.(event.on);
          break;
        default:
      }
    },
    // Sensors change the volume as the visitor moves, and so do changes of rooms; that requires no frame.
    animate: () => {
      if (!playing) return false;
      const now = scene.mediaVolume(entity) * context.gain();
      if (Math.abs(now - volume) >= 0.5) {
        volume = now;
        player.setVolume(now);
      }
      return false;
    },
  };
}
