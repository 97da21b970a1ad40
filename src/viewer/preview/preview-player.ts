import { makeObservable, observable, runInAction } from 'mobx';
import type { Element } from '../../../engine/document/element.ts';
import type { Navigation } from '../../../engine/document/navigation.ts';
import { viewPointsOf } from '../../../engine/document/view-points.ts';
import type { LoginReason } from '../../../engine/machines/entry.ts';
import { createScene, type Scene, type SceneEvent, type VisitorInput } from '../../../engine/scene/scene.ts';
import { Stage } from '../../../engine/stage/stage.ts';
import type { Settings } from '../../contract/entities.ts';
import { newStreamSeed } from '../../ui/stream-seed.ts';
import { takeOwnTexts } from '../texts/say.ts';
import { followLink, type LinkHost } from '../visit/follow-link.ts';
import { type Coming, goToViewPoint } from '../visit/movement.ts';
import { pressElement } from '../visit/press-element.ts';
import type { RoomHost } from '../visit/room-controls.ts';
import { firstSlider, hasMedia, showEvent, startPopup } from '../visit/show-event.ts';
import type { VisitedRoom } from '../visit/visit-data.ts';
import { VisitEvents } from '../visit/visit-events.ts';
import { NOTHING_YET, VisitStore } from '../visit/visit-store.ts';
import type { Opening } from './preview-door.ts';

/** Data of a previewed room and its organization. */
interface Previewed {
  room: VisitedRoom;
  settings: Settings;
  /** Called for links that leave the room; the preview stays. */
  onLeave(navigation: Navigation): void;
}

/** Link types that leave the room or notify others. */
const LEAVES: readonly string[] = ['space', 'slug', 'url', 'event'] satisfies Navigation['type'][];

const ROOM = {
  id: 0,
  slug: '',
  path: '',
  is_timed: false,
  show_countdown: false,
  start_date: null,
  start_time: null,
  start_time_utc_offset: null,
  time_zone: null,
  is_protected: false,
  accent_color: null,
  current_time: 0,
  opens_at: null,
  access_ends_at: null,
};

/** Visit controls for a room previewed outside any structure. */
export class RoomPreview implements RoomHost {
  /** State of the controls. */
  readonly store: VisitStore;
  readonly events = new VisitEvents();
  stage: Stage | undefined;
  readonly #onLeave: (navigation: Navigation) => void;

  constructor({ room, settings, onLeave }: Previewed) {
    this.store = new VisitStore({
      settings,
      flags: {
        isEmbed: true,
        transparent: false,
        hideControls: false,
        hideLogo: false,
        autoload: false,
        hostConsent: false,
        transition: undefined,
      },
      isPreview: true,
      endpoint: { ...ROOM, name: room.title, room },
      entered: false,
      canGoBack: false,
      muted: false,
      ...NOTHING_YET,
      viewPoints: viewPointsOf(room.elements),
      dialog: startPopup(room),
      notification: null,
    });
    this.#onLeave = onLeave;
    takeOwnTexts(settings.texts);
  }

  /** The room is rendered: enables the controls. */
  enter(stage: Stage): void {
    this.stage = stage;
    this.store.set({ entered: true, hasMedia: hasMedia(stage.scene) });
  }

  /** Handles scene events for the controls. */
  show(event: SceneEvent, scene: Scene): void {
    showEvent(event, scene, this.store);
  }

  /** Sets the current subtitles. */
  say(cues: readonly string[]): void {
    this.store.set({ cues });
  }

  /** Loads element names. */
  async names() {
    return (await import('../texts/element-name.ts')).elementNaming;
  }

  press(element: Element, inside: Element | undefined): void {
    pressElement(element, inside, this);
  }

  readonly #links: LinkHost = {
    openRoom: () => undefined,
    goToViewPoint: (id, coming) => this.goToViewPoint(id, coming),
    openSlider: () => this.#openSlider(),
    show: (dialog) => this.store.show(dialog),
    emitCustom: () => undefined,
  };

  #openSlider(): void {
    const id = firstSlider(this.stage?.scene.room.elements ?? []);
    if (id !== undefined) this.send({ type: 'slider.open', element_id: id });
  }

  follow(navigation: Navigation | undefined): void {
    if (!navigation) return;
    if (LEAVES.includes(navigation.type)) this.#onLeave(navigation);
    else followLink(navigation, this.#links);
  }

  send(input: VisitorInput): void {
    this.stage?.send(input);
  }

  goToViewPoint(id: number, coming?: Coming): void {
    goToViewPoint(this.stage, this.store, id, coming);
  }

  tell(text: string, lasts = false): void {
    this.store.set({ notification: { text, lasts } });
  }

  closeNotification(): void {
    this.store.set({ notification: null });
  }

  /** A preview needs no access token. */
  endAccess(): void {}

  /** There is no other room to return to. */
  back(): void {}

  reload(): void {}

  shared(sentence: string): void {
    if (sentence) this.tell(sentence);
  }
}

