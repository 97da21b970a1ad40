import type { Navigation } from '../../engine/document/navigation.ts';
import { sourceOf } from '../../engine/document/source.ts';
import { traitsOf } from '../../engine/document/traits-of.ts';
import { viewPointsOf } from '../../engine/document/view-points.ts';
import { createScene, type Scene, type SceneEvent, type VisitorInput } from '../../engine/scene/scene.ts';
import { Stage } from '../../engine/stage/stage.ts';
import type { EmbedRefusal } from '../contract/embed-messages.ts';
import { newStreamSeed } from '../ui/stream-seed.ts';
import { pagePath, publicPath } from './address/page-place.ts';
import type { Entrance } from './entry/entrance.ts';
import { RoomDoor } from './entry/room-door.ts';
import { takeFocus } from './entry/take-focus.ts';
import type {} from './first-picture/first-picture.ts';
import { track, trackRoom } from './reports/analytics.ts';
import { logProblem } from './reports/console.ts';
import { say, sayAny, textsReady } from './texts/say.ts';
import type { LinkHost } from './visit/follow-link.ts';
import { goToLinkedPlace, goToViewPoint } from './visit/movement.ts';
import { createRoomClock, type RoomClock } from './visit/room-clock.ts';
import type { RoomHost } from './visit/room-controls.ts';
import { followNews } from './visit/room-news.ts';
import { firstSlider, hasMedia, showEvent, startPopup } from './visit/show-event.ts';
import { type Arrival, VisitError, type VisitedRoom, visitedEndpoint, visitToken } from './visit/visit-data.ts';
import { VisitEvents } from './visit/visit-events.ts';
import { NOTHING_YET, type VisitState, type VisitStore } from './visit/visit-store.ts';

const loadOverlay = () => import('./overlay/Overlay.tsx');
/** Press and link handling, loaded after the first frame: nothing can be pressed before. */
const loadPresses = () => import('./visit/press-element.ts');
const loadLinks = () => import('./visit/follow-link.ts');

