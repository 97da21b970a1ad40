import { Box3, Matrix4, type Object3D, Quaternion, Vector2, Vector3 } from 'three';
import { STAND_OFF } from '../../document/constants.ts';
import type { Element } from '../../document/element.ts';
import { ancestorIdsOf, branchOf, topmost } from '../../document/tree.ts';
import { type Axis, snapGrid, type TransformContext } from '../../machines/transform.ts';
import type { Stage } from '../../stage/stage.ts';
import { isLevel, type Picker, type Spot } from '../camera/picker.ts';
import type { Handles } from '../gizmo/handles.ts';
import type { Subjects } from '../gizmo/subjects.ts';
import { boundsOf, worldBoundsOf } from '../marks/bounds.ts';
import { StrokeLines } from '../marks/box-lines.ts';
import { type PagePoint, seenAt, unitsHigh } from '../marks/screen.ts';
import type { EditEvents } from './edit-events.ts';
import { type Extent, type Guide, snapBox } from './snapping.ts';

const LOOK = { color: '#7FD3CF', opacity: 1 };

/** Snapping guide lines. */
class Guides {
  readonly #stage: Stage;
  readonly #lines: StrokeLines;

  constructor(stage: Stage) {
    this.#stage = stage;
    this.#lines = new StrokeLines(stage, 'guides', LOOK);
  }

  /** Shows exactly these guides. */
  show(guides: readonly Guide[]): void {
    this.#lines.show(guides.map(({ from, to }) => [from, to] as const));
    this.#stage.refresh();
  }

  dispose(): void {
    this.#lines.dispose();
  }
}

/** Maximum distance in units from its wall at which an element keeps that distance. */
const MAX_KEPT_DISTANCE = 40;
/** Maximum depth of a flat element relative to its shorter side. */
const FLAT = 0.2;
/** Snapping distance in pixels. */
const REACH = 7;
/** Maximum distance in units from the surface for snapping to other elements. */
const NEIGHBORHOOD = 150;

const AXES: readonly Axis[] = ['x', 'y', 'z'];
const UP = new Vector3(0, 1, 0);

interface Carried {
  ids: ReadonlySet<number>;
  /** Whether it aligns to its surface. */
  isFlat: boolean;
  /** Bounding box in the room, and in its local frame with that frame's matrix; for many elements, the common box. */
  world: Box3;
  own: Box3;
  matrix: Matrix4;
  front: Vector3;
  standOff: number;
  /** Offset in pixels from the pointer to the contact point. */
  offset: Vector2;
  others: Extent[];
  /** Surfaces it may rest on, collected once: among thousands of elements, few are solid. */
  solids: readonly Object3D[];
}

interface Carry {
  shift: Vector3;
  turn: Quaternion | null;
}

/** Drags the selection along walls, floor and solids under the pointer, snapping to neighbors. */
export class SurfaceDrag {
  readonly #stage: Stage;
  readonly #picker: Picker;
  readonly #subjects: Subjects;
  readonly #guides: Guides;
  #carried: Carried | undefined;

  constructor(stage: Stage, picker: Picker, subjects: Subjects) {
    this.#stage = stage;
    this.#picker = picker;
    this.#subjects = subjects;
    this.#guides = new Guides(stage);
  }

  get isDragging(): boolean {
    return this.#carried !== undefined;
  }

  /** Picks up elements at a page point. @param elements none of which contains another */
  begin(elements: readonly Element[], clientX: number, clientY: number): void {
    const stage = this.#stage;
    const world = new Box3();
    for (const element of elements) world.union(worldBoundsOf(stage, element, new Box3()));
    const own = world.clone();
    const matrix = new Matrix4();
    const [first] = elements;
    const entity = first && elements.length === 1 ? stage.scene.entityOf(first.id) : undefined;
    if (first && entity !== undefined) {
      stage.scene.worldMatrix(entity, matrix.elements);
      boundsOf(stage, first, matrix, own);
    }
    const size = own.getSize(new Vector3());
    const ids = new Set(elements.flatMap(({ id }) => branchOf(stage.scene.room.elements, id)).map(({ id }) => id));
    this.#carried = {
      ids,
      isFlat: entity !== undefined && size.z < FLAT * Math.min(size.x, size.y),
      world,
      own,
      matrix,
      front: new Vector3().setFromMatrixColumn(matrix, 2).normalize(),
      standOff: STAND_OFF,
      offset: new Vector2(),
      others: this.#othersOf(elements, ids),
      solids: this.#picker.solids((id) => ids.has(id)),
    };
    const { x, y } = seenAt(this.#stage, this.#contact());
    this.#carried.offset.set(x - clientX, y - clientY);
    this.#keepDistance();
    this.#subjects.mark(false);
  }

  /**
   * Bounding boxes of snapping neighbors: visible elements that neither contain the dragged ones nor are part of
   * them.
   */
  #othersOf(elements: readonly Element[], ids: ReadonlySet<number>): Extent[] {
    const { scene } = this.#stage;
    const above = ancestorIdsOf(scene.room.elements, new Set(elements.map(({ id }) => id)));
    const others: Extent[] = [];
    for (const element of scene.room.elements) {
      const entity = scene.entityOf(element.id);
      if (ids.has(element.id) || above.has(element.id) || element.element === 'group') continue;
      if (entity === undefined || !scene.isVisible(entity) || !this.#stage.viewOf(element.id)) continue;
      const { min, max } = worldBoundsOf(this.#stage, element, new Box3());
      others.push({ min, max });
    }
    return others;
  }

  /** The contact point: center of the back of flat elements, bottom center of others. */
  #contact(): Vector3 {
    const { isFlat, own, matrix, world } = this.#carried!;
    if (!isFlat) return world.getCenter(new Vector3()).setY(world.min.y);
    return own.getCenter(new Vector3()).setZ(own.min.z).applyMatrix4(matrix);
  }

