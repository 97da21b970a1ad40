import type { Navigation } from '../../engine/document/navigation.ts';
import { viewPointsOf } from '../../engine/document/view-points.ts';
import type { Scene, VisitorInput } from '../../engine/scene/scene.ts';
import { Stage } from '../../engine/stage/stage.ts';
import type { StageHandlers } from '../../engine/stage/stage-options.ts';
import type { StagedRoom } from '../../engine/stage/staged-room.ts';
import type { EmbedRefusal } from '../contract/embed-messages.ts';
import { pagePath, publicPath } from './address/page-place.ts';
import type { Entrance } from './entry/entrance.ts';
import { RoomDoor } from './entry/room-door.ts';
import { takeFocus } from './entry/take-focus.ts';
import type {} from './first-picture/first-picture.ts';
import { track, trackRoom } from './reports/analytics.ts';
import { logProblem } from './reports/console.ts';
import { say, textsReady } from './texts/say.ts';
import type { DoorPrefetch } from './visit/door-prefetch.ts';
import { type Coming, goToLinkedPlace, goToViewPoint, loadArrivals } from './visit/movement.ts';
import { isPlayed, type Next, nextRoom, type PlayedNext, type Playing } from './visit/next-room.ts';
import type { RoomClock } from './visit/room-clock.ts';
import type { RoomHost } from './visit/room-controls.ts';
import { linksOf, loadPresses, pageOptions, roomHandlers } from './visit/room-handlers.ts';
import { followNews } from './visit/room-news.ts';
import { hasMedia, startPopup } from './visit/show-event.ts';
import { type Arrival, titleOf, VisitError, type VisitedRoom, visitToken } from './visit/visit-data.ts';
import { VisitEvents } from './visit/visit-events.ts';
import { NOTHING_YET, type VisitState, type VisitStore } from './visit/visit-store.ts';
import type { RoomArrival, WayIn } from './visit/way-in.ts';

const loadOverlay = () => import('./overlay/Overlay.tsx');
const loadDescription = () => import('./address/describe-page.ts');
const loadLinks = () => import('./visit/follow-link.ts');

