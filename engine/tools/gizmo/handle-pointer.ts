import { Vector2 } from 'three';
import type { Stage } from '../../stage/stage.ts';

/** Hit tolerance in pixels. */
const REACH = { mouse: 8, touch: 18 };

/** A set of handles: the gizmo, or the handles of an element's properties. */
export interface HandleSet {
  /** The nearest handle within a distance in pixels of a page point. */
  near(at: Vector2, reach: number): string | undefined;
  /** Highlights a handle, or none. */
  hover(name: string | null): void;
  /** Starts dragging the hovered handle. @returns false if it can't be dragged from this direction */
  begin(event: PointerEvent): boolean;
  move(event: PointerEvent): void;
  /** The pointer was released. */
  end(): void;
}

/** Routes the pointer to all handle sets: hover, drag, release. */
export class HandlePointer {
  readonly #stage: Stage;
  readonly #sets: readonly HandleSet[];
  readonly #abort = new AbortController();
  #hovered: { set: HandleSet; name: string } | undefined;
  #held: { set: HandleSet; pointer: number } | undefined;

  /** @param sets in order of priority */
  constructor(stage: Stage, sets: readonly HandleSet[]) {
    this.#stage = stage;
    this.#sets = sets;
    const { signal } = this.#abort;
    const { canvas } = stage;
    canvas.addEventListener('pointerdown', (event) => this.#begin(event), { signal });
    canvas.addEventListener('pointermove', (event) => this.#move(event), { signal });
    canvas.addEventListener('pointerup', (event) => this.#end(event), { signal });
    canvas.addEventListener('pointerleave', () => this.#held || this.#hover(undefined), { signal });
  }

  /** Name of the hovered or held handle; null if none. */
  get hovered(): string | null {
    return this.#hovered?.name ?? null;
  }

  get isDragging(): boolean {
    return this.#held !== undefined;
  }

  #hover(found: { set: HandleSet; name: string } | undefined): void {
    const before = this.#hovered;
    this.#hovered = found;
    // Always notify: handles of different modes may have the same name.
    if (before && before.set !== found?.set) before.set.hover(null);
    found?.set.hover(found.name);
    if (before?.set !== found?.set || before?.name !== found?.name) this.#stage.refresh();
  }

  #at(event: PointerEvent): { set: HandleSet; name: string } | undefined {
    const at = new Vector2(event.clientX, event.clientY);
    const reach = event.pointerType === 'touch' ? REACH.touch : REACH.mouse;
    for (const set of this.#sets) {
      const name = set.near(at, reach);
      if (name !== undefined) return { set, name };
    }
    return undefined;
  }

  #begin(event: PointerEvent): void {
    if (event.button !== 0 || !event.isPrimary || this.#held) return;
    this.#hover(this.#at(event));
    const set = this.#hovered?.set;
    if (!set) return;
    // Set first, because starting a gesture checks whether a handle is held.
    this.#held = { set, pointer: event.pointerId };
    if (set.begin(event)) this.#stage.canvas.setPointerCapture(event.pointerId);
    else this.#held = undefined;
    this.#stage.refresh();
  }

  #move(event: PointerEvent): void {
    if (!this.#held) {
      if (event.buttons === 0) this.#hover(this.#at(event));
    } else if (event.pointerId === this.#held.pointer) this.#held.set.move(event);
  }

  #end(event: PointerEvent): void {
    const held = this.#held;
    if (event.pointerId !== held?.pointer) return;
    this.release();
    held.set.end();
    this.#hover(this.#at(event));
  }

  /** Releases the handle without notifying its set. */
  release(): void {
    const held = this.#held;
    if (!held) return;
    const { canvas } = this.#stage;
    if (canvas.hasPointerCapture(held.pointer)) canvas.releasePointerCapture(held.pointer);
    this.#held = undefined;
    this.#hover(undefined);
    this.#stage.refresh();
  }

  dispose(): void {
    this.#abort.abort();
  }
}
