import { Vector2 } from 'three';
import type { Stage } from '../stage/stage.ts';

/** Pixels by which a mouse and a finger may miss a handle. */
const REACH = { mouse: 8, touch: 18 };

/** Handles of one kind: those that move, turn and size, or those of an element's own properties. */
export interface HandleSet {
  /** The nearest handle within so many pixels of a point of the page. */
  near(at: Vector2, reach: number): string | undefined;
  /** Shows a handle as pointed at, or none. */
  hover(name: string | null): void;
  /** Takes the handle that is pointed at. @returns false where it cannot be held from here */
  begin(event: PointerEvent): boolean;
  move(event: PointerEvent): void;
  /** The pointer let the handle go. */
  end(): void;
}

/** The pointer on the handles of all kinds: it points at one of them, holds it, and lets it go. */
export class HandlePointer {
  readonly #stage: Stage;
  readonly #sets: readonly HandleSet[];
  readonly #abort = new AbortController();
  #hovered: { set: HandleSet; name: string } | undefined;
  #held: { set: HandleSet; pointer: number } | undefined;

  /** @param sets those that come first are taken where several are in reach */
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

  /** Name of the handle that is pointed at, or held; null where there is none. */
  get hovered(): string | null {
    return this.#hovered?.name ?? null;
  }

  get isDragging(): boolean {
    return this.#held !== undefined;
  }

  #hover(found: { set: HandleSet; name: string } | undefined): void {
    const before = this.#hovered;
    this.#hovered = found;
    // Told each time: of another mode, a handle of the same name is another one.
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
    // What begins a gesture asks whether something is held.
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

  /** Lets the handle go: further moves of the pointer do nothing, and its set is not told. */
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
