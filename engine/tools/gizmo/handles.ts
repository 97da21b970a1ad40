import type { ArrowKey, Axis, TransformContext, TransformMode } from '../../machines/transform.ts';
import type { TransformFields } from '../../scene/hierarchy/transform.ts';
import type { Stage } from '../../stage/stage.ts';
import type { ElementChange } from '../marks/shown-fields.ts';
import { Gizmo } from './gizmo.ts';
import { HandlePointer, type HandleSet } from './handle-pointer.ts';
import { nudgeByHandle, nudgeByKey } from './nudge.ts';
import { Subjects } from './subjects.ts';

/** The field group that each mode changes. */
const PARTS = { translate: 'position', rotate: 'rotation', scale: 'scale' } as const;

/** Callbacks of handles. */
export interface HandleEvents {
  dragStarted(): void;
  dragEnded(): void;
  /** The selection was transformed, on the canvas only: one element, or the pivot of many. */
  changed(transform: Required<TransformFields>): void;
}

/**
 * The gizmo around the selection. It holds a stand-in, because the scene and not the view owns an element's
 * transform; changes of the stand-in are shown immediately and become a command at the end of the gesture.
 */
export class Handles {
  readonly #stage: Stage;
  readonly #events: HandleEvents;
  readonly #gizmo: Gizmo;
  readonly #pointer: HandlePointer;
  /** The transformed elements. */
  readonly subjects: Subjects;
  #context: TransformContext;
  #isMarked = false;
  /** The number being typed, which edits by others must not replace. */
  #typed: { mode: TransformMode; axis: Axis; value: number } | undefined;

  /** @param others further handles with higher priority */
  constructor(stage: Stage, context: TransformContext, events: HandleEvents, others: readonly HandleSet[]) {
    this.#stage = stage;
    this.#context = context;
    this.#events = events;
    this.subjects = new Subjects(stage);
    this.#gizmo = new Gizmo(stage, this.subjects, context, {
      started: () => events.dragStarted(),
      ended: () => events.dragEnded(),
      changed: () => this.#show(),
    });
    this.#pointer = new HandlePointer(stage, [...others, this.#gizmo]);
    this.configure(context);
  }

  /** Whether the pointer is over any handle. */
  get isPointedAt(): boolean {
    return this.#pointer.hovered !== null;
  }

  /** Name of the hovered gizmo handle; null if none. */
  get hovered(): string | null {
    return this.#gizmo.hovered;
  }

  /** Whether any handle is held. */
  get isDragging(): boolean {
    return this.#pointer.isDragging;
  }

  /** Releases the held handle. */
  release(): void {
    this.#pointer.release();
    this.#gizmo.release();
  }

  /** Attaches the gizmo to elements, the last of which is active; an empty list detaches it. */
  attach(ids: readonly number[]): void {
    this.#typed = undefined;
    this.subjects.attach(ids, this.#context);
    this.configure(this.#context);
  }

  /** Applies mode, space, axes, size and snapping. */
  configure(context: TransformContext): void {
    const { pivot, space: before } = this.#context;
    this.#context = context;
    // During a gesture, the document doesn't have the current positions yet.
    if (this.subjects.areMany && !this.#isMarked && (pivot !== context.pivot || before !== context.space))
      this.subjects.sync(context);
    this.#gizmo.configure(context, context.handlesVisible && !this.subjects.isEmpty);
    this.#stage.refresh();
  }

  /** Reads the elements' transforms from the document; a number that is being typed stays. */
  sync(): void {
    this.subjects.sync(this.#context);
    this.configure(this.#context);
    if (this.#typed?.mode === this.#context.mode) this.set(this.#typed.axis, this.#typed.value);
  }

  /**
   * Follows a moving parent group; called before each frame. @param isAside whether something else is being dragged
   */
  place(isAside: boolean): void {
    if (!this.#gizmo.isDragging) this.subjects.followParent();
    this.#gizmo.place();
    if (isAside) this.#gizmo.object.visible = false;
  }

  /** Transform of the single element in its parent, or of the pivot of many in the room. */
  get transform(): Required<TransformFields> {
    return this.subjects.transform;
  }

  #show(): void {
    this.subjects.show(this.#context);
    this.#events.changed(this.transform);
    this.#stage.refresh();
  }

  /** Stores all transforms at the start of a gesture. */
  mark(): void {
    this.#isMarked = true;
    this.subjects.mark(!this.#gizmo.isDragging);
  }

  /** Prepares for moving the selection by other means than the gizmo. */
  yield(): void {
    this.sync();
    this.#isMarked = true;
  }

  /** Restores the stored transforms. */
  putBack(): void {
    this.#typed = undefined;
    this.subjects.putBack();
    this.release();
    this.#show();
    this.#isMarked = false;
  }

  /** Applies one step per key. */
  step(keys: readonly ArrowKey[], amount: number): void {
    for (const key of keys) nudgeByKey(this.subjects.standIn, this.#context, key, amount);
    this.#show();
  }

  /** Applies a wheel step to the hovered handle. */
  turn(amount: number): void {
    if (this.hovered === null) return;
    nudgeByHandle(this.subjects.standIn, this.#context, this.hovered, amount, this.#stage.camera);
    this.#show();
  }

  /** Sets one number of the current mode, on the canvas only: units, radians or a factor. */
  set(axis: Axis, value: number): void {
    const { mode } = this.#context;
    this.#typed = { mode, axis, value };
    this.subjects.standIn[PARTS[mode]][axis] = value;
    this.#show();
  }

  /** Ends the current drag and shows everything as in the document. */
  settle(): void {
    this.release();
    this.#isMarked = false;
    this.#typed = undefined;
    this.sync();
    this.subjects.settle();
    if (!this.subjects.isEmpty) this.#events.changed(this.transform);
    this.#stage.refresh();
  }

  /** Changes of a gesture in a mode, as document fields. */
  changes(mode: TransformMode): ElementChange[] {
    return this.subjects.changes({ ...this.#context, mode });
  }

  dispose(): void {
    this.#pointer.dispose();
    this.#gizmo.dispose();
    this.subjects.dispose();
  }
}
