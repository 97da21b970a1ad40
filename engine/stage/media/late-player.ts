import type { Player } from './player.ts';

/** A player whose file is fetched when its visitor is near, or wants it to play. */
export interface LatePlayer extends Player {
  /** Fetches it, if that has not begun. */
  near(): void;
  /** Lets it go, unless it is to play. */
  far(): void;
}

/**
 * Makes a player fetch its file late. What it is told to do before that it does when it has the file.
 * @param fetch gives it its file; fulfilled with a function that takes the file away, when it can be told to play
 * @param failed told why it cannot
 */
export function latePlayer(
  player: Player,
  fetch: () => Promise<() => void>,
  failed: (error: unknown) => void,
): LatePlayer {
  let isComing = false;
  let detach: (() => void) | undefined;
  let isOver = false;
  /** How it is to play once it can. */
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

/** Whether a visitor is at a piece of page: it covers the page, or has the focus. What is in it must not go then. */
export const isInUse = (page: HTMLElement): boolean =>
  page.hasAttribute('data-fullpage') || page.contains(document.activeElement);

/** Has a piece of page fetch what it shows when somebody presses it or comes to it by keyboard, however far it is. */
export function nearWhenUsed(page: HTMLElement, near: () => void): void {
  page.addEventListener('pointerdown', near);
  page.addEventListener('focusin', near);
}
