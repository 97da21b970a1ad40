import type { Element } from '../document/element.ts';
import { isInRoom } from '../document/in-room.ts';
import type { Navigation } from '../document/navigation.ts';
import { traitsOf } from '../document/traits-of.ts';
import type { SceneEvent } from '../scene/events/events.ts';
import { type Scene, worlds } from '../scene/scene.ts';
import { inView, radiusOf } from '../scene/view/view.ts';
import type { SceneWorld } from '../scene/world.ts';

/** Kinds of content opened by clicking an element. */
type OpenedKind = 'link' | 'door' | 'media' | 'popup' | 'slider' | 'view_point' | 'event';

const KINDS: Record<Navigation['type'], OpenedKind | null> = {
  disabled: null,
  space: 'door',
  slug: 'door',
  url: 'link',
  event: 'event',
  view_point: 'view_point',
  slider: 'slider',
  modal_url: 'popup',
  modal_content: 'popup',
  modal_static: 'popup',
  modal_share: 'popup',
};

/** What clicking an element opens; null for nothing. */
function openedKindOf({ element, config }: Element): OpenedKind | null {
  const { press, plays, reads } = traitsOf(element);
  if (press === 'go') return 'view_point';
  if (reads === 'children') return 'slider';
  if (plays) return 'media';
  const { navigation } = config as { navigation?: Navigation };
  return navigation ? KINDS[navigation.type] : null;
}

/** Minimum ratio of radius to distance at which an element counts as seen, about six degrees across. */
const NEAR_SHARE = 0.05;
/** Distance in units within which a visitor is at a view point. */
const AT_VIEW_POINT = 100;
/** Maximum seconds attributed to one sample: a suspended page isn't being viewed. */
const MAX_SAMPLE = 2;

/** Counts of one period of a visit. Seconds are rounded; remainders carry over to the next period. */
export interface VisitStretch {
  /** Visible elements that were large enough: id and seconds. */
  seen: [id: number, seconds: number][];
  /** View points where the visitor was: id and seconds. */
  stood: [id: number, seconds: number][];
  /** Opened content: kind, element id (0 if it opened automatically), and count. */
  opened: [kind: OpenedKind, id: number, times: number][];
}

/** Takes whole seconds per id, longest first, up to a maximum number of entries; remainders stay. */
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
 * Counts what a visitor sees, where the visitor is, and what the visitor opens, by sampling the scene once a second.
 * Works without a page or screen.
 */
export class VisitCounts {
  readonly #seen = new Map<number, number>();
  readonly #stood = new Map<number, number>();
  /** Result of the last sample, which counts until halfway to the next one. */
  #before: Found | undefined;
  readonly #opened = new Map<string, [OpenedKind, number, number]>();

  /**
   * Samples a scene after its last tick. Elements behind walls count as seen: occlusion isn't tested.
   * @param seconds since the previous sample
   */
  look(scene: Scene, seconds: number): void {
    const world = worlds.get(scene);
    if (!world || !(seconds > 0)) return;
    const half = Math.min(seconds, MAX_SAMPLE) / 2;
    const now = find(world);
    for (const { seen, stood } of [this.#before ?? now, now]) {
      for (const id of seen) add(this.#seen, id, half);
      for (const id of stood) add(this.#stood, id, half);
    }
    this.#before = now;
  }

  /** Handles scene events: pop-ups that open automatically. */
  hear({ type }: SceneEvent): void {
    if (type === 'popup.opened') this.#open('popup', 0);
  }

  /** Counts a click on an element that opens something. */
  press(element: Element): void {
    const kind = openedKindOf(element);
    // Feed items have no permanent ids.
    if (kind) this.#open(kind, Math.max(0, element.id));
  }

  /**
   * Position of the visitor after the last tick: x, y, z in whole units, and whole degrees counterclockwise from −z.
   */
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

  /** Takes the counts since the last call, up to a maximum number of entries per kind; the rest stays. */
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

/** Ids of visible elements, and of view points where the visitor is. */
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

/** Whether an element is visual content, in view, and large enough. */
function isSeen(world: SceneWorld, entity: number, element: Element): boolean {
  return (
    traitsOf(element.element).hit !== 'through' &&
    isInRoom(element) &&
    radiusOf(world, entity) >= NEAR_SHARE * distanceTo(world, entity) &&
    inView(world, entity)
  );
}

function distanceTo({ WorldMatrix: { position }, view }: SceneWorld, entity: number): number {
  const at = entity * 3;
  return Math.hypot(position[at]! - view.x, position[at + 1]! - view.y, position[at + 2]! - view.z);
}
