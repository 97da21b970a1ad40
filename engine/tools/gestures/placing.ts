import { Box3, Matrix4, type Object3D, Vector3 } from 'three';
import type { Element } from '../../document/element.ts';
import type { Vector } from '../../document/fields.ts';
import type { FramingTemplate } from '../../document/framing.ts';
import { outerSize } from '../../document/outer-size.ts';
import { traitsOf } from '../../document/traits-of.ts';
import { branchOf } from '../../document/tree.ts';
import type { Stage } from '../../stage/stage.ts';
import { holderOf, isLevel, type Picker, type Spot } from '../camera/picker.ts';
import { isFlat, worldBoundsOf } from '../marks/bounds.ts';
import type { ElementChange } from '../marks/shown-fields.ts';
import { type Hung, hang } from './hang.ts';
import { layOut, type Sides } from './lay-out.ts';
import { changesOf } from './moved.ts';
import { roomMatrix } from './regroup.ts';
import type { Extent } from './snapping.ts';

/** Default side of elements not drawn yet, and side of those without geometry, in units. */
const SIDE = 200;
const BODYLESS = 50;
/** Default position of new elements, in units in the camera's frame. */
const AHEAD = new Vector3(-100, 0, -400);
/** Rotation step in radians for facing new flat elements towards the camera. */
const FACING = Math.PI / 12;

/** Floating-point tolerance. */
const TOLERANCE = 1e-6;
const whole = (value: number) => Math.floor(value + TOLERANCE);

/** Size of an element before it is drawn, without its scale, from its fields and its file. */
function bodyOf(element: Element, template: FramingTemplate): Sides {
  if (traitsOf(element.element).hit === 'through') return { width: BODYLESS, height: BODYLESS, depth: BODYLESS };
  const { width, height } = outerSize(element, template);
  const depth = element.depth ?? (isFlat(element) ? 0 : SIDE);
  return { width, height, depth };
}

function sidesOf(element: Element, template: FramingTemplate): Sides {
  const { width, height, depth } = bodyOf(element, template);
  const { scale_x, scale_y, scale_z } = element;
  return { width: width * scale_x, height: height * scale_y, depth: depth * scale_z };
}

interface Waiting {
  id: number;
  spot: Spot;
  done(changes: ElementChange[]): void;
}

/** Finds positions for new elements, and settles them on their surface once their size is known. */
export class Placing {
  readonly #stage: Stage;
  readonly #picker: Picker;
  readonly #box = new Box3();
  #waiting: Waiting[] = [];

  constructor(stage: Stage, picker: Picker) {
    this.#stage = stage;
    this.#picker = picker;
  }

  /** Default spot for new elements: ahead of the camera, facing it. */
  ahead(): Spot {
    const { position, quaternion } = this.#stage.camera;
    const { x, y, z } = AHEAD.clone().applyQuaternion(quaternion).add(position);
    const point = { x: whole(x), y: whole(y), z: whole(z) };
    const back = new Vector3(0, 0, 1).applyQuaternion(quaternion);
    const turn = Math.round(Math.atan2(back.x, back.z) / FACING) * FACING || 0;
    return { position: point, surface: point, normal: { x: 0, y: 0, z: 0 }, turn, isExact: true };
  }

  /**
   * Position of a new element at a spot, in whole units: on the surface, next to existing elements, inside the room. Ahead
   * of the camera, it is exactly the spot unless another element has that position.
   */
  positionOf(element: Element, spot: Spot): Vector {
    return spot.isExact && !this.#isOccupied(spot.position) ? spot.position : this.positionsOf([element], spot)[0]!;
  }

