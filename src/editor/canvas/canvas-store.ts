import { makeObservable, observable, observableRef, runInAction } from 'mobx';
import { type Actor, createActor } from 'xstate';
import { z } from 'zod';
import type { Vector } from '../../../engine/document/fields.ts';
import {
  type Axis,
  SNAP,
  type SnapSteps,
  type TransformEvent,
  transformMachine,
} from '../../../engine/machines/transform.ts';
import type { TransformFields } from '../../../engine/scene/hierarchy/transform.ts';
import type { Stage } from '../../../engine/stage/stage.ts';
import type { Spot } from '../../../engine/tools/camera/picker.ts';
import type { EditTools } from '../../../engine/tools/edit-tools.ts';
import { storedText } from '../../ui/storage.ts';
import type { DocumentStore } from '../session/document-store.ts';
import { ROOM_CANVAS } from './room-canvas.ts';

const stepsSchema = z.object({
  translation: z.number().positive().max(10_000),
  rotation: z.number().positive().max(Math.PI),
});

const stored = storedText('enfilade.snap-steps');

/** The stored snap steps of this browser, in units and radians. */
function readSteps(): SnapSteps {
  try {
    return stepsSchema.parse(JSON.parse(stored.get() ?? ''));
  } catch {
    return { translation: SNAP.translation, rotation: SNAP.rotation };
  }
}

/** Stores the steps for the next room. */
const storeSteps = (steps: SnapSteps): void => void stored.set(JSON.stringify(steps));

const wheelNeedsAlt = storedText('enfilade.wheel-needs-alt');

/** Height above the floor, in centimeters, of the center of images dropped on a wall together. */
const EYE_LEVEL = 155;
export const EYE_LEVELS = { min: 50, max: 300 } as const;

const storedEyeLevel = storedText('enfilade.eye-level');
const readEyeLevel = (): number =>
  z.coerce
    .number()
    .min(EYE_LEVELS.min)
    .max(EYE_LEVELS.max)
    .catch(EYE_LEVEL)
    .parse(storedEyeLevel.get() ?? EYE_LEVEL);

/** Minimum milliseconds between updates of visible numbers: each update causes a layout. */
const READABLE = 200;

/** The axes as seen by a camera that looks to the front. */
const AXES_AHEAD = { x: { x: 1, y: 0, z: 0 }, y: { x: 0, y: 1, z: 0 }, z: { x: 0, y: 0, z: 1 } };

/** State shared by the canvas, the coordinates bar and the camera read-out. */
export class CanvasStore {
  readonly document: DocumentStore;
  /** Transform state of the selected element: mode, space, axes, snapping, handles. */
  readonly machine: Actor<typeof transformMachine> = createActor(transformMachine);
  /** Transform of the selected element in its parent; during a gesture, the one before it. Null without a selection. */
  transform: Required<TransformFields> | null = null;
  /** The displayed transform, gestures included. It changes with every frame and is not observable. */
  live: Required<TransformFields> | null = null;
  /** The displayed transform, observable and throttled to a few updates per second. */
  running: Required<TransformFields> | null = null;
  /** Position of the camera in whole units. */
  camera: Vector = { x: 0, y: 0, z: 0 };
  /** Directions of the room's axes in camera space: right, up, and towards the viewer. */
  compass: Readonly<Record<Axis, Vector>> = AXES_AHEAD;
  isGridVisible = true;
  /** Whether the next drag draws a selection box. */
  isBoxArmed = false;
  /** Whether the projection is orthographic. */
  isOrthographic = false;
  /** Whether the wheel over a handle moves the camera unless Alt is held. */
  wheelNeedsAlt = wheelNeedsAlt.get() !== null;
  /** Height of the center of hung images above the floor, in centimeters. */
  eyeLevel = readEyeLevel();
  /** Whether pressing measures distances. */
  isMeasuring = false;
  state: 'loading' | 'ready' | 'failed' = 'loading';
  /** Where the add dialog places the element: the spot of its menu; if undefined, in front of the camera. */
  addingAt: Spot | undefined;
  /** Error message; empty if there is none. */
  problem = '';
  stage: Stage | null = null;
  tools: EditTools | null = null;
  #publishing: ReturnType<typeof setTimeout> | undefined;
  /** When `running` was last updated, in milliseconds. */
  #publishedAt = 0;