/** A visitor's way through rooms: opens them, follows links, and disposes each on leaving. */
export class Visit implements RoomHost {
  readonly #container: HTMLElement;
  readonly #entrance: Entrance;
  readonly store: VisitStore;
  #stage: Stage | undefined;
  #scene: Scene | undefined;
  #clock: RoomClock | undefined;
  /** The room that loads beside the current one. */
  #coming: StagedRoom | undefined;
  /** Number of times that the visitor set off for another room. */
  #turn = 0;
  #prefetch: DoorPrefetch | undefined;
  #stopNews: (() => void) | undefined;
  #stopStaying: (() => void) | undefined;
  /** Event emitter of the visit. */
  readonly events = new VisitEvents();
  #path = publicPath();
  /** Whether a room was open before: the page describes the first one. */
  #hasOpened = false;
  readonly #door = new RoomDoor(
    () => this.state,
    (isProtected) => {
      this.#entrance.open('');
      this.#say(isProtected ? 'protected' : 'waiting');
    },
    (path) => this.#prefetch?.take(path),
  );
  constructor(container: HTMLElement, entrance: Entrance, store: VisitStore) {
    this.#container = container;
    this.#entrance = entrance;
    this.store = store;
    addEventListener('popstate', () => {
      if (publicPath() !== this.#path) {
        void this.#load(publicPath());
        return;
      }
      // The visitor comes back before another room has opened.
      if (this.state.leaving !== null) this.#remain();
      // A changed hash is another position in the same room.
      goToLinkedPlace(this.#stage, this.store, true);
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

  /** Plays a structure's room: on arrival at the page, or after the current one. @returns resolves when it is shown */
  async open(arrival: Arrival, way: WayIn = {}): Promise<void> {
    this.#forgetNext();
    const next = nextRoom(arrival, way);
    if (this.#stage && isPlayed(next)) await this.#change(this.#stage, next);
    else if (isPlayed(next)) this.#openFirst(next);
    else {
      this.#close();
      this.#begin(next);
      this.#say('missing', say('emptyRoom'));
      this.#entrance.refuse(next.endpoint.name, say('emptyRoom'));
    }
  }

  /** Creates the stage, with its first room. */
  #openFirst(next: PlayedNext): void {
    this.#begin(next);
    const { way, playing } = next;
    const { title, template } = playing.room;
    this.#entrance.open(title);
    // A room's model takes longer to load than its controls; a panorama's first picture would wait for them.
    if (template?.model_type !== 'pano') loadOverlay().catch(() => undefined);
    try {
      const stage = this.#draw(playing);
      this.#stage = stage;
      if (way.how) void loadArrivals().then(({ arriveInRoom }) => arriveInRoom(stage, way.how!, undefined));
      goToLinkedPlace(stage, this.store, false);
      this.#muteAgain();
    } catch (error) {
      logProblem(String(error));
      this.#say('failed', say('noWebgl'));
      this.#entrance.refuse(title, say('noWebgl'));
    }
  }

  /** Shows another room on the stage, once it can take the place of the current one. */
  async #change(stage: Stage, next: PlayedNext): Promise<void> {
    const turn = this.#turn;
    const { way, playing } = next;
    const { scene, clock, sheets } = playing;
    // The visitor may have gone elsewhere meanwhile.
    const isOver = () => turn !== this.#turn || stage !== this.#stage;
    const { arriveInRoom } = await loadArrivals();
    if (isOver()) {
      scene.dispose();
      return;
    }
    const progress = (leaving: number) => !isOver() && this.store.set({ leaving });
    const handlers = { ...this.#handlers(playing), progress };
    const staged = stage.prepare({ scene, time: clock.now, sheets, handlers });
    this.#coming = staged;
    if (way.how) arriveInRoom(staged, way.how, stage.pose);
    if (!way.isNew) goToLinkedPlace(staged, this.store, false);
    await staged.opened;
    if (isOver()) return;
    const { transition } = this.state.flags;
    const how = way.isNew ? (transition ?? playing.room.template?.config.transition ?? 'zoom') : 'fade';
    await stage.show(staged, how, () => {
      this.#coming = undefined;
      this.#end();
      this.#begin(next);
      this.#muteAgain();
    });
  }

  /** Cancels a room that loads beside the current one. */
  #forgetNext(): void {
    this.#turn++;
    this.#coming?.dispose();
    this.#coming = undefined;
  }

  /** The page now shows a structure, and the controls its room. */
  #begin({ arrival, endpoint, way, playing }: Next): void {
    if (way.isNew) {
      history.pushState({ inside: true }, '', pagePath(endpoint.path));
      track('navigate', { path: endpoint.path });
    }
    this.#path = publicPath();
    const { room } = endpoint;
    const { settings } = this.state;
    const title = titleOf(endpoint, settings, publicPath() === '/');
    document.title = title;
    // The server has described the first room.
    const facts = { title, description: room?.description ?? '', fallback: settings.meta_description };
    if (this.#hasOpened) void loadDescription().then(({ describePage }) => describePage(facts));
    this.#hasOpened = true;
    if (room) this.#container.setAttribute('aria-label', room.title);
    this.#scene = playing?.scene;
    this.#clock = playing?.clock;
    this.#container.dataset.state = 'loading';
    this.store.set({
      ...NOTHING_YET,
      endpoint,
      arrivedAt: arrival.at,
      canGoBack: history.state?.inside === true,
      viewPoints: room ? viewPointsOf(room.elements) : [],
      viewPoint: playing?.scene.place || null,
      ...(playing && { hasMedia: hasMedia(playing.scene), dialog: startPopup(playing.room) }),
    });
  }

  #muteAgain(): void {
    if (this.state.muted) this.send({ type: 'mute_all' });
  }

  readonly #loadControls = () => {
    void loadOverlay().then(({ mountOverlay }) => mountOverlay(this));
    void loadPresses();
    void loadLinks();
  };

  #draw(playing: Playing): Stage {
    let picture: Promise<ImageBitmap> | undefined;
    return new Stage({
      ...pageOptions(this.#container, this.store),
      scene: playing.scene,
      time: playing.clock.now,
      sheets: playing.sheets,
      picture: (url, onArrival) => {
        picture = window.firstPicture?.take(url, onArrival);
        return picture;
      },
      handlers: this.#handlers(playing, () => picture),
    });
  }

  /** @param picture resolves when the room's first image has arrived, if it loads before the stage */
  #handlers({ room, scene }: Playing, picture?: () => Promise<unknown> | undefined): StageHandlers {
    return {
      ...roomHandlers(this, scene),
      progress: (part) => this.#entrance.progress(part),
      firstFrame: () => {
        window.firstPicture?.end();
        performance.mark('enfilade:first-frame');
        // Controls compete with the panorama only if the visitor enters before it has arrived.
        void Promise.resolve(picture?.()).then(this.#loadControls, this.#loadControls);
        this.#followNews(room);
        this.events.tell({ type: 'first_frame' });
        if (this.state.entered) this.#enter();
        else void textsReady.then(() => this.#entrance.invite(() => this.#enter()));
      },
      ready: () => {
        performance.mark('enfilade:ready');
        this.#container.dataset.state = 'ready';
        this.events.tell({ type: 'ready', room });
        trackRoom(room);
        void this.#stayWith();
      },
    };
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
    const { DoorPrefetch, stayWith } = await import('./stay-with.ts');
    if (scene !== this.#scene) return;
    this.#prefetch ??= new DoorPrefetch(stage, this.events);
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

  /** Ends what goes on in the current room. */
  #end(): void {
    this.#stopNews?.();
    this.#stopStaying?.();
    this.#stopNews = undefined;
    this.#stopStaying = undefined;
    this.#scene = undefined;
  }

  #close(): void {
    this.#forgetNext();
    this.#prefetch?.dispose();
    this.#prefetch = undefined;
    this.#stage?.dispose();
    this.#stage = undefined;
    this.#end();
  }

  /** Goes to the token form or countdown of the structure at this URL. */
  pass(isProtected: boolean): void {
    void this.#arrive(this.#door.pass(publicPath(), isProtected));
  }

  /** Opens the room at a public path. @returns resolves when it is open, or when the visitor sees why it isn't */
  goTo(path: string, how?: RoomArrival): Promise<void> {
    return this.#load(path, { isNew: true, ...(how && { how }) });
  }

  /** Opens the structure at the page's URL again, as it is now. */
  reload(): void {
    void this.#load(publicPath());
  }

  #load(path: string, way: WayIn = {}): Promise<void> {
    // A visitor asked for a token on the way may stay in this room.
    const stay = way.isNew && this.#stage ? () => this.#stay() : undefined;
    return this.#arrive(this.#door.open(path, stay), way);
  }

  /** Stays in the current room, whatever was loading. */
  #remain(): void {
    this.#door.close();
    this.#forgetNext();
    this.store.set({ refusal: null, leaving: null });
  }

  #stay(): void {
    this.#remain();
    this.#entrance.close();
    this.#container.focus({ preventScroll: true });
  }

  async #arrive(coming: Promise<Arrival | null>, way: WayIn = {}): Promise<void> {
    this.#forgetNext();
    // The current room stays until the next one can be shown.
    if (this.#stage) this.store.set({ leaving: 0 });
    else this.#entrance.open('');
    try {
      const arrival = await coming;
      if (arrival) await this.open(arrival, way);
    } catch (error) {
      this.refuse(error);
    }
  }

  /** Shows why a room can't be opened: a `VisitError`, or the error of a part of the page that failed to load. */
  refuse(error: unknown): void {
    if (!(error instanceof VisitError)) logProblem(String(error));
    const { message, status } = error instanceof VisitError ? error : new VisitError(say('notReached'));
    this.#say(status === 404 ? 'missing' : 'failed', message);
    if (!this.#stage) {
      // The server's page links to other rooms.
      if (status === 404) location.reload();
      else this.#entrance.refuse(this.state.settings.name, message);
      return;
    }
    this.store.set({ refusal: null, leaving: null });
    this.#entrance.close();
    this.tell(message);
  }

  /** Notifies the embedding page why no room opens. */
  #say(code: EmbedRefusal, message = ''): void {
    this.store.set({ refusal: { code, message } });
  }

  follow(navigation: Navigation | undefined): void {
    if (navigation) void loadLinks().then(({ followLink }) => followLink(navigation, linksOf(this)));
  }

  goToViewPoint(id: number, coming?: Coming): void {
    goToViewPoint(this.#stage, this.store, id, coming);
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

  tell(sentence: string, lasts = false, asText = false): void {
    this.store.set({ notification: { text: sentence, lasts, asText } });
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