  #isOccupied({ x, y, z }: Vector): boolean {
    const { elements } = this.#stage.scene.room;
    const position = new Vector3(x, y, z);
    return elements.some(
      ({ id }) => new Vector3().setFromMatrixPosition(roomMatrix(elements, id)).distanceTo(position) < 1,
    );
  }

  /** Positions of several new elements, in order. */
  positionsOf(elements: readonly Element[], spot: Spot, taken: readonly Extent[] = this.#taken()): Vector[] {
    const { room } = this.#stage.scene;
    // A box around the spot is a shell, such as a room model; for spots ahead of the camera, only if it contains
    // both.
    const { camera } = this.#stage;
    const isShell = (extent: Extent) =>
      holds(extent, spot.surface) && (!spot.isExact || holds(extent, camera.position));
    const free = taken.filter((extent) => !isShell(extent));
    const places = layOut(
      elements.map((element) => sidesOf(element, room.template)),
      spot,
      room,
      free,
    );
    // In the air, elements are centered instead of standing.
    return places.map(({ x, y, z }) => ({
      x: whole(x),
      y: isLevel(spot.normal) ? Math.ceil(y - TOLERANCE) : whole(y),
      z: whole(z),
    }));
  }

  /**
   * Hangs new images on walls: in order, one row per wall; images that fit on no wall are placed next to existing ones.
   * @param eye height of the row's center above the floor, in units
   * @returns undefined if the spot isn't on a wall
   */
  hang(pictures: readonly Element[], spot: Spot, eye: number): Hung[] | undefined {
    const solids = this.#picker.solids();
    const { surface, normal } = spot;
    // Only the room's walls or the model at the spot count as walls: furniture isn't a corner.
    const met = this.#picker.meet(
      { x: surface.x + normal.x, y: surface.y + normal.y, z: surface.z + normal.z },
      reversed(normal),
      solids,
    );
    const shell = met && met.distance < 2 ? holderOf(met.object ?? null) : null;
    const walls: Object3D[] = shell ? [shell] : [];
    const taken = this.#taken(shell?.userData.element_id as number | undefined);
    const { template } = this.#stage.scene.room;
    const sides = pictures.map((picture) => sidesOf(picture, template));
    const hung = hang(sides, spot, eye, (from, way) => this.#picker.meet(from, way, walls), taken);
    if (!hung) return undefined;
    const left = pictures.filter((_, nth) => hung[nth] === null);
    const rows = hung.flatMap((place, nth) => (place ? [boxAround(place, sides[nth]!)] : []));
    const others = this.positionsOf(left, spot, [...taken, ...rows]);
    return hung.map((place) => {
      return place ?? { position: others.shift()!, turn: spot.turn };
    });
  }

  /** Bounding boxes of all visible elements except one. */
  #taken(exceptId?: number): Extent[] {
    const { scene } = this.#stage;
    const taken: Extent[] = [];
    for (const element of scene.room.elements) {
      const entity = scene.entityOf(element.id);
      if (entity === undefined || element.element === 'group' || element.hidden) continue;
      if (element.id === exceptId) continue;
      const isDrawn = this.#stage.viewOf(element.id) !== undefined;
      // Elements just added aren't visible until the next tick, but must be avoided.
      if (isDrawn && !scene.isVisible(entity)) continue;
      if (isDrawn) worldBoundsOf(this.#stage, element, this.#box);
      else {
        const { width, height, depth } = bodyOf(element, scene.room.template);
        this.#box.setFromCenterAndSize(ORIGIN, new Vector3(width, height, depth));
        this.#box.applyMatrix4(roomMatrix(scene.room.elements, element.id));
      }
      taken.push({ min: this.#box.min.clone(), max: this.#box.max.clone() });
    }
    return taken;
  }

  /** Settles a new element on its surface once it is completely drawn. @param done receives the changes */
  rest(id: number, spot: Spot, done: (changes: ElementChange[]) => void): void {
    if (spot.normal.x === 0 && spot.normal.y === 0 && spot.normal.z === 0) return;
    this.#waiting.push({ id, spot, done });
    this.#stage.refresh();
  }

  /** Settles waiting elements that have been drawn; called before each frame. */
  place(): void {
    if (this.#waiting.length === 0) return;
    const { scene } = this.#stage;
    const ready: [Waiting, Element][] = [];
    this.#waiting = this.#waiting.filter((waiting) => {
      const entity = scene.entityOf(waiting.id);
      const element = entity === undefined ? undefined : scene.elementOf(entity);
      if (!element) return false;
      const isDrawn = branchOf(scene.room.elements, element.id).every(
        (each) => each.element === 'group' || this.#stage.viewOf(each.id),
      );
      if (isDrawn) ready.push([waiting, element]);
      return !isDrawn;
    });
    // An edit during a frame would change what is being drawn.
    for (const [waiting, element] of ready) queueMicrotask(() => waiting.done(this.#rested(element, waiting.spot)));
  }

  #rested(element: Element, { surface, normal }: Spot): ElementChange[] {
    const { min, max } = worldBoundsOf(this.#stage, element, this.#box);
    const lowest = (['x', 'y', 'z'] as const).reduce(
      (sum, axis) => sum + normal[axis] * ((normal[axis] > 0 ? min[axis] : max[axis]) - surface[axis]),
      0,
    );
    // On a wall, an element only must not intersect it.
    const by = isLevel(normal) || lowest < 0 ? -lowest : 0;
    if (Math.abs(by) < 1) return [];
    return changesOf(this.#stage, new Map([[element.id, { x: normal.x * by, y: normal.y * by, z: normal.z * by }]]));
  }
}

const ORIGIN = new Vector3();

const reversed = ({ x, y, z }: Vector): Vector => ({ x: -x, y: -y, z: -z });

/** Bounding box of a hung image in the room. */
function boxAround({ position, turn }: Hung, { width, height, depth }: Sides): Extent {
  const box = new Box3().setFromCenterAndSize(ORIGIN, new Vector3(width, height, depth));
  return box.applyMatrix4(new Matrix4().makeRotationY(turn).setPosition(position.x, position.y, position.z));
}

const holds = ({ min, max }: Extent, { x, y, z }: Vector): boolean =>
  x > min.x + 2 && x < max.x - 2 && y > min.y + 2 && y < max.y - 2 && z > min.z + 2 && z < max.z - 2;
