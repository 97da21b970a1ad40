import { autorun, makeObservable, observable, runInAction } from 'mobx';
import { DAY } from '../../../engine/document/constants.ts';
import type { Navigation } from '../../../engine/document/navigation.ts';
import type { LoginReason } from '../../../engine/machines/entry.ts';
import type { Settings } from '../../contract/entities.ts';
import { NAVIGATION_NAMES } from '../../ui/navigation-names.ts';
import { showNotification } from '../../ui/notifications.ts';
import type { VisitedRoom } from '../visit/visit-data.ts';
import type { Opening, PreviewEntry } from './preview-door.ts';
import type { PreviewHost, PreviewPlayer } from './preview-player.ts';
import { lengthOf, marksOf, type TimelineMark } from './timeline-scale.ts';

/** Milliseconds after which the shown time is brought up to date. */
const REFRESH = 100;

/** The time of a previewed room: runs, stands, and is set freely; from 0, or before its start, to the end of its timeline. */
export class PreviewClock {
  /** Seconds from 0 to the end. */
  readonly length: number;
  /** The first moment that can be gone to: 0, or below it where visitors wait for the start. */
  readonly earliest: number;
  readonly #monotonic: () => number;
  /** Room time, and milliseconds of the page's clock, when the time was last set. */
  #from = 0;
  #at: number;
  #timer: ReturnType<typeof setInterval> | undefined;
  isPlaying = false;
  /** The time as shown, in seconds: brought up to date ten times a second. */
  shown = 0;

  /** @param monotonic milliseconds that only grow */
  constructor(length: number, monotonic: () => number, earliest = 0) {
    this.length = length;
    this.earliest = earliest;
    this.#monotonic = monotonic;
    this.#at = monotonic();
    makeObservable(this, { isPlaying: observable, shown: observable });
  }

  /** Whether the room has not begun. */
  get isBefore(): boolean {
    return this.shown < 0;
  }

