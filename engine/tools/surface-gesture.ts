import { topmost } from '../document/tree.ts';
import { snapGrid, type TransformContext } from '../machines/transform.ts';
import type { Stage } from '../stage/stage.ts';
import type { EditEvents } from './edit-events.ts';
import type { Handles } from './handles.ts';
import type { Picker } from './picker.ts';
import type { PagePoint } from './screen.ts';
import { SurfaceDrag } from './surface-drag.ts';

interface GestureParts {
  stage: Stage;
  handles: Handles;
  picker: Picker;
  context(): TransformContext;
}

/** Picks up the selection, drags it along surfaces, and puts it down as one undo step. */
export class SurfaceGesture {
  readonly #parts: GestureParts;
  readonly #events: Pick<EditEvents, 'transformed' | 'ended' | 'copied'>;
  readonly #drag: SurfaceDrag;
  /** Whether to put down copies and leave the originals. */
  #isCopy = false;

  constructor(parts: GestureParts, events: Pick<EditEvents, 'transformed' | 'ended' | 'copied'>) {
    this.#parts = parts;
    this.#events = events;
    this.#drag = new SurfaceDrag(parts.stage, parts.picker, parts.handles.subjects);
  }

  get isDragging(): boolean {
    return this.#drag.isDragging;
  }

  /** Picks up elements at the pointer; with Alt, copies of them. */
  lift(ids: readonly number[], { clientX, clientY, altKey }: PagePoint & Pick<MouseEvent, 'altKey'>): void {
    const { stage, handles } = this.#parts;
    this.#isCopy = altKey;
    handles.yield();
    this.#drag.begin(topmost(stage.scene.room.elements, new Set(ids)), clientX, clientY);
  }

  carry({ clientX, clientY }: PagePoint): void {
    const context = this.#parts.context();
    this.#drag.move(clientX, clientY, { snaps: context.snap && !context.shift, step: snapGrid(context).translation });
    this.#events.transformed(this.#parts.handles.transform);
  }

  /** Ends the drag. @param counts whether to keep the result */
  putDown(counts: boolean): void {
    if (!this.#drag.isDragging) return;
    const { handles } = this.#parts;
    this.#drag.end();
    const changes = counts ? handles.subjects.carried() : [];
    if (changes.length > 0 && !this.#isCopy) this.#events.ended(changes, 'translate');
    handles.settle();
    if (changes.length > 0 && this.#isCopy) this.#events.copied(changes);
  }

  dispose(): void {
    this.#drag.dispose();
  }
}
