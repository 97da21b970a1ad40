import type { Element, ElementOf } from '../../../engine/document/element.ts';
import type { Link, Navigation } from '../../../engine/document/navigation.ts';
import type { ThirdParty } from '../../../engine/document/third-parties.ts';
import type { Stage } from '../../../engine/stage/stage.ts';
import type { StageOptions } from '../../../engine/stage/stage-options.ts';
import type { EmbedRefusal } from '../../contract/embed-messages.ts';
import type { Settings } from '../../contract/entities.ts';
import type { PageFlags } from '../address/page-place.ts';
import type { VisitedEndpoint } from './visit-data.ts';
import type { VisitEvents } from './visit-events.ts';

/** A dialog over the room. */
export type Dialog =
  | {
      kind: 'content';
      title: string;
      html: string;
      /** Buttons from left to right; OK if none. */
      actions?: readonly Link[];
      /** Whether only its buttons close it. */
      required?: boolean;
      /** Whether it is the timed pop-up. */
      isTimed?: boolean;
    }
  | { kind: 'frame'; title: string; url: string }
  | { kind: 'static'; name: 'about' | 'help' }
  /** The visitor's choices about third-party content. */
  | { kind: 'third_parties' }
  /** An image up close. */
  | { kind: 'image'; element: Element }
  /** Detailed descriptions and transcripts: of an element, or of all at the visitor's place. */
  | { kind: 'texts'; element: Element | null }
  | ({ kind: 'share' } & Extract<Navigation, { type: 'modal_share' }>['type_config'] & { feed_id: number });

/** A slide: its element, its index from 0, and the count. */
export interface Slide {
  element: Element;
  index: number;
  count: number;
}

/** Notification about a success or an error. */
export interface Notification {
  text: string;
  /** Whether it stays until its cause ends; others disappear by themselves. */
  lasts: boolean;
  /** Whether it leads to the text page of the room. */
  asText?: boolean;
}

export type SubtitleSize = 'small' | 'medium' | 'large';

/** The visitor's subtitle choices, if any. */
export interface Subtitles {
  /** Subtitle language; empty for none. */
  language?: string;
  size?: SubtitleSize;
}

/** Decisions about third parties, by host. */
export type Choices = Readonly<Record<string, boolean>>;

/** The visitor's choices about third-party content. */
export interface ConsentState {
  /** Third parties of the current room and its page, and others that are allowed, without uses. */
  readonly parties: ThirdParty[];
  isAllowed(host: string): boolean;
  /** Hosts that content needs, and that aren't allowed. @param content an element, a URL, or HTML */
  lacks(content: Element | string | { html: string }): string[];
  /** The drawing that stands in for an element; undefined if it may load. */
  substitute: NonNullable<StageOptions['substitute']>;
  /** Stands in for content of hosts: names them, with a button that allows them for this visit. */
  placeholder(hosts: readonly string[]): HTMLElement;
  /**
   * Applies choices: allowed content loads, and withdrawn content is unloaded at once.
   * @param lifetime until the visitor changes them, until the window closes, or only in this page
   */
  choose(choices: Choices, lifetime: 'local' | 'window' | 'none'): void;
  /** Applies the decision of the embedding page about all hosts, now and later, except some. It isn't stored. */
  chooseAll(isAllowed: boolean, except?: Choices): void;
  /** Whether a host that isn't allowed also isn't after reloading the page, until someone allows it. */
  lasts(host: string): boolean;
  /** Opens the dialog with the visitor's choices. */
  open(): void;
}

