import type { Element } from '../../../engine/document/element.ts';
import type { SceneEvent } from '../../../engine/scene/scene.ts';
import type { CameraPose } from '../../../engine/scene/view/camera-pose.ts';

/** Events of a visit. */
import type { VisitedRoom } from './visit-data.ts';
export type VisitEvent =
  /** The room rendered its first frame. */
  | { type: 'first_frame' }
  /** All elements are rendered or skipped. */
  | { type: 'ready'; room: VisitedRoom }
  | { type: 'moved'; pose: CameraPose }
  /** The scene is about to jump in time. */
  | { type: 'tick' }
  | { type: 'scene'; event: SceneEvent }
  /** The visitor points at an element. */
  | { type: 'pointed'; element_id: number }
  /** The visitor pressed an element. */
  | { type: 'pressed'; element: Element }
  /** A link emits a custom event. */
  | { type: 'custom'; name: string }
  /** The visitor shared a message. */
  | { type: 'shared' }
  /** Third-party content was allowed or refused, by host. */
  | { type: 'consent'; hosts: Readonly<Record<string, boolean>> }
  | { type: 'failed'; message: string; element_id: number | null };

/** Event emitter of a visit. */
export class VisitEvents {
  readonly #listeners = new Set<(event: VisitEvent) => unknown>();

  tell(event: VisitEvent): void {
    for (const listener of this.#listeners) listener(event);
  }

  /** @returns unsubscribe function */
  subscribe(listener: (event: VisitEvent) => unknown): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
