import type { Element } from '../../../engine/document/element.ts';
import type { SceneEvent } from '../../../engine/scene/scene.ts';
import type { CameraPose } from '../../../engine/scene/view/camera-pose.ts';
import type { PublicRoom } from '../../contract/entities.ts';

/** What happens on a visit, for those who tell others of it. */
export type VisitEvent =
  /** The room stands in its first frame. */
  | { type: 'first_frame' }
  /** Every element was drawn or skipped. */
  | { type: 'ready'; room: PublicRoom }
  | { type: 'moved'; pose: CameraPose }
  /** The scene is about to be brought to another time. */
  | { type: 'tick' }
  | { type: 'scene'; event: SceneEvent }
  /** The visitor pressed an element. */
  | { type: 'pressed'; element: Element }
  /** A link of the room asks for an event of the site's own. */
  | { type: 'custom'; name: string }
  /** The visitor shared a message. */
  | { type: 'shared' }
  | { type: 'failed'; message: string; element_id: number | null };

/** Tells listeners what happens on a visit. */
export class VisitEvents {
  readonly #listeners = new Set<(event: VisitEvent) => unknown>();

  tell(event: VisitEvent): void {
    for (const listener of this.#listeners) listener(event);
  }

  /** @returns a function that stops listening */
  subscribe(listener: (event: VisitEvent) => unknown): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
