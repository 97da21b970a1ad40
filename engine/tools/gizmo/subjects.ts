import { Box3, Euler, Matrix4, Object3D, Quaternion, Vector3 } from 'three';
import type { ElementFields } from '../../document/commands.ts';
import type { Element } from '../../document/element.ts';
import type { Vector } from '../../document/fields.ts';
import { topmost } from '../../document/tree.ts';
import type { TransformContext, TransformMode } from '../../machines/transform.ts';
import type { TransformFields } from '../../scene/hierarchy/transform.ts';
import type { Stage } from '../../stage/stage.ts';
import { worldBoundsOf } from '../marks/bounds.ts';
import type { ElementChange } from '../marks/shown-fields.ts';

/** The field group that each mode changes. */
const PARTS = { translate: 'position', rotate: 'rotation', scale: 'scale' } as const;

/** A transformed element, with its transform at the start of the gesture. */
interface Subject {
  id: number;
  entity: number;
  /** World matrix of its parent, and its inverse. */
  parent: Matrix4;
  fromWorld: Matrix4;
  local: { position: Vector3; quaternion: Quaternion; scale: Vector3 };
  world: { position: Vector3; quaternion: Quaternion };
}

const vectorOf = ({ x, y, z }: Vector): Vector => ({ x, y, z });

/** Removes floating-point noise: six decimals. */
const clean = (value: number) => Math.round(value * 1e6) / 1e6 || 0;
/** Positions are floored to whole units, ignoring noise. */
const whole = (value: number) => Math.floor(clean(value)) || 0;

/**
 * Converts a part of an element's transform to document fields.
 * @param value units, radians or factors; positions are floored to whole units
 * @returns undefined if nothing changed
 */
export function transformFields(element: object, mode: TransformMode, value: Vector): ElementFields | undefined {
  const round = mode === 'translate' ? whole : clean;
  const entries = (['x', 'y', 'z'] as const).map((axis) => [`${PARTS[mode]}_${axis}`, round(value[axis])] as const);
  const before = element as Record<string, unknown>;
  return entries.some(([field, after]) => before[field] !== after) ? Object.fromEntries(entries) : undefined;
}

const box = new Box3();
const point = new Vector3();
const size = new Vector3();
const turn = new Quaternion();
const other = new Quaternion();
const euler = new Euler();

const inverseOf = (quaternion: Quaternion): Quaternion => quaternion.clone().invert();
const eulerOf = (quaternion: Quaternion): Vector => vectorOf(euler.setFromQuaternion(quaternion));

/**
 * The selected elements as transformed by handles. Handles change a stand-in: for one element its local transform,
 * for many a pivot in the room that they follow. Changes are shown immediately and converted to fields at the end.
 */
export class Subjects {
  readonly #stage: Stage;
  /** Parent of the stand-in: the single element's parent, or the room. */
  readonly frame = new Object3D();
  readonly standIn = new Object3D();
  readonly #marked = { position: new Vector3(), quaternion: new Quaternion(), scale: new Vector3() };
  #subjects: Subject[] = [];
  #ids: readonly number[] = [];
  /** Whether the last move translated many elements equally. */
  #isAsOne = false;
  /** Positions before flooring, valid while the document has the floored ones, so that repeated steps don't drift. */
  readonly #exact = new Map<number, { exact: Vector3; floored: Vector }>();

  constructor(stage: Stage) {
    this.#stage = stage;
    this.frame.matrixAutoUpdate = false;
    this.frame.add(this.standIn);
    stage.three.add(this.frame);
  }

  get isEmpty(): boolean {
    return this.#subjects.length === 0;
  }

  get areMany(): boolean {
    return this.#subjects.length > 1;
  }

  /** Position of the pivot of many while they are moved together; null otherwise. */
  get sharedPivot(): Vector3 | null {
    return this.#isAsOne ? this.standIn.position : null;
  }

  get entities(): readonly number[] {
    return this.#subjects.map(({ entity }) => entity);
  }

