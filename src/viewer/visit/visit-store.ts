import type { Element, ElementOf } from '../../../engine/document/element.ts';
import type { Link, Navigation } from '../../../engine/document/navigation.ts';
import type { Stage } from '../../../engine/stage/stage.ts';
import type { EmbedRefusal } from '../../contract/embed-messages.ts';
import type { PublicEndpoint, Settings } from '../../contract/entities.ts';
import type { PageFlags } from '../address/page-place.ts';
import type { VisitEvents } from './visit-events.ts';

/** A dialog over the room. */
export type Dialog =
  | {
      kind: 'content';
      title: string;
      html: string;
      /** Links that close it, from left to right; an OK button without any. */
      actions?: readonly Link[];
      /** Whether it closes by one of those only. */
      required?: boolean;
      /** Whether it is the pop-up of the timed sequence. */
      isTimed?: boolean;
    }
  | { kind: 'frame'; title: string; url: string }
  | { kind: 'static'; name: 'about' | 'help' }
  | ({ kind: 'share' } & Extract<Navigation, { type: 'modal_share' }>['type_config'] & { feed_id: number });

/** One slide of a slider: an element, and which one of how many it is, counted from 0. */
export interface Slide {
  element: Element;
  index: number;
  count: number;
}

/** A sentence about what was done, or went wrong. */
export interface Notification {
  text: string;
  /** Whether it stays until what it tells of is over; others go by themselves. */
  lasts: boolean;
}

export type SubtitleSize = 'small' | 'medium' | 'large';

/** What a visitor chose about subtitles, and leaves out otherwise. */
export interface Subtitles {
  /** Language in which they are shown; empty for none. */
  language?: string;
  size?: SubtitleSize;
}

/** What the controls over the room show. */
export interface VisitState {
  settings: Settings;
  /** What the page's address leaves out. */
  flags: PageFlags;
  /** Whether the room has no page of its own: it is a preview. */
  isPreview?: boolean;
  endpoint: PublicEndpoint | null;
  /** Moment of the page's own clock, in milliseconds, at which the server's showed the structure's `current_time`. */
  arrivedAt?: number;
  /**
   * Why no room is entered now, for whoever shows this page in theirs, with its sentence where the code does not say it
   * all; null while one is, or comes.
   */
  refusal: { code: EmbedRefusal; message: string } | null;
  entered: boolean;
  /** Whether there is a room to go back to. */
  canGoBack: boolean;
  viewPoints: ElementOf<'view_point'>[];
  /** Id of the view point where the visitor last went. */
  viewPoint: number | null;
  dialog: Dialog | null;
  /** Dialogs that opened by themselves while another one was read: they come after it. */
  waiting: readonly Dialog[];
  /** Slide of the slider that is open. */
  slide: Slide | null;
  /** Id of the element whose video covers the page. */
  fullPage: number | null;
  /** Whether something plays muted because the browser refused its sound. */
  mutedFallback: boolean;
  /** Whether something in the room can be heard. */
  hasMedia: boolean;
  /** Whether the visitor took the sound away. */
  muted: boolean;
  /** How loud everything is, from 0 to 100; 100 where it is left out. */
  volume?: number;
  subtitles?: Subtitles;
  /** Seconds until the timed sequence ends, where the room shows them. */
  timer: number | null;
  /** Subtitles of what is being said. */
  cues: readonly string[];
  notification: Notification | null;
}

/** What a room begins with: nothing has happened in it yet. */
export const NOTHING_YET = {
  refusal: null,
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
} satisfies Partial<VisitState>;

/** What visitors do with the controls. */
export interface VisitActions {
  /** The stage that stands now. */
  readonly stage: Stage | undefined;
  readonly events: VisitEvents;
  step(forward: number, right: number): void;
  turn(azimuth: number): void;
  goToViewPoint(id: number): void;
  resetCamera(): void;
  back(): void;
  follow(navigation: Navigation | undefined): void;
  closeDialog(): void;
  /** Takes or gives back all sound. */
  setMuted(muted: boolean): void;
  /** Makes everything that loud. @param volume from 0 to 100 */
  setVolume(volume: number): void;
  /** Chooses subtitles for the rest of the visit; what is left out stays. */
  setSubtitles(choice: Subtitles): void;
  /** A message was shared: says so, and loads the room again where that was asked for. */
  shared(sentence: string, reloadRoom: boolean): void;
  /** Shows a sentence. @param lasts whether it stays until it is put away */
  tell(sentence: string, lasts?: boolean): void;
  /** Moves the slider that is open, or closes it. */
  slide(way: 'next' | 'previous' | 'close'): void;
  /** Puts the video that covers the page back into the room. */
  closeFullPage(): void;
  closeNotification(): void;
}

/** Holds the state of a visit and tells listeners of changes. */
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

  /** Opens a dialog in place of the one that is open. */
  show(dialog: Dialog): void {
    const { dialog: open, waiting } = this.#state;
    // What opens once is not lost: it comes back after this one.
    const isKept = open?.kind === 'content' && open.isTimed;
    this.set({ dialog, waiting: isKept ? [open, ...waiting] : waiting });
  }

  /** Opens a dialog once no other is open. */
  showAfter(dialog: Dialog): void {
    if (this.#state.dialog) this.set({ waiting: [...this.#state.waiting, dialog] });
    else this.set({ dialog });
  }

  /** Closes the dialog that is open; gives it back. */
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
