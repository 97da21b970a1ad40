import type { Element } from '../document/element.ts';
import { traitsOf } from '../document/traits-of.ts';
import type { SceneEvent } from '../scene/events/events.ts';
import { type Scene, worlds } from '../scene/scene.ts';
import { inView, radiusOf } from '../scene/view/view.ts';
import type { SceneWorld } from '../scene/world.ts';
import { type OpenedKind, openedKindOf } from './opened-kind.ts';

/** How large an element must look to be near enough: its radius as a part of its distance, about six degrees across. */
const NEAR_SHARE = 0.05;
/** Units around a view point within which a visitor stands there. */
const AT_VIEW_POINT = 100;
/** Most seconds that one look stands for: a page that slept was not looked at. */
const LONGEST_LOOK = 2;

/** What is counted of a stretch of a visit. Seconds are whole; what was rounded off or up counts with the next stretch. */
export interface VisitStretch {
  /** Elements that were on the screen and near enough: id and seconds. */
  seen: [id: number, seconds: number][];
  /** View points that the visitor stood at: id and seconds. */
  stood: [id: number, seconds: number][];
  /** What was opened: kind, id of the element or 0 where it opened by itself, how often. */
  opened: [kind: OpenedKind, id: number, times: number][];
}

/** The seconds that are due of each, the longest first, at most so many; they are taken off. */
function takeSeconds(seconds: Map<number, number>, most: number): [number, number][] {
  const due = [...seconds]
    .filter(([, time]) => time >= 0.5)
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, most);
  return due.map(([id, time]) => {
    const whole = Math.round(time);
    seconds.set(id, time - whole);
    return [id, whole];
  });
}

/**
 * Counts what a visitor of a scene sees, where they stand and what they open. It asks the scene for what it knows anyway,
 * once a second, and needs neither page nor screen.
 */
export class VisitCounts {
  readonly #seen = new Map<number, number>();
  readonly #stood = new Map<number, number>();
  /** What the last look found: it stays so until halfway to the next one. */
  #before: Found | undefined;
  readonly #opened = new Map<string, [OpenedKind, number, number]>();

  /**
   * Looks at a scene as it is after its last tick. What is behind a wall counts as seen: walls are not asked.
   * @param seconds since the look before
   */
  look(scene: Scene, seconds: number): void {
    const world = worlds.get(scene);
    if (!world || !(seconds > 0)) return;
    const half = Math.min(seconds, LONGEST_LOOK) / 2;
    const now = find(world);
    for (const { seen, stood } of [this.#before ?? now, now]) {
      for (const id of seen) add(this.#seen, id, half);
      for (const id of stood) add(this.#stood, id, half);
    }
    this.#before = now;
  }

  /** Hears what a scene tells: pop-ups that open by themselves. */
  hear({ type }: SceneEvent): void {
    if (type === 'popup.opened') this.#open('popup', 0);
  }

  /** Counts a press on an element, where it opens something. */
  press(element: Element): void {
    const kind = openedKindOf(element);
    // Items of feeds have no ids of their own.
    if (kind) this.#open(kind, Math.max(0, element.id));
  }

  /** Where the visitor is after the last tick of a scene: x, y, z in whole units, and whole degrees counterclockwise from −z. */
  place(scene: Scene): [x: number, y: number, z: number, heading: number] | null {
    const view = worlds.get(scene)?.view;
    if (!view || Number.isNaN(view.pose[0])) return null;
    const { x, y, z, axes } = view;
    const degrees = Math.round((Math.atan2(-axes[6]!, -axes[8]!) * 180) / Math.PI);
    return [Math.floor(x), Math.floor(y), Math.floor(z), (degrees + 360) % 360];
  }

  #open(kind: OpenedKind, id: number): void {
    const key = `${kind} ${id}`;
    const known = this.#opened.get(key);
    if (known) known[2]++;
    else this.#opened.set(key, [kind, id, 1]);
  }

  /** What was counted since it was last taken, so many entries of each kind at most; the rest waits. */
  take(most: number): VisitStretch {
    const opened = [...this.#opened].slice(0, most);
    for (const [key] of opened) this.#opened.delete(key);
    return {
      seen: takeSeconds(this.#seen, most),
      stood: takeSeconds(this.#stood, most),
      opened: opened.map(([, entry]) => entry),
    };
  }
}

/** Ids of what is seen, and of view points where the visitor stands. */
interface Found {
  seen: number[];
  stood: number[];
}

function find(world: SceneWorld): Found {
  const found: Found = { seen: [], stood: [] };
  for (const entity of world.byId.values()) {
    const element = world.elements[entity];
    if (!element || element.id <= 0 || world.Visibility.visible[entity] === 0) continue;
    if (traitsOf(element.element).press === 'go') {
      if (distanceTo(world, entity) <= AT_VIEW_POINT) found.stood.push(element.id);
    } else if (isSeen(world, entity, element)) found.seen.push(element.id);
  }
  return found;
}

function add(seconds: Map<number, number>, id: number, time: number): void {
  seconds.set(id, (seconds.get(id) ?? 0) + time);
}

/** Whether an element is something to look at, reaches into the view, and looks large enough. */
function isSeen(world: SceneWorld, entity: number, { element }: Element): boolean {
  return (
    traitsOf(element).hit !== 'through' &&
    radiusOf(world, entity) >= NEAR_SHARE * distanceTo(world, entity) &&
    inView(world, entity)
  );
}

function distanceTo({ WorldMatrix: { position }, view }: SceneWorld, entity: number): number {
  const at = entity * 3;
  return Math.hypot(position[at]! - view.x, position[at + 1]! - view.y, position[at + 2]! - view.z);
}
