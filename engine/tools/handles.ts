import { Object3D, Quaternion, Vector3 } from 'three';
import { TransformControls } from 'three/addons/controls/TransformControls.js';
import type { ElementFields } from '../document/commands.ts';
import type { Vector } from '../document/fields.ts';
import {
  type ArrowKey,
  type Axis,
  snapGrid,
  type TransformContext,
  type TransformMode,
} from '../machines/transform.ts';
import type { TransformFields } from '../scene/hierarchy/transform.ts';
import type { Stage } from '../stage/stage.ts';
import { nudgeByHandle, nudgeByKey } from './nudge.ts';

/** What each mode changes of an element. */
const PARTS = { translate: 'position', rotate: 'rotation', scale: 'scale' } as const;

/** What handles tell. */
export interface HandleEvents {
  dragStarted(): void;
  dragEnded(): void;
  /** The element was moved on, turned or sized, on the canvas only. */
  changed(transform: Required<TransformFields>): void;
}

const vectorOf = ({ x, y, z }: Vector): Vector => ({ x, y, z });

/** A number without the dust of floating point, six digits behind the point. */
const clean = (value: number) => Math.round(value * 1e6) / 1e6 || 0;
/** Positions are kept in whole units: floored, but not for a hair's breadth. */
const whole = (value: number) => Math.floor(clean(value)) || 0;

/**
 * The handles around the selected element. They hold a stand-in for it, since the scene and not the drawing knows where
 * an element is; what is done to the stand-in is shown at once and becomes a command at the gesture's end.
 */
export class Handles {
  readonly #stage: Stage;
  readonly #events: HandleEvents;
  readonly #controls: TransformControls;
  /** The frame of the element's parent, and the element's own transform in it. */
  readonly #parent = new Object3D();
  readonly #standIn = new Object3D();
  readonly #marked = { position: new Vector3(), quaternion: new Quaternion(), scale: new Vector3() };
  #elementId: number | null = null;
  #context: TransformContext;

