import { Euler, Matrix4, Quaternion, Vector3 } from 'three';
import type { ElementFields } from '../../document/commands.ts';
import type { Element } from '../../document/element.ts';
import { ancestorIdsOf } from '../../document/tree.ts';
import type { ElementChange, Numbers } from './shown-fields.ts';

/** Many elements transformed as one, as sent to other users. */
export interface Together {
  /** Number of the gesture; its matrix is relative to the transforms at the start of the gesture. */
  gesture: number;
  /** Element ids as inclusive ranges, ascending. */
  ids: readonly (readonly [number, number])[];
  /** Position in the room of the element with the smallest id at the start, in units. */
  start: readonly [number, number, number];
  /** The transform in the room: 4 × 4, column-major. */
  matrix: readonly number[];
}

/** Maximum number of ranges sent; for other elements, users only see the result. */
export const MAX_SPANS = 400;

/** Tolerance for elements transformed as one, because each position is floored separately. */
const SLACK = { units: 2.5, axes: 0.01 } as const;

interface Start {
  element: Element;
  /** World matrices of the element's parent and of the element. */
  parent: Matrix4;
  world: Matrix4;
}

const TURN = new Quaternion();
const EULER = new Euler();

const localOf = (each: Element): Matrix4 =>
  new Matrix4().compose(
    new Vector3(each.position_x, each.position_y, each.position_z),
    TURN.setFromEuler(EULER.set(each.rotation_x, each.rotation_y, each.rotation_z)),
    new Vector3(each.scale_x, each.scale_y, each.scale_z),
  );

/** World transforms of elements according to the document. */
function startsOf(elements: readonly Element[], isWanted: (id: number) => boolean): Map<number, Start> {
  const starts = new Map<number, Start>();
  const wanted = new Set(elements.flatMap(({ id }) => (isWanted(id) ? [id] : [])));
  const holders = ancestorIdsOf(elements, wanted);
  /** World matrices of the ancestors of the requested elements; the room's for null. */
  const worlds = new Map<number | null, Matrix4>([[null, new Matrix4()]]);
  for (const element of elements) {
    const { id, parent_element_id } = element;
    if (!wanted.has(id) && !holders.has(id)) continue;
    // The parent of an ancestor is an ancestor, too.
    const parent = worlds.get(parent_element_id)!;
    const world = parent.clone().multiply(localOf(element));
    worlds.set(id, world);
    if (wanted.has(id)) starts.set(id, { element, parent, world });
  }
  return starts;
}

/** Groups ids into inclusive ranges, ascending. */
export function spansOf(ids: Iterable<number>): [number, number][] {
  const spans: [number, number][] = [];
  for (const id of [...ids].sort((a, b) => a - b)) {
    const last = spans.at(-1);
    if (last && id <= last[1] + 1) last[1] = id;
    else spans.push([id, id]);
  }
  return spans;
}

function isIn(spans: Together['ids'], id: number): boolean {
  let [low, high] = [0, spans.length - 1];
  while (low <= high) {
    const middle = (low + high) >> 1;
    const [from, till] = spans[middle]!;
    if (id < from) high = middle - 1;
    else if (id > till) low = middle + 1;
    else return true;
  }
  return false;
}

const translationOf = ({ elements }: Matrix4): [number, number, number] => [
  elements[12]!,
  elements[13]!,
  elements[14]!,
];

const isNear = (one: Matrix4, other: Matrix4): boolean =>
  one.elements.every(
    (value, index) => Math.abs(value - other.elements[index]!) <= (index < 12 ? SLACK.axes : SLACK.units),
  );

/** Encodes a transform of many elements as one matrix. */
export class TogetherEncoder {
  #gesture = 0;
  #ids = '';
  #starts = new Map<number, Start>();

  /** Ends the gesture. */
  end(): void {
    this.#ids = '';
  }

  /**
   * @param elements of the document, which has the transforms from before the gesture
   * @returns null if they aren't transformed as one, for example if each is rotated around itself
   */
  encode(elements: readonly Element[], changes: readonly ElementChange[]): Together | null {
    const ids = changes.map(({ id }) => id).join();
    if (ids !== this.#ids) {
      const wanted = new Set(changes.map(({ id }) => id));
      this.#ids = ids;
      this.#gesture++;
      this.#starts = startsOf(elements, (id) => wanted.has(id));
    }
    const after = ({ id, fields }: ElementChange): [Start, Matrix4] | null => {
      const start = this.#starts.get(id);
      return start ? [start, start.parent.clone().multiply(localOf({ ...start.element, ...fields } as Element))] : null;
    };
    const first = changes[0] && after(changes[0]);
    if (!first) return null;
    const matrix = first[1].clone().multiply(first[0].world.clone().invert());
    if (!matrix.elements.every(Number.isFinite)) return null;
    const step = Math.max(1, Math.floor(changes.length / 8));
    for (let index = step; index < changes.length; index += step) {
      const other = after(changes[index]!);
      if (!other || !isNear(matrix.clone().multiply(other[0].world), other[1])) return null;
    }
    const spans = spansOf(this.#starts.keys()).slice(0, MAX_SPANS);
    const start = translationOf(this.#starts.get(spans[0]![0])!.world);
    return {
      gesture: this.#gesture,
      ids: spans,
      start,
      matrix: matrix.elements.map((value) => Number(value.toFixed(5))),
    };
  }
}

/** Decodes another user's transform of many elements to fields. */
export class TogetherShown {
  #gesture: number | null = null;
  #starts = new Map<number, Start>();

  /** Fields by element id; empty if the local document differs from the start of the gesture. */
  show(elements: readonly Element[], together: Together | null): ReadonlyMap<number, Numbers> {
    if (together?.gesture !== this.#gesture) {
      this.#gesture = together?.gesture ?? null;
      this.#starts = together ? startsOf(elements, (id) => isIn(together.ids, id)) : new Map();
      const first = this.#starts.get(together?.ids[0]?.[0] ?? 0);
      const isSame =
        first &&
        translationOf(first.world).every((value, axis) => Math.abs(value - together!.start[axis]!) <= SLACK.units);
      if (!isSame) this.#starts.clear();
    }
    const shown = new Map<number, Numbers>();
    if (!together) return shown;
    const by = new Matrix4().fromArray([...together.matrix]);
    const [position, turn, scale] = [new Vector3(), new Quaternion(), new Vector3()];
    for (const [id, { parent, world }] of this.#starts) {
      parent.clone().invert().multiply(by).multiply(world).decompose(position, turn, scale);
      const { x, y, z } = EULER.setFromQuaternion(turn);
      shown.set(id, {
        position_x: position.x,
        position_y: position.y,
        position_z: position.z,
        rotation_x: x,
        rotation_y: y,
        rotation_z: z,
        scale_x: scale.x,
        scale_y: scale.y,
        scale_z: scale.z,
      } satisfies ElementFields & Numbers);
    }
    return shown;
  }
}
