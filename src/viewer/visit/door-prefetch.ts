import type { Element as RoomElement } from '../../../engine/document/element.ts';
import type { Navigation } from '../../../engine/document/navigation.ts';
import { placePanorama } from '../../../engine/document/places.ts';
import { budget, savesData } from '../../../engine/stage/resources/device.ts';
import type { Stage } from '../../../engine/stage/stage.ts';
import { shownPanorama } from '../../../engine/stage/surroundings/shown-panorama.ts';
import { cameraPlace, linkPathOf, pagePath } from '../address/page-place.ts';
import { type Arrival, loadEndpoint, visitedRoom } from './visit-data.ts';
import type { VisitEvents } from './visit-events.ts';

/** Distance in units within which a door counts as near: 5 m. */
const NEAR = 1560;
/** Cosine of the angle around the center of the view within which a visitor looks at a door: 12°. */
const AHEAD = Math.cos((12 * Math.PI) / 180);
/** Milliseconds between two looks around. */
const INTERVAL = 1000;
/** Milliseconds for which a prefetched document is used: it may be edited, and access may end. */
const FRESH = 30_000;
/** Maximum number of rooms prefetched at a time. */
const MAX_ROOMS = 6;

type Door = Extract<Navigation, { type: 'space' | 'slug' }>;

/** The public path of the room that an element leads to; undefined if it leads to none. */
function pathThrough({ config }: RoomElement): string | undefined {
  const { navigation } = config as { navigation?: Navigation };
  const leads = navigation?.type === 'space' || navigation?.type === 'slug';
  return leads ? linkPathOf(navigation as Door) : undefined;
}

/** URLs of what a room's first frame shows. */
function firstFilesOf({ endpoint }: Arrival): string[] {
  const room = endpoint.room && visitedRoom(endpoint.room);
  if (!room) return [];
  const panorama = placePanorama(room, room.config.start_view_point_id ?? 0);
  if (!panorama) return room.template?.file ? [room.template.file.url] : [];
  const { small, url } = shownPanorama(panorama.file);
  return small ? [small, url] : [url];
}

/** A requested structure. */
interface Coming {
  arrival: Promise<Arrival>;
  /** Page clock in milliseconds when it was requested. */
  at: number;
}

/** Prefetches the rooms behind doors that are near, looked at, or pointed at. */
export class DoorPrefetch {
  readonly #stage: Stage;
  /** By the path of the page, which names the language. */
  readonly #coming = new Map<string, Coming>();
  readonly #abort = new AbortController();
  #bytes = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(stage: Stage, events: VisitEvents) {
    this.#stage = stage;
    const { signal } = this.#abort;
    const point = ({ target }: Event) => {
      const holder = target instanceof Element ? target.closest<HTMLElement>('[data-element-id]') : null;
      if (holder) this.#follow(Number(holder.dataset.elementId));
    };
    for (const sign of ['pointerover', 'focusin']) addEventListener(sign, point, { signal });
    const stop = events.subscribe((event) => {
      if (event.type === 'moved' || event.type === 'ready') this.#timer ??= setTimeout(() => this.#look(), INTERVAL);
      if (event.type === 'pointed') this.#follow(event.element_id);
    });
    signal.addEventListener('abort', stop);
    this.#look();
  }

  /** The prefetched structure at a path, once; undefined if there is none that is fresh. */
  take(path: string): Promise<Arrival> | undefined {
    const page = pagePath(path);
    const known = this.#coming.get(page);
    this.#coming.delete(page);
    return known && performance.now() - known.at < FRESH ? known.arrival : undefined;
  }

  /** Prefetches rooms behind doors that are near or ahead. */
  #look(): void {
    this.#timer = undefined;
    const { scene, pose } = this.#stage;
    const { position: p, target: t } = cameraPlace(pose);
    const length = Math.hypot(t.x - p.x, t.y - p.y, t.z - p.z);
    const matrix = new Array<number>(16).fill(0);
    for (const { id } of scene.room.elements) {
      const entity = scene.entityOf(id);
      const element = entity === undefined ? undefined : scene.elementOf(entity);
      if (entity === undefined || !element || pathThrough(element) === undefined || !scene.isVisible(entity)) continue;
      scene.worldMatrix(entity, matrix);
      const [x, y, z] = [matrix[12]! - p.x, matrix[13]! - p.y, matrix[14]! - p.z];
      const distance = Math.hypot(x, y, z);
      const along = (x * (t.x - p.x) + y * (t.y - p.y) + z * (t.z - p.z)) / length;
      if (distance < NEAR || along > distance * AHEAD) this.#follow(id);
    }
  }

  /** Prefetches the room that an element leads to. */
  #follow(elementId: number): void {
    const { scene } = this.#stage;
    const element = scene.elementOf(scene.entityOf(elementId) ?? 0);
    const path = element && pathThrough(element);
    if (path === undefined) return;
    const now = performance.now();
    const page = pagePath(path);
    const known = this.#coming.get(page);
    if (known && now - known.at < FRESH) return;
    for (const [each, { at }] of this.#coming) if (now - at >= FRESH) this.#coming.delete(each);
    if (this.#coming.size >= MAX_ROOMS) return;
    const arrival = loadEndpoint(path);
    this.#coming.set(page, { arrival, at: now });
    void this.#cache(page, arrival, known !== undefined);
  }

  /** @param isCached whether its files were requested before */
  async #cache(page: string, arrival: Promise<Arrival>, isCached: boolean): Promise<void> {
    try {
      const files = firstFilesOf(await arrival);
      if (isCached || savesData()) return;
      for (const url of files) {
        const response = await fetch(url, { priority: 'low', signal: this.#abort.signal });
        this.#bytes += Number(response.headers.get('content-length'));
        if (this.#bytes > budget().doorBytes) {
          await response.body?.cancel();
          return;
        }
        await response.arrayBuffer();
      }
    } catch {
      // A door that needs a code, or leads nowhere, says so when the visitor goes through it.
      this.#coming.delete(page);
    }
  }

  dispose(): void {
    this.#abort.abort();
    clearTimeout(this.#timer);
  }
}
