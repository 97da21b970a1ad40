import { Euler, Matrix4, Quaternion, Vector3 } from 'three';
import type { ElementFields } from '../document/commands.ts';
import type { Element } from '../document/element.ts';
import type { Numbers } from './shown-fields.ts';
import type { ElementChange } from './subjects.ts';

/** Many elements that are moved, turned or sized as one, as one editor tells the others. */
export interface Together {
  /** Number of the gesture: what is told of the same one counts from where everything stood when it began. */
  gesture: number;
  /** Their ids as spans, from and till, each inclusive; in ascending order. */
  ids: readonly (readonly [number, number])[];
  /** Where the one with the smallest id stood in the room when the gesture began, units. */
  start: readonly [number, number, number];
  /** What moves them, in the room: a matrix of four by four, column by column. */
  matrix: readonly number[];
}

/** Most spans that are told: of elements beyond them, others see the end. */
export const MAX_SPANS = 400;

/** Units and radians by which elements may be off and still count as moved as one: each is floored by itself. */
const SLACK = { units: 2.5, axes: 0.01 } as const;

interface Start {
  element: Element;
  /** World matrix of what the element stands in, and its own. */
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

/** Where elements stand, as the document has it. */
function startsOf(elements: readonly Element[], isWanted: (id: number) => boolean): Map<number, Start> {
  const starts = new Map<number, Start>();
  const search = (list: readonly Element[], parent: Matrix4) => {
    for (const element of list) {
      const isStart = isWanted(element.id);
      if (!isStart && element.children.length === 0) continue;
      const world = parent.clone().multiply(localOf(element));
      if (isStart) starts.set(element.id, { element, parent, world });
      search(element.children, world);
    }
  };
  search(elements, new Matrix4());
  return starts;
}

/** Ids as spans from and till, in ascending order. */
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

/** Tells what moves many elements, in one matrix. */
export class TogetherTeller {
  #gesture = 0;
  #ids = '';
  #starts = new Map<number, Start>();

  /** The gesture is over. */
  end(): void {
    this.#ids = '';
  }

  /**
   * @param elements as the document has them, which is where they stood when a gesture that is told for the first time began
   * @returns null where they are not moved as one, such as when each is turned about itself
   */
  tell(elements: readonly Element[], changes: readonly ElementChange[]): Together | null {
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

/** What another editor moves as one, as fields of the elements that the document here has. */
export class TogetherShown {
  #gesture: number | null = null;
  #starts = new Map<number, Start>();

  /** Fields by the ids of elements; none where the document here is not as it was when the gesture began. */
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
