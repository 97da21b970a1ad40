import { lowerBudget } from '../../../engine/stage/resources/device.ts';
import { say, sayAny } from '../texts/say.ts';
import type { RoomHost } from './room-controls.ts';

/** Milliseconds in which losses of the picture count together. */
const TOGETHER = 60_000;
/** Number of losses from which less is loaded and drawn, and from which the text page is offered. */
const MANY = { lower: 2, offer: 3 } as const;
/** Milliseconds after which a picture that hasn't come back counts as failed. */
const PATIENCE = 10_000;

/** Times of the last losses of this page, in milliseconds. */
let losses: number[] = [];

/**
 * Tells the visitor that a stage lost its picture, and loads less or offers the text page if that happens repeatedly.
 * Call `end` with the stage.
 */
export function pictureFollower(visit: RoomHost): { follow(state: 'lost' | 'restored'): void; end(): void } {
  let waiting: ReturnType<typeof setTimeout> | undefined;
  const offer = () => visit.tell(sayAny('pictureFails'), true, !visit.store.get().isPreview);
  return {
    follow: (state) => {
      clearTimeout(waiting);
      if (state === 'lost') {
        const now = performance.now();
        losses = [...losses.filter((at) => now - at < TOGETHER), now];
        if (losses.length >= MANY.lower) lowerBudget();
        waiting = setTimeout(offer, PATIENCE);
        visit.tell(say('pictureLost'), true);
      } else if (losses.length >= MANY.offer) offer();
      else visit.closeNotification();
    },
    end: () => {
      clearTimeout(waiting);
      if (visit.store.get().notification?.text === say('pictureLost')) visit.closeNotification();
    },
  };
}
