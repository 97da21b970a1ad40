import { Box3, Vector3 } from 'three';
import { IMAGE_SIDE } from '../document/constants.ts';
import type { Element } from '../document/element.ts';
import type { Vector } from '../document/fields.ts';
import { traitsOf } from '../document/traits-of.ts';
import { walk } from '../document/tree.ts';
import type { Stage } from '../stage/stage.ts';
import { worldBoundsOf } from './bounds.ts';
import { coveredOf } from './free-side.ts';
import { layOut, type Sides } from './lay-out.ts';
import { changesOf } from './moved.ts';
import { isLevel, type Picker, type Spot } from './picker.ts';
import type { Extent } from './snapping.ts';
import type { ElementChange } from './subjects.ts';

/** Side of what is not drawn yet and says no size, and of what has no body; units. */
const SIDE = 200;
const BODYLESS = 50;
/** Units by which a place for what has no body is nearer than the surface that one looks at. */
const BEFORE = 100;
/** Step of the turn with which a flat thing in the air faces who looks, radians. */
const FACING = Math.PI / 12;

/** What floating point leaves of a number. */
const DUST = 1e-6;
const whole = (value: number) => Math.floor(value + DUST);

/** Whether an element has a front, which faces away from what it is put on. */
export const isFlat = ({ element }: Element): boolean => {
  const { hit, isSolid } = traitsOf(element);
  return hit !== 'through' && !isSolid;
};

/** Sides of an element before it is drawn: what it says of itself, and what its file is like. */
function sidesOf(element: Element): Sides {
  if (traitsOf(element.element).hit === 'through') return { width: BODYLESS, height: BODYLESS, depth: BODYLESS };
  const { file, scale_x, scale_y, scale_z } = element;
  const ratio = file?.width && file.height ? file.width / file.height : 1;
  const width = element.width ?? (element.height ?? IMAGE_SIDE) * ratio;
  const height = element.height ?? width / ratio;
  const depth = element.depth ?? (isFlat(element) ? 0 : SIDE);
  return { width: width * scale_x, height: height * scale_y, depth: depth * scale_z };
}

interface Waiting {
  id: number;
  spot: Spot;
  done(changes: ElementChange[]): void;
}

/** Finds places for new things, and has them rest on what they were put on once it is known how large they are. */
export class Placing {
  readonly #stage: Stage;
  readonly #picker: Picker;
  readonly #surface: HTMLElement;
  readonly #box = new Box3();
  #waiting: Waiting[] = [];

  constructor(stage: Stage, picker: Picker, surface: HTMLElement) {
    this.#stage = stage;
    this.#picker = picker;
    this.#surface = surface;
  }

  /** The spot that one looks at: in the middle of what no panel covers. */
  ahead(element: Element): Spot {
    const { left, top, width, height } = this.#stage.canvas.getBoundingClientRect();
    const covered = coveredOf(this.#surface);
    const spot = this.#picker.spotAhead(left + Math.max(width - covered, width * 0.2) / 2, top + height / 2);
    const { camera } = this.#stage;
    if (traitsOf(element.element).hit === 'through') {
      const surface = new Vector3().copy(spot.surface as Vector3);
      const away = camera.position.clone().sub(surface);
      surface.add(away.setLength(Math.min(BEFORE, away.length() / 2)));
      return { ...spot, surface, normal: { x: 0, y: 0, z: 0 }, turn: 0 };
    }
    if (spot.normal.x !== 0 || spot.normal.y !== 0 || spot.normal.z !== 0) return spot;
    const way = camera.getWorldDirection(new Vector3()).negate();
    return { ...spot, turn: Math.round(Math.atan2(way.x, way.z) / FACING) * FACING };
  }

  /** Where a new element comes at a spot, in the room and in whole units: in it, beside what is there, resting. */
  positionOf(element: Element, spot: Spot): Vector {
    const { room } = this.#stage.scene;
    const taken = this.#taken().filter((extent) => !holds(extent, spot.surface));
    // In the air, a thing does not stand as it would on a floor.
    const [middle] = layOut([sidesOf(element)], spot, room, taken);
    const { x, y, z } = middle!;
    return { x: whole(x), y: isLevel(spot.normal) ? Math.ceil(y - DUST) : whole(y), z: whole(z) };
  }

  /** Boxes of everything that can be seen. */
  #taken(): Extent[] {
    const { scene } = this.#stage;
    const taken: Extent[] = [];
    for (const element of walk(scene.room.elements)) {
      const entity = scene.entityOf(element.id);
      if (entity === undefined || element.element === 'group' || element.hidden) continue;
      const isDrawn = this.#stage.viewOf(element.id) !== undefined;
      // What has just been added is not there before the next tick, and is in the way all the same.
      if (isDrawn && !scene.isVisible(entity)) continue;
      if (isDrawn) worldBoundsOf(this.#stage, element, this.#box);
      else {
        const { width, height, depth } = sidesOf(element);
        const { position_x, position_y, position_z } = element;
        this.#box.setFromCenterAndSize(
          new Vector3(position_x, position_y, position_z),
          new Vector3(Math.max(width, depth), height, Math.max(width, depth)),
        );
      }
      taken.push({ min: this.#box.min.clone(), max: this.#box.max.clone() });
    }
    return taken;
  }

  /** Has a new element rest on what it was put on, once all of it is drawn. @param done takes what that changes */
  rest(id: number, spot: Spot, done: (changes: ElementChange[]) => void): void {
    if (spot.normal.x === 0 && spot.normal.y === 0 && spot.normal.z === 0) return;
    this.#waiting.push({ id, spot, done });
    this.#stage.refresh();
  }

  /** Looks after what waits; before each frame. */
  place(): void {
    if (this.#waiting.length === 0) return;
    const { scene } = this.#stage;
    const ready: [Waiting, Element][] = [];
    this.#waiting = this.#waiting.filter((waiting) => {
      const entity = scene.entityOf(waiting.id);
      const element = entity === undefined ? undefined : scene.elementOf(entity);
      if (!element) return false;
      const isDrawn = [...walk([element])].every((each) => each.element === 'group' || this.#stage.viewOf(each.id));
      if (isDrawn) ready.push([waiting, element]);
      return !isDrawn;
    });
    // An edit in the middle of a frame would change what is being drawn.
    for (const [waiting, element] of ready) queueMicrotask(() => waiting.done(this.#rested(element, waiting.spot)));
  }

  #rested(element: Element, { surface, normal }: Spot): ElementChange[] {
    const { min, max } = worldBoundsOf(this.#stage, element, this.#box);
    const lowest = (['x', 'y', 'z'] as const).reduce(
      (sum, axis) => sum + normal[axis] * ((normal[axis] > 0 ? min[axis] : max[axis]) - surface[axis]),
      0,
    );
    // What hangs on a wall only must not stand in it.
    const by = isLevel(normal) || lowest < 0 ? -lowest : 0;
    if (Math.abs(by) < 1) return [];
    return changesOf(this.#stage, new Map([[element.id, { x: normal.x * by, y: normal.y * by, z: normal.z * by }]]));
  }
}

const holds = ({ min, max }: Extent, { x, y, z }: Vector): boolean =>
  x > min.x + 2 && x < max.x - 2 && y > min.y + 2 && y < max.y - 2 && z > min.z + 2 && z < max.z - 2;