  #element(id: number): Element | undefined {
    const { scene } = this.#stage;
    const entity = scene.entityOf(id);
    return entity === undefined ? undefined : scene.elementOf(entity);
  }

  /** Selects other elements; descendants of selected elements move along. The last one is active. */
  attach(ids: readonly number[], context: TransformContext): void {
    this.#ids = ids;
    this.#exact.clear();
    this.sync(context);
  }

  /** Reads transforms from the document. */
  sync({ pivot, space }: Pick<TransformContext, 'pivot' | 'space'>): void {
    const { scene } = this.#stage;
    const elements = this.#ids.length > 1 ? topmost(scene.room.elements, new Set(this.#ids)) : this.#elements();
    this.#subjects = elements.flatMap((element) => this.#subjectOf(element) ?? []);
    const [first] = this.#subjects;
    if (!first) return;
    const { standIn, frame } = this;
    if (!this.areMany) {
      frame.matrix.copy(first.parent);
      standIn.position.copy(first.local.position);
      standIn.quaternion.copy(first.local.quaternion);
      const { rotation_x, rotation_y, rotation_z } = elements[0]!;
      standIn.rotation.set(rotation_x, rotation_y, rotation_z);
      standIn.scale.copy(first.local.scale);
    } else {
      const active = this.#subjects.find(({ id }) => id === this.#ids.at(-1)) ?? this.#subjects.at(-1)!;
      frame.matrix.identity();
      if (pivot === 'active') standIn.position.copy(active.world.position);
      else this.#middle(elements, standIn.position);
      if (space === 'local') standIn.quaternion.copy(active.world.quaternion);
      else standIn.quaternion.identity();
      standIn.scale.setScalar(1);
    }
    frame.matrixWorldNeedsUpdate = true;
    // Reset the reference for changes.
    this.#isAsOne = false;
    this.mark(false);
  }

  #elements(): Element[] {
    const [id] = this.#ids;
    const element = id === undefined ? undefined : this.#element(id);
    return element ? [element] : [];
  }

  #subjectOf(element: Element): Subject | undefined {
    const { scene } = this.#stage;
    const entity = scene.entityOf(element.id);
    if (entity === undefined) return undefined;
    const parent = new Matrix4();
    const above = element.parent_element_id === null ? undefined : scene.entityOf(element.parent_element_id);
    if (above !== undefined) scene.worldMatrix(above, parent.elements);
    const local = {
      position: new Vector3(element.position_x, element.position_y, element.position_z),
      quaternion: new Quaternion().setFromEuler(euler.set(element.rotation_x, element.rotation_y, element.rotation_z)),
      scale: new Vector3(element.scale_x, element.scale_y, element.scale_z),
    };
    const world = { position: local.position.clone().applyMatrix4(parent), quaternion: new Quaternion() };
    parent.decompose(point, world.quaternion, size);
    world.quaternion.multiply(local.quaternion);
    return { id: element.id, entity, parent, fromWorld: parent.clone().invert(), local, world };
  }

  /** Center of the bounding box of elements in the room. */
  #middle(elements: readonly Element[], out: Vector3): void {
    const whole = new Box3();
    for (const element of elements) whole.union(worldBoundsOf(this.#stage, element, box));
    whole.getCenter(out);
  }

  /** Follows a moving parent group; called before each frame without a drag. */
  followParent(): void {
    const [subject] = this.#subjects;
    if (!subject || this.areMany) return;
    const parentId = this.#element(subject.id)?.parent_element_id ?? null;
    const entity = parentId === null ? undefined : this.#stage.scene.entityOf(parentId);
    if (entity === undefined) this.frame.matrix.identity();
    else this.#stage.scene.worldMatrix(entity, this.frame.matrix.elements);
    this.frame.matrixWorldNeedsUpdate = true;
  }

  /** Stores all transforms at the start of a gesture. @param goesOn whether to continue from exact positions */
  mark(goesOn: boolean): void {
    if (goesOn) for (const subject of this.#subjects) this.#restoreExact(subject);
    const { position, quaternion, scale } = this.standIn;
    this.#marked.position.copy(position);
    this.#marked.quaternion.copy(quaternion);
    this.#marked.scale.copy(scale);
  }

  #restoreExact(subject: Subject): void {
    const known = this.#exact.get(subject.id);
    const { position } = subject.local;
    if (!known || !position.equals(known.floored)) return;
    position.copy(known.exact);
    subject.world.position.copy(position).applyMatrix4(subject.parent);
    if (!this.areMany) this.standIn.position.copy(position);
  }

  /** Restores the stand-in's stored transform. */
  putBack(): void {
    this.standIn.position.copy(this.#marked.position);
    this.standIn.quaternion.copy(this.#marked.quaternion);
    this.standIn.scale.copy(this.#marked.scale);
  }

  /** Transform of the single element in its parent, or of the pivot of many in the room. */
  get transform(): Required<TransformFields> {
    const { position, rotation, scale } = this.standIn;
    return { position: vectorOf(position), rotation: vectorOf(rotation), scale: vectorOf(scale) };
  }

  /** Updates every element from the stand-in. */
  show({ mode, pivot, space }: Pick<TransformContext, 'mode' | 'pivot' | 'space'>): void {
    const { scene } = this.#stage;
    const [first] = this.#subjects;
    if (!this.areMany) {
      const { transform } = this;
      if (first) scene.setTransform(first.entity, { [PARTS[mode]]: transform[PARTS[mode]] });
      return;
    }
    const isAlongOwnAxes = pivot === 'each' && space === 'local';
    this.#isAsOne = mode === 'translate' && !isAlongOwnAxes;
    for (const subject of this.#subjects) {
      if (mode === 'translate') {
        this.#moved(subject, isAlongOwnAxes, point);
        scene.setPosition(subject.entity, point.x, point.y, point.z);
      } else scene.setTransform(subject.entity, this.#transformed(subject, mode, pivot === 'each', space === 'local'));
    }
  }

  /** Position of one of many elements, moved like the stand-in. */
  #moved(subject: Subject, alongOwnAxes: boolean, out: Vector3): Vector3 {
    out.copy(this.standIn.position).sub(this.#marked.position);
    if (alongOwnAxes)
      out.applyQuaternion(turn.copy(this.#marked.quaternion).invert()).applyQuaternion(subject.world.quaternion);
    return out.add(subject.world.position).applyMatrix4(subject.fromWorld);
  }

  /** Transform of one of many elements, rotated or scaled like the stand-in. */
  #transformed(subject: Subject, mode: TransformMode, isEach: boolean, isLocal: boolean): TransformFields {
    const { standIn } = this;
    const { position, quaternion, scale } = this.#marked;
    const away = point.copy(subject.world.position).sub(position);
    if (mode === 'rotate') {
      let rotation: Vector;
      if (isEach && isLocal) {
        turn.copy(quaternion).invert().multiply(standIn.quaternion);
        rotation = eulerOf(turn.premultiply(subject.local.quaternion));
      } else {
        turn.copy(quaternion).invert().premultiply(standIn.quaternion);
        away.applyQuaternion(turn);
        // Convert the rotation from room to parent space.
        other.copy(subject.world.quaternion).premultiply(turn);
        turn.copy(subject.local.quaternion).multiply(inverseOf(subject.world.quaternion));
        rotation = eulerOf(turn.multiply(other));
      }
      if (isEach) return { rotation };
      return { rotation, position: vectorOf(away.add(position).applyMatrix4(subject.fromWorld)) };
    }
    const by = size.copy(standIn.scale).divide(scale);
    // Scale along each local axis by the pivot's scale in that direction.
    turn.copy(quaternion).invert().multiply(subject.world.quaternion);
    const own = (x: number, y: number, z: number) => new Vector3(x, y, z).applyQuaternion(turn).multiply(by).length();
    const { x, y, z } = subject.local.scale;
    const sized = isEach
      ? { x: x * by.x, y: y * by.y, z: z * by.z }
      : { x: x * own(1, 0, 0), y: y * own(0, 1, 0), z: z * own(0, 0, 1) };
    if (isEach) return { scale: sized };
    away.applyQuaternion(turn.copy(quaternion).invert()).multiply(by).applyQuaternion(quaternion);
    return { scale: sized, position: vectorOf(away.add(position).applyMatrix4(subject.fromWorld)) };
  }

  /**
   * Moves everything in the room.
   * @param shift in units from the stored position
   * @param by rotation in the room of a single element; null for many
   */
  carry(shift: Vector3, by: Quaternion | null): void {
    const { standIn, frame } = this;
    const [first] = this.#subjects;
    if (!first) return;
    if (this.areMany) {
      standIn.position.copy(this.#marked.position).add(shift);
      this.show({ mode: 'translate', pivot: 'center', space: 'world' });
      return;
    }
    frame.updateMatrixWorld();
    standIn.position.copy(frame.worldToLocal(point.copy(first.world.position).add(shift)));
    turn.copy(first.local.quaternion);
    if (by) turn.multiply(inverseOf(first.world.quaternion)).multiply(by).multiply(first.world.quaternion);
    standIn.quaternion.copy(turn);
    const { position, rotation } = this.transform;
    this.#stage.scene.setTransform(first.entity, { position, ...(by && { rotation }) });
  }

  /** Changes by `carry`, as document fields. */
  carried(): ElementChange[] {
    const moved = this.changes({ mode: 'translate', pivot: 'center', space: 'world' });
    const [first] = this.#subjects;
    const element = first && !this.areMany ? this.#element(first.id) : undefined;
    const turned = element && transformFields(element, 'rotate', this.transform.rotation);
    if (!element || !turned) return moved;
    return [{ id: element.id, fields: { ...moved[0]?.fields, ...turned } }];
  }

  /** Changes by a gesture in a mode, as document fields. */
  changes(context: Pick<TransformContext, 'mode' | 'pivot' | 'space'>): ElementChange[] {
    const { mode, pivot, space } = context;
    return this.#subjects.flatMap((subject): ElementChange | never[] => {
      const element = this.#element(subject.id);
      if (!element) return [];
      const parts: TransformFields = !this.areMany
        ? { [PARTS[mode]]: this.transform[PARTS[mode]] }
        : mode === 'translate'
          ? { position: vectorOf(this.#moved(subject, pivot === 'each' && space === 'local', point)) }
          : this.#transformed(subject, mode, pivot === 'each', space === 'local');
      const fields = {
        ...(parts.position && transformFields(element, 'translate', parts.position)),
        ...(parts.rotation && transformFields(element, 'rotate', parts.rotation)),
        ...(parts.scale && transformFields(element, 'scale', parts.scale)),
      };
      if (Object.keys(fields).length === 0) return [];
      if (parts.position) this.#keepExact(subject.id, parts.position);
      return { id: subject.id, fields };
    });
  }

  #keepExact(id: number, { x, y, z }: Vector): void {
    this.#exact.set(id, { exact: new Vector3(x, y, z), floored: { x: whole(x), y: whole(y), z: whole(z) } });
  }

  /** Shows every element as in the document. */
  settle(): void {
    const { scene } = this.#stage;
    for (const { entity } of this.#subjects) {
      const element = scene.elementOf(entity);
      if (!element) continue;
      scene.setTransform(entity, {
        position: { x: element.position_x, y: element.position_y, z: element.position_z },
        rotation: { x: element.rotation_x, y: element.rotation_y, z: element.rotation_z },
        scale: { x: element.scale_x, y: element.scale_y, z: element.scale_z },
      });
    }
  }

  dispose(): void {
    this.#stage.three.remove(this.frame);
  }
}