  /** Room time in seconds. */
  now(): number {
    const passed = this.isPlaying ? (this.#monotonic() - this.#at) / 1000 : 0;
    return Math.min(this.#from + passed, this.length);
  }

  play(): void {
    if (this.isPlaying) return;
    // At the end there is nothing left: it begins anew.
    this.#set(this.now() >= this.length ? 0 : this.now());
    runInAction(() => (this.isPlaying = true));
    this.#timer = setInterval(() => this.#refresh(), REFRESH);
  }

  pause(): void {
    this.#set(this.now());
    clearInterval(this.#timer);
    runInAction(() => (this.isPlaying = false));
  }

  /** Goes to a time in seconds; beyond either end means that end. */
  seek(seconds: number): void {
    this.#set(Math.min(Math.max(seconds, this.earliest), this.length));
  }

  #set(seconds: number): void {
    this.#from = seconds;
    this.#at = this.#monotonic();
    runInAction(() => (this.shown = seconds));
  }

  #refresh(): void {
    const now = this.now();
    if (now >= this.length) this.pause();
    else runInAction(() => (this.shown = now));
  }

  dispose(): void {
    clearInterval(this.#timer);
  }
}

/** Where a link leads, as far as it says so in one line. */
function targetOf(navigation: Navigation): string {
  switch (navigation.type) {
    case 'space':
      return navigation.type_config.endpoint_url;
    case 'url':
      return navigation.type_config.url;
    case 'slug':
      return ['', navigation.type_config.slug_one, navigation.type_config.slug_two].filter(Boolean).join('/');
    case 'event':
      return navigation.type_config.name;
    case 'modal_url':
      return navigation.type_config.title || navigation.type_config.url;
    case 'modal_content':
      return navigation.type_config.title;
    case 'modal_static':
      return navigation.type_config.name;
    default:
      return '';
  }
}

/** What a link does for visitors, in a sentence: a preview stays where it is. */
function linkSentence(navigation: Navigation): string {
  const target = targetOf(navigation);
  return `For visitors, this follows a link: ${NAVIGATION_NAMES[navigation.type]}${target && `, ${target}`}.`;
}

declare global {
  interface Window {
    /** The preview, for its frames, the browser's console, and tests. */
    enfiladePreview?: PreviewStore;
  }
}

/** What a room is seen on. */
export type PreviewScreenKind = 'window' | 'portrait' | 'landscape';

/** Pixels of a phone as pages have them. */
export const PHONES = {
  portrait: { width: 390, height: 844 },
  landscape: { width: 844, height: 390 },
} as const;

/** What is previewed. */
interface Previewed {
  /** As visitors get it. */
  room: VisitedRoom;
  settings: Settings;
  /** Seconds since 1970 at room time 0: the beginning of the local day. */
  epoch: number;
  /** What its structures ask of visitors. */
  entry: PreviewEntry;
  /** Why an access token opens none of its structures; null for one that does. */
  check(code: string): Promise<LoginReason | null>;
}

/** Where a visitor's way into the room begins. */
export type Beginning = 'room' | 'entrance' | 'countdown';

/** Seconds before the start from which on the countdown is shown at first. */
const BEFORE = 300;

/** A room that is played from its beginning, with its time in the hands of who watches. */
export class PreviewStore implements PreviewHost {
  readonly room: VisitedRoom;
  readonly settings: Settings;
  readonly isProtected: boolean;
  readonly opening: Opening | null;
  readonly check: PreviewHost['check'];
  readonly clock: PreviewClock;
  readonly marks: readonly TimelineMark[];
  readonly epoch: number;
  /** Whether time is to run wherever the room is entered. */
  #isRunning = true;
  #player: PreviewPlayer | undefined;
  screen: PreviewScreenKind = 'window';
  /** Whether the visitor has an access token. */
  hasToken = true;
  beginning: Beginning = 'room';
  /** Grows with every way in that is begun. */
  turn = 0;

  /** @param monotonic milliseconds that only grow */
  constructor({ room, settings, epoch, entry, check }: Previewed, monotonic: () => number) {
    this.room = room;
    this.settings = settings;
    this.isProtected = entry.protectedIds.length > 0;
    this.opening = entry.opening;
    this.check = check;
    this.clock = new PreviewClock(lengthOf(room), monotonic, entry.opening ? -DAY : 0);
    this.epoch = epoch;
    this.marks = marksOf(room, this.epoch);
    makeObservable(this, { screen: observable, hasToken: observable, beginning: observable, turn: observable });
  }

  get scene() {
    return this.#player?.scene;
  }

  get stage() {
    return this.#player?.stage;
  }

  get state() {
    return this.#player?.state ?? 'loading';
  }

  /** Stands in the page's window, where frames find it; gives what ends it. */
  open(): () => void {
    window.enfiladePreview = this;
    return () => {
      this.clock.dispose();
      if (window.enfiladePreview === this) window.enfiladePreview = undefined;
    };
  }

  now(): number {
    return this.clock.now();
  }

  followTime(listener: (seconds: number) => void): () => void {
    return autorun(() => listener(this.clock.shown));
  }

  attach(player: PreviewPlayer): () => void {
    this.#player = player;
    return () => {
      if (this.#player === player) this.#player = undefined;
    };
  }

  entered(): void {
    if (this.#isRunning) this.clock.play();
  }

  leave(navigation: Navigation): void {
    showNotification(linkSentence(navigation));
  }

  /** Time waits for the room to be drawn anew. */
  #drawAnew(): void {
    if (this.clock.isPlaying) this.clock.pause();
  }

  show(screen: PreviewScreenKind): void {
    if (screen === this.screen) return;
    this.#drawAnew();
    runInAction(() => (this.screen = screen));
  }

  visit(hasToken: boolean): void {
    if (hasToken === this.hasToken) return;
    this.#drawAnew();
    runInAction(() => {
      this.hasToken = hasToken;
      // Whoever is asked for a token comes through the entrance.
      if (!hasToken && this.beginning === 'room') this.beginning = 'entrance';
      this.turn++;
    });
  }

  /** Begins the way in anew: in the room, at its entrance, or some minutes before it opens. */
  begin(beginning: Beginning): void {
    this.#drawAnew();
    if (beginning === 'countdown') this.clock.seek(-BEFORE);
    else if (this.clock.isBefore) this.clock.seek(0);
    runInAction(() => {
      this.beginning = beginning;
      if (beginning === 'room') this.hasToken = true;
      this.turn++;
    });
  }

  /** Time goes on, and with it what was playing. */
  play(): void {
    this.#isRunning = true;
    this.clock.play();
    this.#player?.resume();
  }

  /** Time stands, and with it what is playing. */
  pause(): void {
    this.#isRunning = false;
    this.clock.pause();
    this.#player?.pause();
  }

  seek(seconds: number): void {
    this.clock.seek(seconds);
    this.stage?.invalidate();
  }
}