  /** @param document the room that the canvas shows */
  constructor(document: DocumentStore) {
    this.document = document;
    makeObservable(this, {
      transform: observableRef,
      running: observableRef,
      camera: observableRef,
      compass: observableRef,
      isGridVisible: observable,
      isBoxArmed: observable,
      isOrthographic: observable,
      isMeasuring: observable,
      wheelNeedsAlt: observable,
      eyeLevel: observable,
      state: observable,
      problem: observable,
      stage: observableRef,
      tools: observableRef,
    });
    this.machine.subscribe(() => {
      if (this.#isAtRest) this.#rest();
    });
    this.machine.start();
    this.send({ type: 'steps.set', steps: readSteps() });
  }

  get #isAtRest(): boolean {
    return this.machine.getSnapshot().matches('idle');
  }

  /** Updates the displayed transform of the selected element. */
  show(transform: Required<TransformFields> | null): void {
    this.live = transform;
    if (this.#isAtRest || transform === null) this.#rest();
    else if (performance.now() - this.#publishedAt >= READABLE) this.#publish();
    // Published with the next drawn frame, or by the timer if none is drawn.
    else this.#publishing ??= setTimeout(() => this.#publish(), 1.25 * READABLE);
  }

  #rest(): void {
    runInAction(() => {
      this.transform = this.live;
      this.running = this.live;
    });
  }

  #publish(): void {
    clearTimeout(this.#publishing);
    this.#publishing = undefined;
    this.#publishedAt = performance.now();
    runInAction(() => (this.running = this.live));
  }

  send(event: TransformEvent): void {
    this.machine.send(event);
  }

  /** Sets the snap steps for every room in this browser. */
  setSteps(steps: SnapSteps): void {
    this.send({ type: 'steps.set', steps });
    storeSteps(steps);
  }

  /** Sets the height of images dropped on a wall together, for this browser. */
  setEyeLevel(centimeters: number): void {
    storedEyeLevel.set(String(centimeters));
    runInAction(() => (this.eyeLevel = centimeters));
  }

  /** Follows the camera; notifies only if the whole numbers change. */
  follow({ x, y, z }: Vector): void {
    const [nx, ny, nz] = [Math.round(x) || 0, Math.round(y) || 0, Math.round(z) || 0];
    const { camera } = this;
    if (nx === camera.x && ny === camera.y && nz === camera.z) return;
    runInAction(() => (this.camera = { x: nx, y: ny, z: nz }));
  }

  /** Follows the rotation of the camera, to the precision of the compass. */
  turn({ x, y, z, w }: { x: number; y: number; z: number; w: number }): void {
    const round = (value: number) => Math.round(value * 100) / 100 || 0;
    // The rows of the rotation matrix are the room's axes in camera space.
    const next = {
      x: { x: round(1 - 2 * (y * y + z * z)), y: round(2 * (x * y - w * z)), z: round(2 * (x * z + w * y)) },
      y: { x: round(2 * (x * y + w * z)), y: round(1 - 2 * (x * x + z * z)), z: round(2 * (y * z - w * x)) },
      z: { x: round(2 * (x * z - w * y)), y: round(2 * (y * z + w * x)), z: round(1 - 2 * (x * x + y * y)) },
    };
    if (JSON.stringify(next) !== JSON.stringify(this.compass)) runInAction(() => (this.compass = next));
  }

  /** Sets whether the wheel over a handle moves the camera unless Alt is held, for this browser. */
  setWheelNeedsAlt(needsAlt: boolean): void {
    wheelNeedsAlt.set(needsAlt ? 'yes' : null);
    runInAction(() => (this.wheelNeedsAlt = needsAlt));
    if (this.tools) this.tools.wheelNeedsAlt = needsAlt;
  }

  /** Switches between perspective and orthographic projection. */
  toggleProjection(): void {
    if (this.tools) this.tools.camera.isOrthographic = !this.isOrthographic;
  }

  toggleMeasure(): void {
    if (this.tools) this.tools.measure.isOn = !this.isMeasuring;
  }

  toggleGrid(): void {
    if (!this.tools) return;
    this.tools.grid.isVisible = !this.isGridVisible;
    runInAction(() => (this.isGridVisible = !this.isGridVisible));
  }
}

const stores = new WeakMap<DocumentStore, CanvasStore>();

/** The canvas of the edited room; one per document. */
export function canvasOf(document: DocumentStore): CanvasStore {
  const store = stores.get(document) ?? new CanvasStore(document);
  stores.set(document, store);
  return store;
}

/** Focuses the canvas, so that the arrow keys move the selection. */
export function focusCanvas(): void {
  document.querySelector<HTMLElement>(ROOM_CANVAS)?.focus({ preventScroll: true });
}