  constructor(stage: Stage, context: TransformContext, events: HandleEvents) {
    this.#stage = stage;
    this.#context = context;
    this.#events = events;
    this.#parent.matrixAutoUpdate = false;
    this.#parent.add(this.#standIn);
    stage.three.add(this.#parent);
    this.#controls = new TransformControls(stage.camera, stage.canvas);
    const helper = this.#controls.getHelper();
    helper.name = 'handles';
    stage.three.add(helper);
    this.#controls.addEventListener('change', () => stage.refresh());
    this.#controls.addEventListener('mouseDown', () => events.dragStarted());
    this.#controls.addEventListener('mouseUp', () => events.dragEnded());
    this.#controls.addEventListener('objectChange', () => this.#show());
    this.configure(context);
  }

  /** Name of the handle under the pointer; null where there is none. */
  get hovered(): string | null {
    return this.#controls.object ? this.#controls.axis : null;
  }

  get isDragging(): boolean {
    return this.#controls.dragging;
  }

  /** Takes the handles to an element, or away. */
  attach(elementId: number | null): void {
    this.#elementId = elementId;
    this.sync();
    this.configure(this.#context);
  }

  /** Follows mode, space, axes, size and snapping. */
  configure(context: TransformContext): void {
    this.#context = context;
    const { mode, space, axes, handleSize, handlesVisible } = context;
    const controls = this.#controls;
    const { translation, rotation } = snapGrid(context);
    Object.assign(controls, { mode, space, size: handleSize, translationSnap: translation, rotationSnap: rotation });
    controls.showX = axes.x;
    controls.showY = axes.y;
    controls.showZ = axes.z;
    const isShown = handlesVisible && this.#elementId !== null;
    if (isShown && !controls.object) controls.attach(this.#standIn);
    if (!isShown && controls.object) controls.detach();
    this.#stage.refresh();
  }

  /** Takes over where the document has the element. */
  sync(): void {
    const { scene } = this.#stage;
    const entity = this.#elementId === null ? undefined : scene.entityOf(this.#elementId);
    const element = entity === undefined ? undefined : scene.elementOf(entity);
    if (!element) return;
    this.#placeParent(element.parent_element_id);
    this.#standIn.position.set(element.position_x, element.position_y, element.position_z);
    this.#standIn.rotation.set(element.rotation_x, element.rotation_y, element.rotation_z);
    this.#standIn.scale.set(element.scale_x, element.scale_y, element.scale_z);
  }

  #placeParent(id: number | null): void {
    const entity = id === null ? undefined : this.#stage.scene.entityOf(id);
    if (entity === undefined) this.#parent.matrix.identity();
    else this.#stage.scene.worldMatrix(entity, this.#parent.matrix.elements);
    this.#parent.matrixWorldNeedsUpdate = true;
  }

  /** Keeps to a group that is itself moved; before each frame. */
  place(): void {
    const entity = this.#elementId === null ? undefined : this.#stage.scene.entityOf(this.#elementId);
    const element = entity === undefined ? undefined : this.#stage.scene.elementOf(entity);
    if (element && !this.isDragging) this.#placeParent(element.parent_element_id);
  }

  /** Where the element stands in its parent as shown. */
  get transform(): Required<TransformFields> {
    const { position, rotation, scale } = this.#standIn;
    return { position: vectorOf(position), rotation: vectorOf(rotation), scale: vectorOf(scale) };
  }

  #show(): void {
    const { scene } = this.#stage;
    const entity = this.#elementId === null ? undefined : scene.entityOf(this.#elementId);
    if (entity === undefined) return;
    const { transform } = this;
    scene.setTransform(entity, { [PARTS[this.#context.mode]]: transform[PARTS[this.#context.mode]] });
    this.#events.changed(transform);
    this.#stage.refresh();
  }

  /** Marks where the element is, at the start of a gesture. */
  mark(): void {
    const { position, quaternion, scale } = this.#standIn;
    this.#marked.position.copy(position);
    this.#marked.quaternion.copy(quaternion);
    this.#marked.scale.copy(scale);
  }

  /** Puts the element back to where it was marked. */
  putBack(): void {
    this.#standIn.position.copy(this.#marked.position);
    this.#standIn.quaternion.copy(this.#marked.quaternion);
    this.#standIn.scale.copy(this.#marked.scale);
    this.#release();
    this.#show();
  }

  /** The library's own way out of a drag: without a handle, further moves of the pointer do nothing. */
  #release(): void {
    if (!this.isDragging) return;
    this.#controls.dragging = false;
    this.#controls.axis = null;
  }

  /** One step of each of these keys. */
  step(keys: readonly ArrowKey[], amount: number): void {
    for (const key of keys) nudgeByKey(this.#standIn, this.#context, key, amount);
    this.#show();
  }

  /** One turn of the wheel over the handle under the pointer. */
  turn(amount: number): void {
    if (this.hovered === null) return;
    nudgeByHandle(this.#standIn, this.#context, this.hovered, amount, this.#stage.camera);
    this.#show();
  }

  /** Sets one number of what the mode changes, on the canvas only: units, radians or a factor. */
  set(axis: Axis, value: number): void {
    this.#standIn[PARTS[this.#context.mode]][axis] = value;
    this.#show();
  }

  /** Ends a drag that goes on, and shows the element where the document has it. */
  settle(): void {
    this.#release();
    this.sync();
    const { scene } = this.#stage;
    const entity = this.#elementId === null ? undefined : scene.entityOf(this.#elementId);
    if (entity === undefined) return;
    scene.setTransform(entity, this.transform);
    this.#events.changed(this.transform);
    this.#stage.refresh();
  }

  /** What a gesture in a mode changed, as fields of the document; undefined where it changed nothing. */
  changedFields(mode: TransformMode): ElementFields | undefined {
    const { scene } = this.#stage;
    const entity = this.#elementId === null ? undefined : scene.entityOf(this.#elementId);
    const element = entity === undefined ? undefined : scene.elementOf(entity);
    if (!element) return undefined;
    return transformFields(element, mode, this.transform[PARTS[mode]]);
  }

  dispose(): void {
    this.#controls.detach();
    this.#stage.three.remove(this.#controls.getHelper(), this.#parent);
    this.#controls.dispose();
  }
}

/**
 * A part of an element's transform as fields of the document.
 * @param value units, radians or factors; positions are floored to whole units
 * @returns undefined where the element has these values already
 */
export function transformFields(element: object, mode: TransformMode, value: Vector): ElementFields | undefined {
  const round = mode === 'translate' ? whole : clean;
  const entries = (['x', 'y', 'z'] as const).map((axis) => [`${PARTS[mode]}_${axis}`, round(value[axis])] as const);
  const before = element as Record<string, unknown>;
  return entries.some(([field, after]) => before[field] !== after) ? Object.fromEntries(entries) : undefined;
}
