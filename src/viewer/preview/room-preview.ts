import type { Element } from '../../../engine/document/element.ts';
import type { Navigation } from '../../../engine/document/navigation.ts';
import { viewPointsOf } from '../../../engine/document/view-points.ts';
import type { Scene, SceneEvent, VisitorInput } from '../../../engine/scene/scene.ts';
import type { Stage } from '../../../engine/stage/stage.ts';
import type { Settings } from '../../contract/entities.ts';
import { takeOwnTexts } from '../texts/say.ts';
import { followLink, type LinkHost } from '../visit/follow-link.ts';
import { goToViewPoint } from '../visit/movement.ts';
import { startPopup } from '../visit/popups.ts';
import { pressElement } from '../visit/press-element.ts';
import type { RoomHost } from '../visit/room-controls.ts';
import { hasMedia, showEvent } from '../visit/show-event.ts';
import { firstSlider } from '../visit/sliders.ts';
import type { VisitedRoom } from '../visit/visit-data.ts';
import { VisitEvents } from '../visit/visit-events.ts';
import { NOTHING_YET, VisitStore } from '../visit/visit-store.ts';

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
  start_time: null,
  start_time_utc_offset: null,
  time_zone: null,
  is_protected: false,
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
      flags: { isEmbed: true, transparent: false, hideControls: false, hideLogo: false, autoload: false },
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
    return (await import('../texts/element-name.ts')).elementName;
  }

  press(element: Element, inside: Element | undefined): void {
    pressElement(element, inside, this);
  }

  readonly #links: LinkHost = {
    openRoom: () => undefined,
    goToViewPoint: (id) => this.goToViewPoint(id),
    openSlider: () => this.#openSlider(),
    show: (dialog) => this.store.show(dialog),
    tellCustom: () => undefined,
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

  goToViewPoint(id: number): void {
    goToViewPoint(this.stage, this.store, id, true);
  }

  tell(text: string, lasts = false): void {
    this.store.set({ notification: { text, lasts } });
  }

  closeNotification(): void {
    this.store.set({ notification: null });
  }

  /** There is no other room to return to. */
  back(): void {}

  shared(sentence: string): void {
    if (sentence) this.tell(sentence);
  }
}