/** A visitor's way through rooms: opens them, follows links, and disposes each on leaving. */
export class Visit implements RoomHost {
  readonly #container: HTMLElement;
  readonly #entrance: Entrance;
  readonly store: VisitStore;
  #stage: Stage | undefined;
  #scene: Scene | undefined;
  #clock: RoomClock | undefined;
  #stopNews: (() => void) | undefined;
  #stopStaying: (() => void) | undefined;
  /** Event emitter of the visit. */
  readonly events = new VisitEvents();
  #path = publicPath();
  /** Whether the message about missing parts of this room has been shown. */
  #hasFailed = false;
  /** Whether a room was open before: the page describes the first one. */
  #hasOpened = false;
  readonly #door = new RoomDoor(
    () => this.state,
    (isProtected) => this.#say(isProtected ? 'protected' : 'waiting'),
  );
  readonly #links: LinkHost = {
    openRoom: (path) => void this.goTo(path),
    goToViewPoint: (id) => this.goToViewPoint(id),
    openSlider: () => this.#openSlider(),
    show: (dialog) => this.store.show(dialog),
    emitCustom: (name) => this.events.tell({ type: 'custom', name }),
  };

  constructor(container: HTMLElement, entrance: Entrance, store: VisitStore) {
    this.#container = container;
    this.#entrance = entrance;
    this.store = store;
    addEventListener('popstate', () => {
      // A changed hash is another position in the same room.
      if (publicPath() === this.#path) goToLinkedPlace(this.#stage, this.store, true);
      else void this.#load(publicPath(), false);
    });
    document.addEventListener('fullscreenchange', () => {
      if (!document.fullscreenElement) this.send({ type: 'leave_fullscreen' });
    });
  }

  /** The current stage, for the page's own tools and tests. */
  get stage(): Stage | undefined {
    return this.#stage;
  }

  /** State of the overlay. */
  get state(): VisitState {
    return this.store.get();
  }

  /** Plays a structure's room. */
  open(arrival: Arrival): void {
    this.#close();
    this.#hasFailed = false;
    const endpoint = visitedEndpoint(arrival.endpoint);
    const { room } = endpoint;
    const { settings } = this.state;
    const title = (publicPath() === '/' && settings.meta_title) || endpoint.name;
    document.title = title;
    if (this.#hasOpened) {
      const facts = { title, description: room?.description ?? '', fallback: settings.meta_description };
      void import('./address/describe-page.ts').then(({ describePage }) => describePage(facts));
    }
    this.#hasOpened = true;
    if (room) this.#container.setAttribute('aria-label', room.title);
    this.store.set({
      ...NOTHING_YET,
      endpoint,
      arrivedAt: arrival.at,
      viewPoints: room ? viewPointsOf(room.elements) : [],
    });
    if (!room) {
      this.#say('missing', say('emptyRoom'));
      this.#entrance.refuse(endpoint.name, say('emptyRoom'));
      return;
    }
    const { entered } = this.store.get();
    this.#entrance.open(room.title);
    const clock = createRoomClock(arrival, () => performance.now());
    const scene = createScene(room, { epoch: clock.epoch, streamSeed: newStreamSeed() });
    this.#scene = scene;
    this.#clock = clock;
    this.store.set({ hasMedia: hasMedia(scene), dialog: startPopup(room) });
    this.#container.dataset.state = 'loading';
    // A room's model takes longer to load than its controls; a panorama's first picture would wait for them.
    if (room.template?.model_type !== 'pano') loadOverlay().catch(() => undefined);
    try {
      this.#stage = this.#draw(room, scene, clock, entered);
      if (this.state.muted) this.send({ type: 'mute_all' });
      goToLinkedPlace(this.#stage, this.store, false);
    } catch (error) {
      logProblem(String(error));
      this.#say('failed', say('noWebgl'));
      this.#entrance.refuse(room.title, say('noWebgl'));
    }
  }

  readonly #loadControls = () => {
    void loadOverlay().then(({ mountOverlay }) => mountOverlay(this));
    void loadPresses();
    void loadLinks();
  };

  #draw(room: VisitedRoom, scene: Scene, clock: RoomClock, entered: boolean): Stage {
    let picture: Promise<ImageBitmap> | undefined;
    return new Stage({
      container: this.#container,
      scene,
      time: clock.now,
      picture: (url, onArrival) => {
        picture = window.firstPicture?.take(url, onArrival);
        return picture;
      },
      names: async () => (await import('./texts/element-name.ts')).elementNaming,
      font: this.state.settings.font_url,
      transparent: this.state.flags.transparent,
      say: sayAny,
      sharesScrolling: this.state.flags.isEmbed && window.parent !== window,
      handlers: {
        progress: (part) => this.#entrance.progress(part),
        firstFrame: () => {
          window.firstPicture?.end();
          performance.mark('enfilade:first-frame');
          // Controls compete with the panorama only if the visitor enters before it has arrived.
          void Promise.resolve(picture).then(this.#loadControls, this.#loadControls);
          this.#followNews(room);
          this.events.tell({ type: 'first_frame' });
          if (entered) this.#enter();
          else void textsReady.then(() => this.#entrance.invite(() => this.#enter()));
        },
        ready: () => {
          performance.mark('enfilade:ready');
          this.#container.dataset.state = 'ready';
          this.events.tell({ type: 'ready', room });
          trackRoom(room);
          void this.#stayWith();
        },
        ticking: () => this.events.tell({ type: 'tick' }),
        moved: (pose) => this.events.tell({ type: 'moved', pose }),
        pressed: (element, inside) => {
          this.events.tell({ type: 'pressed', element: inside ?? element });
          void loadPresses().then(({ pressElement }) => pressElement(element, inside, this));
        },
        event: (event) => this.#follow(event),
        cues: (_, cues) => this.store.set({ cues }),
        subtitlesFound: (id, language) => {
          const { streamLanguages, subtitles } = this.state;
          this.store.set({ streamLanguages: [...new Set([...streamLanguages, language])] });
          if (subtitles?.language !== undefined) this.#stage?.viewOf(id)?.subtitles?.(subtitles.language);
        },
        failed: (message, elementId) => this.#failed(message, elementId),
        context: (state) => (state === 'lost' ? this.tell(say('pictureLost'), true) : this.closeNotification()),
      },
    });
  }

  #followNews(room: VisitedRoom): void {
    const { settings, endpoint } = this.store.get();
    const token = visitToken(endpoint!.path).get();
    const stage = this.#stage;
    const send = (input: VisitorInput) => stage?.send(input);
    this.#stopNews = followNews(room, { token, key: settings.realtime_api_key, events: this.events, send });
  }

  async #stayWith(): Promise<void> {
    const [scene, stage, clock] = [this.#scene!, this.#stage!, this.#clock!];
    const { stayWith } = await import('./stay-with.ts');
    if (stage !== this.#stage) return;
    const followNews = (room: VisitedRoom) => {
      this.#stopNews?.();
      this.#followNews(room);
    };
    const reload = () => this.reload();
    this.#stopStaying = stayWith({ scene, stage, clock, store: this.store, events: this.events, followNews, reload });
  }

  #enter(): void {
    this.#loadControls();
    this.store.set({ entered: true });
    this.#clock?.enter();
    this.send({ type: 'entered', epoch: this.#clock?.epoch });
    this.#entrance.close();
    if (!this.state.dialog) takeFocus(this.#container);
  }

  /** Sends an input or external event to the scene. */
  send(input: VisitorInput): void {
    this.#stage?.send(input);
  }

  #follow(event: SceneEvent): void {
    this.events.tell({ type: 'scene', event });
    if (this.#scene) showEvent(event, this.#scene, this.store);
  }

  #openSlider(): void {
    const id = firstSlider(this.#scene?.room.elements ?? []);
    if (id !== undefined) this.send({ type: 'slider.open', element_id: id });
  }

  #failed(message: string, elementId: number | null): void {
    logProblem(message, { element_id: elementId });
    this.events.tell({ type: 'failed', message, element_id: elementId });
    const entity = elementId === null ? undefined : this.#scene?.entityOf(elementId);
    const element = entity === undefined ? undefined : this.#scene!.elementOf(entity);
    // An element without a file is unfinished, and a video shows its own message.
    const isMissing =
      elementId === null || (element && sourceOf(element) !== '' && traitsOf(element.element).plays !== 'film');
    if (!isMissing || this.#hasFailed) return;
    this.#hasFailed = true;
    this.tell(say('partMissing'));
  }

  #close(): void {
    this.#stopNews?.();
    this.#stopStaying?.();
    this.#stopNews = undefined;
    this.#stopStaying = undefined;
    this.#stage?.dispose();
    this.#scene?.dispose();
    this.#stage = undefined;
    this.#scene = undefined;
  }

  /** Goes to the token form or countdown of the structure at this URL. */
  pass(isProtected: boolean): void {
    void this.#arrive(this.#door.pass(publicPath(), isProtected), false);
  }

  /** Opens the room at a public path. @returns resolves when it is open, or when the visitor sees why it isn't */
  goTo(path: string): Promise<void> {
    return this.#load(path, true);
  }

  /** Opens the structure at the page's URL again, as it is now. */
  reload(): void {
    void this.#load(publicPath(), false);
  }

  #load(path: string, push: boolean): Promise<void> {
    // A visitor asked for a token on the way may stay in this room.
    const stay = push && this.#stage ? () => this.#stay() : undefined;
    return this.#arrive(this.#door.open(path, stay), push);
  }

  #stay(): void {
    this.#door.close();
    this.store.set({ refusal: null });
    this.#entrance.close();
    this.#container.focus({ preventScroll: true });
  }

  /** @param push whether to push a history entry */
  async #arrive(coming: Promise<Arrival | null>, push: boolean): Promise<void> {
    this.#entrance.open('');
    try {
      const arrival = await coming;
      if (!arrival) return;
      const { endpoint } = arrival;
      if (push) {
        history.pushState({ inside: true }, '', pagePath(endpoint.path));
        track('navigate', { path: endpoint.path });
      }
      this.#path = publicPath();
      this.store.set({ canGoBack: history.state?.inside === true });
      this.open(arrival);
    } catch (error) {
      // Any other error is a part of the page that failed to load.
      if (!(error instanceof VisitError)) logProblem(String(error));
      this.#refuse(error instanceof VisitError ? error : new VisitError(say('notReached')));
    }
  }

  /** Shows why a room can't be opened: over the current room, or in its place. */
  #refuse({ message, status }: VisitError): void {
    this.#say(status === 404 ? 'missing' : 'failed', message);
    if (!this.#stage) {
      // The server's page links to other rooms.
      if (status === 404) location.reload();
      else this.#entrance.refuse(this.state.settings.name, message);
      return;
    }
    this.store.set({ refusal: null });
    this.#entrance.close();
    this.tell(message);
  }

  /** Notifies the embedding page why no room opens. */
  #say(code: EmbedRefusal, message = ''): void {
    this.store.set({ refusal: { code, message } });
  }

  follow(navigation: Navigation | undefined): void {
    if (navigation) void loadLinks().then(({ followLink }) => followLink(navigation, this.#links));
  }

  goToViewPoint(id: number): void {
    goToViewPoint(this.#stage, this.store, id, true);
  }

  /** Sets room time, from which it continues. */
  moveTime(seconds: number): void {
    this.#clock?.moveTo(seconds);
    this.#stage?.invalidate();
  }

  shared(sentence: string, reloadRoom: boolean): void {
    this.events.tell({ type: 'shared' });
    if (sentence) this.tell(sentence);
    if (reloadRoom) this.reload();
  }

  tell(sentence: string, lasts = false): void {
    this.store.set({ notification: { text: sentence, lasts } });
  }

  back(): void {
    history.back();
  }

  endAccess(): void {
    this.#close();
    this.store.set({ dialog: null, waiting: [], slide: null, fullPage: null });
    this.pass(true);
  }

  closeNotification(): void {
    this.store.set({ notification: null });
  }
}
