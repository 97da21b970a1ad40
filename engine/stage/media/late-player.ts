import type { Player } from './player.ts';

/** A player that loads its source when the visitor is near or starts playback. */
export interface LatePlayer extends Player {
  /** Loads the source, if not already started. */
  near(): void;
  /** Unloads the source, unless playback is pending. */
  far(): void;
}

/**
 * Makes a player load its source lazily. Commands sent before that take effect after loading.
 * @param fetch attaches the source; resolves when ready to play, with a function that detaches it
 * @param failed called if loading fails
 */
export function latePlayer(
  player: Player,
  fetch: () => Promise<() => void>,
  failed: (error: unknown) => void,
): LatePlayer {
  let isComing = false;
  let detach: (() => void) | undefined;
  let isOver = false;
  /** Pending play command. */
  let wanted: { at: number; muted: boolean; volume: number } | undefined;
  const begin = () => {
    if (wanted) player.play(wanted.at, wanted.muted, wanted.volume);
    wanted = undefined;
  };
  const near = () => {
    if (isComing) return;
    isComing = true;
    fetch().then((end) => {
      if (isOver) end();
      else {
        detach = end;
        begin();
      }
    }, failed);
  };
  const halt = () => {
    wanted = undefined;
  };
  return {
    near,
    far: () => {
      if (wanted || !detach) return;
      player.pause();
      detach();
      detach = undefined;
      isComing = false;
    },
    play: (at, muted, volume) => {
      wanted = { at, muted, volume };
      near();
      if (detach) begin();
    },
    pause: () => {
      halt();
      player.pause();
    },
    stop: () => {
      halt();
      player.stop();
    },
    seek: (at) => {
      if (wanted) wanted.at = at;
      else player.seek(at);
    },
    mute: (muted) => {
      if (wanted) wanted.muted = muted;
      player.mute(muted);
    },
    setVolume: (volume) => {
      if (wanted) wanted.volume = volume;
      player.setVolume(volume);
    },
    dispose: () => {
      isOver = true;
      halt();
      player.dispose();
      detach?.();
    },
  };
}

/** Whether a panel is in use (full page or focused), so that its content must not be unloaded. */
export const isInUse = (page: HTMLElement): boolean =>
  page.hasAttribute('data-fullpage') || page.contains(document.activeElement);

/** Loads a panel's content when it is clicked or focused, regardless of distance. */
export function nearWhenUsed(page: HTMLElement, near: () => void): void {
  page.addEventListener('pointerdown', near);
  page.addEventListener('focusin', near);
}
