import type { Element, ElementOf } from '../../engine/document/element.ts';
import type { Navigation } from '../../engine/document/navigation.ts';
import { walk } from '../../engine/document/tree.ts';
import { createScene, type Scene, type SceneEvent, type VisitorInput } from '../../engine/scene/scene.ts';
import { Stage } from '../../engine/stage/stage.ts';
import type { PublicEndpoint, PublicRoom } from '../contract/entities.ts';
import { track } from './analytics.ts';
import { logProblem } from './console.ts';
import type { Entrance } from './entrance.ts';
import { pathOf, safeUrl } from './link-target.ts';
import { createRoomClock, type RoomClock } from './room-clock.ts';
import { loadEndpoint } from './visit-data.ts';
import type { VisitActions, VisitState, VisitStore } from './visit-store.ts';

const viewPointsOf = (elements: readonly Element[]): ElementOf<'view_point'>[] =>
  [...walk(elements)]
    .filter((element): element is ElementOf<'view_point'> => element.element === 'view_point')
    .sort((a, b) => a.config.order_rank - b.config.order_rank);

/** One visitor's way through rooms: opens them, follows links between them, and frees each on leaving. */
export class Visit implements VisitActions {
  readonly #container: HTMLElement;
  readonly #entrance: Entrance;
  readonly #store: VisitStore;
  #stage: Stage | undefined;
  #scene: Scene | undefined;
  #turn = 0;

  constructor(container: HTMLElement, entrance: Entrance, store: VisitStore) {
    this.#container = container;
    this.#entrance = entrance;
    this.#store = store;
    addEventListener('popstate', () => void this.#load(location.pathname, false));
  }

  /** The stage that stands now; for the page's own tests and tools. */
  get stage(): Stage | undefined {
    return this.#stage;
  }

  /** What the controls over the room show. */
  get state(): VisitState {
    return this.#store.get();
  }

  /** Plays a structure's room. */
  open(endpoint: PublicEndpoint): void {
    this.#close();
    const { room } = endpoint;
    document.title = endpoint.name;
    this.#store.set({ endpoint, viewPoint: null, dialog: null, viewPoints: room ? viewPointsOf(room.elements) : [] });
    this.#store.set({ fullPage: null, mutedFallback: false, cues: [] });
    if (!room) {
      this.#entrance.refuse(endpoint.name, 'This room is empty.');
      return;
    }
    const { entered } = this.#store.get();
    this.#entrance.open(room.title);
    const clock = createRoomClock(endpoint, () => performance.now());
    const scene = createScene(room, { dayStart: clock.dayStart });
    this.#scene = scene;
    this.#container.dataset.state = 'loading';
    try {
      this.#stage = this.#draw(room, scene, clock, entered);
    } catch (error) {
      logProblem(String(error));
      this.#entrance.refuse(room.title, 'This room needs WebGL, which this browser does not offer.');
    }
  }

  #draw(room: PublicRoom, scene: Scene, clock: RoomClock, entered: boolean): Stage {
    return new Stage({
      container: this.#container,
      scene,
      time: clock.now,
      handlers: {
        progress: ({ loaded, total }) => this.#entrance.progress(loaded / total),
        firstFrame: () => {
          performance.mark('enfilade:first-frame');
          void import('./overlay/mount.tsx').then(({ mountOverlay }) => mountOverlay(this.#store, this));
          if (entered) {
            this.#entrance.close();
            this.send({ type: 'entered' });
          } else this.#entrance.invite(() => this.#enter());
        },
        ready: () => {
          performance.mark('enfilade:ready');
          this.#container.dataset.state = 'ready';
          track('room_loaded', {
            room_id: room.id,
            elements: [...walk(room.elements)].map(({ id, element }) => ({ id, element })),
          });
        },
        pressed: (element, inside) => this.#press(element, inside),
        event: (event) => this.#follow(event),
        cues: (_, cues) => this.#store.set({ cues }),
        failed: (message, elementId) => this.#failed(message, elementId),
        context: (state) =>
          this.#store.set({
            notice: state === 'lost' ? 'The picture was lost for a moment; it is being restored.' : null,
          }),
      },
    });
  }