  /** Elements close to their wall keep their distance. */
  #keepDistance(): void {
    const carried = this.#carried!;
    if (!carried.isFlat) return;
    const contact = this.#contact();
    const { x, y } = seenAt(this.#stage, contact);
    const spot = this.#picker.surfaceAt(x, y, carried.solids);
    if (!spot || isLevel(spot.normal)) return;
    const away = contact.sub(spot.surface as Vector3).dot(spot.normal as Vector3);
    if (away >= 0 && away < MAX_KEPT_DISTANCE && carried.front.dot(spot.normal as Vector3) > 0.99)
      carried.standOff = away;
  }

  /**
   * Moves the dragged elements to the pointer.
   * @param snaps whether to snap to neighbors
   * @param step grid size in units otherwise; null for none
   */
  move(clientX: number, clientY: number, { snaps, step }: { snaps: boolean; step: number | null }): void {
    const carried = this.#carried;
    if (!carried) return;
    const { offset, solids } = carried;
    const spot = this.#picker.surfaceAt(clientX + offset.x, clientY + offset.y, solids);
    if (!spot) return;
    const { shift, turn } = this.#onto(carried, spot);
    const box = this.#boxAfter(carried, { shift, turn });
    const free = AXES.filter((axis) => Math.abs(spot.normal[axis]) < 0.5);
    for (const axis of free)
      if (step) shift[axis] = Math.round(box.min[axis] / step) * step - box.min[axis] + shift[axis];
    if (snaps) {
      const snapped = this.#snap(this.#boxAfter(carried, { shift, turn }), free, spot);
      shift.add(snapped.shift as Vector3);
      this.#guides.show(snapped.guides);
    } else this.#guides.show([]);
    // Positions are floored to whole units: round up, so that resting elements don't sink.
    const { y } = new Vector3().setFromMatrixPosition(carried.matrix);
    if (isLevel(spot.normal) && spot.normal.y > 0) shift.y = Math.ceil(y + shift.y - 1e-6) - y;
    this.#subjects.carry(shift, turn);
    this.#stage.refresh();
  }

  #snap(box: Extent, free: readonly Axis[], { normal }: Spot) {
    const { canvas, scene } = this.#stage;
    const across = AXES.reduce((a, b) => (Math.abs(normal[b]) > Math.abs(normal[a]) ? b : a));
    const others = this.#carried!.others.filter(
      (other) =>
        other.min[across] < box.max[across] + NEIGHBORHOOD && other.max[across] > box.min[across] - NEIGHBORHOOD,
    );
    const half = new Vector3(scene.room.width, scene.room.height, scene.room.depth).multiplyScalar(0.5);
    const middle = new Vector3().addVectors(box.min as Vector3, box.max as Vector3).multiplyScalar(0.5);
    const high = unitsHigh(this.#stage, middle);
    return snapBox(box, free, others, { min: half.clone().negate(), max: half }, (REACH * high) / canvas.clientHeight);
  }

  /** Translation and rotation that bring the contact point to a spot. */
  #onto({ isFlat, world, own, matrix, front, standOff }: Carried, { surface, normal }: Spot): Carry {
    const at = new Vector3().copy(surface as Vector3);
    const out = new Vector3().copy(normal as Vector3);
    const half = world.getSize(new Vector3()).multiplyScalar(0.5);
    const center = world.getCenter(new Vector3());
    if (!isFlat || isLevel(normal)) {
      // Rests on its base, hangs from a ceiling by its top, and touches a wall with its side.
      const reach = new Vector3(out.x * half.x, 0, out.z * half.z);
      at.add(reach).y += isLevel(normal) && normal.y < 0 ? -half.y : half.y;
      if (isLevel(normal)) at.add(reach.negate());
      return { shift: at.sub(center), turn: null };
    }
    // Rotate around the vertical axis first: a half turn could otherwise flip the element upside down.
    const yaw = Math.atan2(out.x, out.z) - Math.atan2(front.x, front.z);
    const turn = new Quaternion().setFromAxisAngle(UP, isLevel(front) ? 0 : yaw);
    turn.premultiply(new Quaternion().setFromUnitVectors(front.clone().applyQuaternion(turn), out));
    // Center of the back after rotating around the element's origin.
    const place = new Vector3().setFromMatrixPosition(matrix);
    const back = own.getCenter(new Vector3()).setZ(own.min.z).applyMatrix4(matrix).sub(place).applyQuaternion(turn);
    return { shift: at.addScaledVector(out, standOff).sub(back).sub(place), turn };
  }

  /** Resulting bounding box in the room. */
  #boxAfter({ world, own, matrix }: Carried, { shift, turn }: Carry): Extent {
    if (!turn) return { min: world.min.clone().add(shift), max: world.max.clone().add(shift) };
    const place = new Vector3().setFromMatrixPosition(matrix);
    const moved = new Matrix4()
      .makeTranslation(place.clone().add(shift))
      .multiply(new Matrix4().makeRotationFromQuaternion(turn))
      .multiply(new Matrix4().makeTranslation(place.negate()))
      .multiply(matrix);
    return own.clone().applyMatrix4(moved);
  }

  /** Puts everything down. */
  end(): void {
    this.#carried = undefined;
    this.#guides.show([]);
  }

  dispose(): void {
    this.#guides.dispose();
  }
}

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
