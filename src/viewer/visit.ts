import type { Element } from '../../engine/document/element.ts';
import type { Navigation } from '../../engine/document/navigation.ts';
import { walk } from '../../engine/document/tree.ts';
import { createScene, type Scene, type SceneEvent, type VisitorInput } from '../../engine/scene/scene.ts';
import { Stage } from '../../engine/stage/stage.ts';
import type { PublicEndpoint, PublicRoom } from '../contract/entities.ts';
import { track } from './analytics.ts';
import { logProblem } from './console.ts';
import type { Entrance } from './entrance.ts';
import { pathOf, safeUrl } from './link-target.ts';
import { pagePath, publicPath } from './page-place.ts';
import { pressMedia } from './press-media.ts';
import { createRoomClock, opensAt, type RoomClock } from './room-clock.ts';
import { followNews } from './room-news.ts';
import { viewPointsOf } from './view-points.ts';
import { loadEndpoint, structurePath, VisitError } from './visit-data.ts';
import { VisitEvents } from './visit-events.ts';
import type { VisitActions, VisitState, VisitStore } from './visit-store.ts';
import { visitToken } from './visit-token.ts';

/** One visitor's way through rooms: opens them, follows links between them, and frees each on leaving. */
export class Visit implements VisitActions {
  readonly #container: HTMLElement;
  readonly #entrance: Entrance;
  readonly #store: VisitStore;
  #stage: Stage | undefined;
  #scene: Scene | undefined;
  #clock: RoomClock | undefined;
  #stopNews: (() => void) | undefined;
  /** What happens, for those who tell others of it. */
  readonly events = new VisitEvents();
  #turn = 0;
  #entry: AbortController | undefined;

  constructor(container: HTMLElement, entrance: Entrance, store: VisitStore) {
    this.#container = container;
    this.#entrance = entrance;
    this.#store = store;
    addEventListener('popstate', () => void this.#load(publicPath(), false));
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
    this.#store.set({ slide: null, fullPage: null, mutedFallback: false, cues: [] });
    if (!room) {
      this.#entrance.refuse(endpoint.name, 'This room is empty.');
      return;
    }
    const { entered } = this.#store.get();
    this.#entrance.open(room.title);
    const clock = createRoomClock(endpoint, () => performance.now());
    const scene = createScene(room, { dayStart: clock.dayStart });
    this.#scene = scene;
    this.#clock = clock;
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
          this.#followNews(room);
          this.events.tell({ type: 'first_frame' });
          if (entered) {
            this.#entrance.close();
            this.send({ type: 'entered' });
          } else this.#entrance.invite(() => this.#enter());
        },
        ready: () => {
          performance.mark('enfilade:ready');
          this.#container.dataset.state = 'ready';
          this.events.tell({ type: 'ready', room });
          track('room_loaded', {
            room_id: room.id,
            elements: [...walk(room.elements)].map(({ id, element }) => ({ id, element })),
          });
        },
        moved: (pose) => this.events.tell({ type: 'moved', pose }),
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

  #followNews(room: PublicRoom): void {
    const { settings, endpoint } = this.#store.get();
    const token = visitToken(endpoint!.path).get();
    const stage = this.#stage;
    const send = (input: VisitorInput) => stage?.send(input);
    this.#stopNews = followNews(room, { token, key: settings.realtime_api_key, events: this.events, send });
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
    this.events.tell({ type: 'scene', event });
    switch (event.type) {
      case 'media.fullpage':
        this.#store.set({ fullPage: event.on ? event.element_id : null });
        break;
      case 'media.muted_fallback':
      case 'media.muted_fallback_cleared':
        this.#store.set({ mutedFallback: event.type === 'media.muted_fallback' });
        break;
      case 'slider':
        this.#showSlide(event);
        break;
      case 'slider.closed':
        this.#store.set({ slide: null });
        break;
      case 'fullscreen.off':
        if (document.fullscreenElement) void document.exitFullscreen();
        break;
      default:
    }
  }

  #showSlide({ slide, index, count }: Extract<SceneEvent, { type: 'slider' }>): void {
    const element = this.#scene?.elementOf(this.#scene.entityOf(slide)!);
    if (element) this.#store.set({ slide: { element, index, count } });
  }

  #failed(message: string, elementId: number | null): void {
    logProblem(message, { element_id: elementId });
    this.events.tell({ type: 'failed', message, element_id: elementId });
    if (elementId === null) this.#store.set({ notice: 'Part of this room could not be loaded.' });
  }

  #close(): void {
    this.#stopNews?.();
    this.#stopNews = undefined;
    this.#stage?.dispose();
    this.#scene?.dispose();
    this.#stage = undefined;
    this.#scene = undefined;
  }

  /** Leads the visitor past the code or the countdown of the structure at this address. */
  pass(isProtected: boolean): void {
    void this.#load(publicPath(), false, (path) => this.#askIn(path, isProtected));
  }

  async #askIn(path: string, isProtected: boolean): Promise<PublicEndpoint> {
    const [{ passEntry }, wanted] = await Promise.all([import('./entry/pass-entry.ts'), structurePath(path)]);
    this.#entry?.abort(new Error('The visitor went elsewhere.'));
    this.#entry = new AbortController();
    const title = this.#store.get().settings.name;
    const place = { path: wanted, title, isProtected, stored: visitToken(wanted), startsAt: opensAt };
    return passEntry(place, this.#entry.signal);
  }

  async #load(path: string, push: boolean, get: (path: string) => Promise<PublicEndpoint> = loadEndpoint) {
    const turn = ++this.#turn;
    this.#entry?.abort(new Error('The visitor went elsewhere.'));
    this.#entrance.open('');
    try {
      const endpoint = await get(path).catch((error: unknown) => {
        const asksForCode = error instanceof VisitError && (error.status === 400 || error.status === 401);
        if (!asksForCode || turn !== this.#turn) throw error;
        return this.#askIn(path, true);
      });
      if (turn !== this.#turn) return;
      if (push) {
        history.pushState({ inside: true }, '', pagePath(endpoint.path));
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
    if (pressMedia(element, (input) => this.send(input))) return;
    const { navigation } = element.config as { navigation?: Navigation };
    if (navigation === undefined && element.element !== 'view_point')
      logProblem('Invalid IHtmlLink. Missing navigation key', { element_id: element.id });
    this.follow(navigation);
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
        this.events.tell({ type: 'custom', name: navigation.type_config.name });
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

  /** Sets room time, from which it runs on. */
  moveTime(seconds: number): void {
    this.#clock?.moveTo(seconds);
    this.#stage?.invalidate();
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

  slide(way: 'next' | 'previous' | 'close'): void {
    this.send({ type: `slider.${way}` });
  }

  closeNotice(): void {
    this.#store.set({ notice: null });
  }
}