  #enter(): void {
    this.#store.set({ entered: true });
    this.send({ type: 'entered' });
    this.#entrance.close();
    this.#container.focus({ preventScroll: true });
  }

  /** Hands the room what a visitor did, or what others report. */
  send(input: VisitorInput): void {
    this.#stage?.send(input);
  }

  #follow(event: SceneEvent): void {
    switch (event.type) {
      case 'media.fullpage':
        this.#store.set({ fullPage: event.on ? event.element_id : null });
        break;
      case 'media.muted_fallback':
      case 'media.muted_fallback_cleared':
        this.#store.set({ mutedFallback: event.type === 'media.muted_fallback' });
        break;
      case 'fullscreen.off':
        if (document.fullscreenElement) void document.exitFullscreen();
        break;
      default:
    }
  }

  #failed(message: string, elementId: number | null): void {
    logProblem(message, { element_id: elementId });
    if (elementId === null) this.#store.set({ notice: 'Part of this room could not be loaded.' });
  }

  #close(): void {
    this.#stage?.dispose();
    this.#scene?.dispose();
    this.#stage = undefined;
    this.#scene = undefined;
  }

  async #load(path: string, push: boolean): Promise<void> {
    const turn = ++this.#turn;
    this.#entrance.open('');
    try {
      const endpoint = await loadEndpoint(path);
      if (turn !== this.#turn) return;
      if (push) {
        history.pushState({ inside: true }, '', endpoint.path);
        track('navigate', { path: endpoint.path });
      }
      this.#store.set({ canGoBack: history.state?.inside === true });
      this.open(endpoint);
    } catch (error) {
      if (turn !== this.#turn) return;
      this.#entrance.close();
      this.#store.set({ notice: error instanceof Error ? error.message : String(error) });
    }
  }

  #press(element: Element, inside?: Element): void {
    if (element.element === 'view_point') this.goToViewPoint(element.id);
    if (element.element === 'group') {
      this.send({ type: 'slider.open', element_id: (inside ?? element).id });
      return;
    }
    if (this.#pressMedia(element)) return;
    const { navigation } = element.config as { navigation?: Navigation };
    if (navigation === undefined && element.element !== 'view_point')
      logProblem('Invalid IHtmlLink. Missing navigation key', { element_id: element.id });
    this.follow(navigation);
  }

  /** Presses on what plays: one with the setting opens over the page, others begin and pause. */
  #pressMedia(element: Element): boolean {
    const { id } = element;
    // Players of the page and framed pages take their presses themselves.
    if (element.element === 'iframe') return true;
    if (element.element === 'video' || element.element === 'live_stream') {
      this.send({ type: 'select', element_id: id });
      return true;
    }
    if (element.element !== 'native_video') return false;
    const { fullscreen, navigation } = element.config;
    if (fullscreen) this.send({ type: 'select', element_id: id });
    else if (navigation.type === 'disabled') this.send({ type: 'toggle', element_id: id });
    return fullscreen || navigation.type === 'disabled';
  }

  follow(navigation: Navigation | undefined): void {
    if (!navigation) return;
    switch (navigation.type) {
      case 'space':
      case 'slug':
        void this.#load(pathOf(navigation), true);
        break;
      case 'url': {
        const url = safeUrl(navigation.type_config.url);
        if (url) open(url, '_blank', 'noopener,noreferrer');
        break;
      }
      case 'event':
        track(navigation.type_config.name);
        break;
      case 'view_point':
        if (navigation.type_config.view_point_id !== null) this.goToViewPoint(navigation.type_config.view_point_id);
        break;
      case 'modal_content':
        this.#store.set({
          dialog: { kind: 'content', title: navigation.type_config.title, html: navigation.type_config.content },
        });
        break;
      case 'modal_url': {
        const url = safeUrl(navigation.type_config.url);
        if (url) this.#store.set({ dialog: { kind: 'frame', title: navigation.type_config.title, url } });
        break;
      }
      case 'modal_static':
        this.#store.set({ dialog: { kind: 'static', name: navigation.type_config.name } });
        break;
      default:
    }
  }

  goToViewPoint(id: number): void {
    const { viewPoints } = this.#store.get();
    const viewPoint = viewPoints.find((candidate) => candidate.id === id);
    const entity = this.#scene?.entityOf(id);
    if (!viewPoint || entity === undefined) return;
    const matrix = new Float32Array(16);
    this.#scene!.worldMatrix(entity, matrix);
    const position = { x: matrix[12]!, y: matrix[13]!, z: matrix[14]! };
    const { target_position, damping_factor } = viewPoint.config;
    this.#stage?.rig.moveTo(position, target_position, damping_factor);
    this.#stage?.invalidate();
    this.#store.set({ viewPoint: id });
    track('view_point', { id, name: viewPoint.config.name });
  }

  resetCamera(): void {
    this.#stage?.rig.reset();
    this.#stage?.invalidate();
    this.#store.set({ viewPoint: null });
    track('camera_reset');
  }

  step(forward: number, right: number): void {
    this.#stage?.rig.move(forward, right);
    this.#stage?.invalidate();
  }

  turn(azimuth: number): void {
    this.#stage?.rig.turn(azimuth);
    this.#stage?.invalidate();
  }

  closeFullPage(): void {
    const { fullPage } = this.#store.get();
    if (fullPage !== null) this.send({ type: 'fullpage', element_id: fullPage, on: false });
  }

  unmute(): void {
    this.send({ type: 'unmute_all' });
  }

  back(): void {
    history.back();
  }

  closeDialog(): void {
    this.#store.set({ dialog: null });
  }

  closeNotice(): void {
    this.#store.set({ notice: null });
  }
}
