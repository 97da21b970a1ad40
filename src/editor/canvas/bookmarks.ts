import { observable, observableRef, runInAction } from 'mobx';
import { z } from 'zod';
import { vector } from '../../../engine/document/fields.ts';
import type { CameraView } from '../../../engine/tools/camera/camera-views.ts';
import { storedText } from '../../ui/storage.ts';

/** Places that a bookmark can have. */
export const BOOKMARKS = [1, 2, 3, 4, 5, 6, 7, 8, 9] as const;

const viewsSchema = z.record(z.string().regex(/^[1-9]$/), z.object({ position: vector(), target: vector() }));
type Views = Readonly<Record<string, CameraView>>;

function parse(text: string | null): Views {
  try {
    return viewsSchema.parse(JSON.parse(text ?? '{}'));
  } catch {
    return {};
  }
}

const round = ({ x, y, z: depth }: CameraView['position']) => ({
  x: Math.round(x * 10) / 10,
  y: Math.round(y * 10) / 10,
  z: Math.round(depth * 10) / 10,
});

/** Views of a space that somebody comes back to, kept in this browser. */
export class Bookmarks {
  readonly #stored;
  readonly #state: { views: Views };

  constructor(roomId: number) {
    this.#stored = storedText(`enfilade.camera-bookmarks:${roomId}`);
    this.#state = observable.object({ views: parse(this.#stored.get()) }, { views: observableRef });
  }

  /** The view that is kept at a place (observed). */
  at(place: number): CameraView | undefined {
    return this.#state.views[place];
  }

  keep(place: number, { position, target }: CameraView): void {
    // Another window of this browser may have kept some meanwhile.
    const views = { ...parse(this.#stored.get()), [place]: { position: round(position), target: round(target) } };
    this.#stored.set(JSON.stringify(views));
    runInAction(() => (this.#state.views = views));
  }
}

const known = new Map<number, Bookmarks>();

/** The bookmarks of a space; one for each. */
export function bookmarksOf(roomId: number): Bookmarks {
  const bookmarks = known.get(roomId) ?? new Bookmarks(roomId);
  known.set(roomId, bookmarks);
  return bookmarks;
}