/** The clock and the listeners of a previewed room. */
export interface PreviewHost {
  readonly settings: Settings;
  /** Seconds since 1970 at room time 0. */
  readonly epoch: number;
  /** Room time in seconds. */
  now(): number;
  /** Registers the player of a room. @returns unregisters it */
  attach(player: PreviewPlayer): () => void;
  /** When the room opens for its visitors; null where they don't wait for it. */
  readonly opening: Opening | null;
  /** Tells the time, now and whenever it shows as another one: also to a frame. @returns ends it */
  followTime(listener: (seconds: number) => void): () => void;
  /** Why an access token does not open the room; null for one that does. */
  check(code: string): Promise<LoginReason | null>;
  /** Told of each room that is entered, or waited for: its time begins to run, or goes on. */
  entered(): void;
  /** Told of links that lead out of the room. */
  leave(navigation: Navigation): void;
}

/** One playing of a previewed room, in one window or frame. */
export class PreviewPlayer {
  readonly room: VisitedRoom;
  readonly #host: PreviewHost;
  /** Media that were paused together with the time. */
  #paused: number[] = [];
  scene: Scene | undefined;
  stage: Stage | undefined;
  state: 'loading' | 'ready' | 'failed' = 'loading';
  /** Whether the room is drawn, and waits to be entered. */
  isDrawn = false;
  #isEntered = false;
  /** The controls that visitors have. */
  readonly controls: RoomPreview;

  constructor(room: VisitedRoom, host: PreviewHost) {
    this.room = room;
    this.#host = host;
    this.controls = new RoomPreview({
      room,
      settings: host.settings,
      onLeave: (navigation) => host.leave(navigation),
    });
    makeObservable(this, { state: observable, isDrawn: observable });
  }

  /** Draws the room; gives what ends it. @param waits whether it is entered by `enter` only */
  open(container: HTMLElement, waits = false): () => void {
    const host = this.#host;
    this.#isEntered = false;
    const scene = createScene(this.room, { epoch: host.epoch, streamSeed: newStreamSeed() });
    try {
      this.stage = new Stage({
        container,
        scene,
        names: () => this.controls.names(),
        font: host.settings.font_url,
        time: () => host.now(),
        handlers: {
          firstFrame: () => {
            runInAction(() => (this.isDrawn = true));
            if (!waits) this.enter();
          },
          event: (event) => this.controls.show(event, scene),
          pressed: (element, inside) => this.controls.press(element, inside),
          cues: (_, cues) => this.controls.say(cues),
        },
      });
    } catch {
      scene.dispose();
      runInAction(() => (this.state = 'failed'));
      return () => undefined;
    }
    this.scene = scene;
    const detach = host.attach(this);
    return () => {
      detach();
      runInAction(() => {
        this.isDrawn = false;
        this.state = 'loading';
      });
      this.stage?.dispose();
      scene.dispose();
    };
  }

  /** The visitor comes in. */
  enter(): void {
    if (this.#isEntered || !this.stage) return;
    this.#isEntered = true;
    this.send({ type: 'entered' });
    this.#host.entered();
    this.controls.enter(this.stage);
    runInAction(() => (this.state = 'ready'));
  }

  send(input: VisitorInput): void {
    this.stage?.send(input);
  }

  /** What was playing goes on. */
  resume(): void {
    for (const element_id of this.#paused) this.send({ type: 'play', element_id });
    this.#paused = [];
    this.stage?.invalidate();
  }

  /** Pauses all playing media. */
  pause(): void {
    for (const { id } of this.room.elements) {
      const entity = this.scene?.entityOf(id);
      if (entity === undefined || this.scene?.media(entity)?.status !== 'playing') continue;
      this.#paused.push(id);
      this.send({ type: 'pause', element_id: id });
    }
    this.stage?.invalidate();
  }
}
