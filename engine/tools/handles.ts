import type { ArrowKey, Axis, TransformContext, TransformMode } from '../machines/transform.ts';
import type { TransformFields } from '../scene/hierarchy/transform.ts';
import type { Stage } from '../stage/stage.ts';
import { Gizmo } from './gizmo.ts';
import { HandlePointer, type HandleSet } from './handle-pointer.ts';
import { nudgeByHandle, nudgeByKey } from './nudge.ts';
import { type ElementChange, Subjects } from './subjects.ts';

/** What each mode changes of an element. */
const PARTS = { translate: 'position', rotate: 'rotation', scale: 'scale' } as const;

/** What handles tell. */
export interface HandleEvents {
  dragStarted(): void;
  dragEnded(): void;
  /** What is selected was moved on, turned or sized, on the canvas only: the one, or the pivot of many. */
  changed(transform: Required<TransformFields>): void;
}

/**
 * The handles around what is selected. They hold a stand-in for it, since the scene and not the drawing knows where
 * an element is; what is done to the stand-in is shown at once and becomes a command at the gesture's end.
 */
export class Handles {
  readonly #stage: Stage;
  readonly #events: HandleEvents;
  readonly #gizmo: Gizmo;
  readonly #pointer: HandlePointer;
  /** What they hold. */
  readonly subjects: Subjects;
  #context: TransformContext;
  #isMarked = false;

  /** @param others further handles, which come first where both are in reach */
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

  /** Whether the pointer is on a handle of any kind. */
  get isPointedAt(): boolean {
    return this.#pointer.hovered !== null;
  }

  /** Name of the pointed handle that moves, turns or sizes; null where there is none. */
  get hovered(): string | null {
    return this.#gizmo.hovered;
  }

  /** Whether a handle of any kind is held. */
  get isDragging(): boolean {
    return this.#pointer.isDragging;
  }

  /** Lets go of the handle that is held. */
  release(): void {
    this.#pointer.release();
    this.#gizmo.release();
  }

  /** Takes the handles to elements, the last of which is active; or away. */
  attach(ids: readonly number[]): void {
    this.subjects.attach(ids, this.#context);
    this.configure(this.#context);
  }

  /** Follows mode, space, axes, size and snapping. */
  configure(context: TransformContext): void {
    const { pivot, space: before } = this.#context;
    this.#context = context;
    // What a gesture has moved so far stands where the document does not have it yet.
    if (this.subjects.areMany && !this.#isMarked && (pivot !== context.pivot || before !== context.space))
      this.subjects.sync(context);
    this.#gizmo.configure(context, context.handlesVisible && !this.subjects.isEmpty);
    this.#stage.refresh();
  }

  /** Takes over where the document has the elements. */
  sync(): void {
    this.subjects.sync(this.#context);
    this.configure(this.#context);
  }

  /** Keeps to a group that is itself moved; before each frame. @param isAside whether something else is dragged just now */
  place(isAside: boolean): void {
    if (!this.#gizmo.isDragging) this.subjects.followParent();
    this.#gizmo.place();
    if (isAside) this.#gizmo.object.visible = false;
  }

  /** Where the one element stands in its parent as shown, or the pivot of many in the room. */
  get transform(): Required<TransformFields> {
    return this.subjects.transform;
  }

  #show(): void {
    this.subjects.show(this.#context);
    this.#events.changed(this.transform);
    this.#stage.refresh();
  }

  /** Marks where everything is, at the start of a gesture. */
  mark(): void {
    this.#isMarked = true;
    this.subjects.mark(!this.#gizmo.isDragging);
  }

  /** Something else than the handles moves what is selected, from where it is now. */
  yield(): void {
    this.sync();
    this.#isMarked = true;
  }

  /** Puts everything back to where it was marked. */
  putBack(): void {
    this.subjects.putBack();
    this.release();
    this.#show();
    this.#isMarked = false;
  }

  /** One step of each of these keys. */
  step(keys: readonly ArrowKey[], amount: number): void {
    for (const key of keys) nudgeByKey(this.subjects.standIn, this.#context, key, amount);
    this.#show();
  }

  /** One turn of the wheel over the handle under the pointer. */
  turn(amount: number): void {
    if (this.hovered === null) return;
    nudgeByHandle(this.subjects.standIn, this.#context, this.hovered, amount, this.#stage.camera);
    this.#show();
  }

  /** Sets one number of what the mode changes, on the canvas only: units, radians or a factor. */
  set(axis: Axis, value: number): void {
    this.subjects.standIn[PARTS[this.#context.mode]][axis] = value;
    this.#show();
  }

  /** Ends a drag that goes on, and shows everything where the document has it. */
  settle(): void {
    this.release();
    this.#isMarked = false;
    this.sync();
    this.subjects.settle();
    if (!this.subjects.isEmpty) this.#events.changed(this.transform);
    this.#stage.refresh();
  }

  /** What a gesture in a mode changed, as fields of the document. */
  changes(mode: TransformMode): ElementChange[] {
    return this.subjects.changes({ ...this.#context, mode });
  }

  dispose(): void {
    this.#pointer.dispose();
    this.#gizmo.dispose();
    this.subjects.dispose();
  }
}
