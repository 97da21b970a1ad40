import type { Element, ElementOf } from '../../engine/document/element.ts';
import type { Navigation } from '../../engine/document/navigation.ts';
import type { PublicEndpoint, Settings } from '../contract/entities.ts';
import type { PageFlags } from './page-place.ts';

/** A dialog over the room. */
export type Dialog =
  | { kind: 'content'; title: string; html: string }
  | { kind: 'frame'; title: string; url: string }
  | { kind: 'static'; name: 'about' | 'help' };

/** One slide of a slider: an element, and which one of how many it is, counted from 0. */
export interface Slide {
  element: Element;
  index: number;
  count: number;
}

/** What the controls over the room show. */
export interface VisitState {
  settings: Settings;
  /** What the page's address leaves out. */
  flags: PageFlags;
  endpoint: PublicEndpoint | null;
  entered: boolean;
  /** Whether there is a room to go back to. */
  canGoBack: boolean;
  viewPoints: ElementOf<'view_point'>[];
  /** Id of the view point where the visitor last went. */
  viewPoint: number | null;
  dialog: Dialog | null;
  /** Slide of the slider that is open. */
  slide: Slide | null;
  /** Id of the element whose video covers the page. */
  fullPage: number | null;
  /** Whether something plays muted because the browser refused its sound. */
  mutedFallback: boolean;
  /** Subtitles of what is being said. */
  cues: readonly string[];
  /** A sentence about something that went wrong. */
  notice: string | null;
}

/** What visitors do with the controls. */
export interface VisitActions {
  step(forward: number, right: number): void;
  turn(azimuth: number): void;
  goToViewPoint(id: number): void;
  resetCamera(): void;
  back(): void;
  follow(navigation: Navigation | undefined): void;
  closeDialog(): void;
  /** Moves the slider that is open, or closes it. */
  slide(way: 'next' | 'previous' | 'close'): void;
  /** Puts the video that covers the page back into the room. */
  closeFullPage(): void;
  /** Gives sound to what plays muted. */
  unmute(): void;
  closeNotice(): void;
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

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };
}