/** State of the overlay. */
export interface VisitState {
  settings: Settings;
  /** Embed flags of the page. */
  flags: PageFlags;
  /** The visitor's choices about third-party content; missing if it loads as specified. */
  consent?: ConsentState;
  /** Whether this is a preview, without a page of its own. */
  isPreview?: boolean;
  endpoint: VisitedEndpoint | null;
  /** Page clock in milliseconds at which the server's clock was the structure's `current_time`. */
  arrivedAt?: number;
  /**
   * Why no room is open, for the embedding page, with a message if the code is not enough; null while a room is open or
   * loading.
   */
  refusal: { code: EmbedRefusal; message: string } | null;
  entered: boolean;
  /** How much of the next room is loaded, 0 to 1; null while the visitor stays in this one. */
  leaving: number | null;
  /** Whether there is a previous room. */
  canGoBack: boolean;
  viewPoints: ElementOf<'view_point'>[];
  /** Id of the last visited view point. */
  viewPoint: number | null;
  dialog: Dialog | null;
  /** Dialogs that opened by themselves while another was open, shown after it. */
  waiting: readonly Dialog[];
  /** Current slide of the open slider. */
  slide: Slide | null;
  /** Id of the element with full-page video. */
  fullPage: number | null;
  /** Whether playback was muted because the browser blocked sound. */
  mutedFallback: boolean;
  /** Whether the room has audible elements. */
  hasMedia: boolean;
  /** Whether the visitor muted the sound. */
  muted: boolean;
  /** Volume from 0 to 100; 100 if missing. */
  volume?: number;
  subtitles?: Subtitles;
  /** Whether videos play their audio description; undefined until the visitor chooses. */
  audioDescription?: boolean;
  /** Whether the view follows the orientation of the device. */
  followsDevice?: boolean;
  /** Seconds until the timed sequence ends, if the room shows them. */
  timer: number | null;
  /** Current subtitles. */
  cues: readonly string[];
  /** Languages of the subtitles that streams bring along. */
  streamLanguages: readonly string[];
  notification: Notification | null;
}

/** Initial state of a room. */
export const NOTHING_YET = {
  refusal: null,
  leaving: null,
  viewPoints: [],
  viewPoint: null,
  dialog: null,
  waiting: [],
  slide: null,
  fullPage: null,
  mutedFallback: false,
  hasMedia: false,
  timer: null,
  cues: [],
  streamLanguages: [],
} satisfies Partial<VisitState>;

/** Actions of the overlay. */
export interface VisitActions {
  /** The current stage. */
  readonly stage: Stage | undefined;
  readonly events: VisitEvents;
  step(forward: number, right: number): void;
  /** The view follows the orientation of the device, or no longer does. */
  followDevice(isOn: boolean): void;
  /** Turns by radians, left and up. */
  turn(azimuth: number, polar?: number): void;
  goToViewPoint(id: number): void;
  resetCamera(): void;
  back(): void;
  follow(navigation: Navigation | undefined): void;
  /** Shows an image up close. */
  lookCloser(element: Element): void;
  closeDialog(): void;
  /** Mutes or unmutes everything. */
  setMuted(muted: boolean): void;
  /** Sets the master volume. @param volume from 0 to 100 */
  setVolume(volume: number): void;
  /** Sets subtitle options for the rest of the visit; missing ones stay. */
  setSubtitles(choice: Subtitles): void;
  /** Turns the audio descriptions of videos on or off for the rest of the visit. */
  setAudioDescription(isOn: boolean): void;
  /** Shows the detailed description and transcript of an element; of all at the visitor's place for null. */
  showTexts(element: Element | null): void;
  /** Shows this room and all further ones in another language. @param tag one that the room offers */
  chooseLanguage(tag: string): void;
  /** A message was shared: confirms it and reloads the room if configured. */
  shared(sentence: string, reloadRoom: boolean): void;
  /** Shows a notification. @param lasts whether it stays until closed @param asText whether it leads to the text page */
  tell(sentence: string, lasts?: boolean, asText?: boolean): void;
  /** Moves or closes the open slider. */
  slide(way: 'next' | 'previous' | 'close'): void;
  /** Ends full-page video. */
  closeFullPage(): void;
  closeNotification(): void;
  /** Access has ended: closes the room and asks for another access token. */
  endAccess(): void;
}

/** Holds the state of a visit and notifies listeners of changes. */
export class VisitStore {
  #state: VisitState;
  readonly #listeners = new Set<() => void>();

  constructor(state: VisitState) {
    this.#state = state;
  }

  get = (): VisitState => this.#state;

  set(change: Partial<VisitState>): void {
    this.#state = { ...this.#state, ...change };
    for (const listener of this.#listeners) listener();
  }

  /** Opens a dialog in place of the current one. */
  show(dialog: Dialog): void {
    const { dialog: open, waiting } = this.#state;
    // One-time dialogs are queued, not lost.
    const isKept = open?.kind === 'content' && open.isTimed;
    this.set({ dialog, waiting: isKept ? [open, ...waiting] : waiting });
  }

  /** Opens a dialog once no other is open. */
  showAfter(dialog: Dialog): void {
    if (this.#state.dialog) this.set({ waiting: [...this.#state.waiting, dialog] });
    else this.set({ dialog });
  }

  /** Closes the open dialog and returns it. */
  closeDialog(): Dialog | null {
    const { dialog, waiting } = this.#state;
    this.set({ dialog: waiting[0] ?? null, waiting: waiting.slice(1) });
    return dialog;
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };
}
