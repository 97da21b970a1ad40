import type { Scene } from '../../../engine/scene/scene.ts';
import { VisitCounts } from '../../../engine/visits/visit-counts.ts';
import type { Beacon } from '../../contract/calls/statistics.ts';
import { flags } from '../address/page-place.ts';
import type { VisitEvents } from '../visit/visit-events.ts';
import type { VisitStore } from '../visit/visit-store.ts';
import { visitToken } from '../visit/visit-token.ts';
import { Beacons } from './beacons.ts';

/** Milliseconds between two looks at what is seen. */
const LOOK = 1000;
/** Seconds between two messages, and between two places. */
const EVERY = { message: 30, place: 5 };
/** Entries of each kind that a message takes: with all of them it stays below the bytes below. */
const MOST_ENTRIES = 20;
const LARGEST_MESSAGE = 1400;
/** Most seconds that a message may tell of. */
const LONGEST = 120;

interface Counted {
  scene: Scene;
  store: VisitStore;
  events: VisitEvents;
}

/** Whether the visitor asks sites not to follow what they do: Do Not Track, Global Privacy Control. */
const isUnwanted = (): boolean => {
  const { doNotTrack, globalPrivacyControl } = navigator as Navigator & { globalPrivacyControl?: boolean };
  return doNotTrack === '1' || globalPrivacyControl === true;
};

/** Host of the page around this one; empty where there is none, or it does not say who it is. */
function embeddingSite(): string {
  if (!flags.isEmbed || window.parent === window) return '';
  const around = location.ancestorOrigins?.[0] ?? document.referrer;
  const host = URL.canParse(around) ? new URL(around).hostname : '';
  return /^[a-z0-9.-]{1,253}$/.test(host) ? host : '';
}

/** Tells the visits of this page apart from those of others, and is gone with it. */
const visit = Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => byte.toString(16).padStart(2, '0')).join(
  '',
);
const beacons = new Beacons();
/** The structure that was visited before in this page. */
let before: number | null = null;

/** Counts one structure's visit for as long as it is seen. */
class VisitCount {
  readonly #scene: Scene;
  readonly #counts = new VisitCounts();
  readonly #endpoint: { id: number; path: string };
  readonly #notesPlaces: boolean;
  readonly #from = before;
  #timer: ReturnType<typeof setInterval> | undefined;
  #begun = false;
  #lookedAt = 0;
  /** Seconds that nothing was told of yet, since the last message, and since the last place. */
  #seconds = 0;
  #sinceMessage = 0;
  #sincePlace = 0;
  #places: NonNullable<Beacon['poses']> = [];
  readonly #stopListening: () => void;

  constructor({ scene, store, events }: Counted) {
    const { endpoint, settings } = store.get();
    this.#scene = scene;
    this.#endpoint = endpoint!;
    this.#notesPlaces = settings.has_statistics_poses;
    before = this.#endpoint.id;
    this.#stopListening = events.subscribe((event) => {
      if (event.type === 'pressed') this.#counts.press(event.element);
      else if (event.type === 'scene') this.#counts.hear(event.event);
    });
    document.addEventListener('visibilitychange', this.#follow);
    addEventListener('pagehide', this.#tell);
    this.#follow();
  }

  readonly #follow = (): void => {
    clearInterval(this.#timer);
    if (document.hidden) {
      if (this.#begun) this.#tell();
      return;
    }
    this.#lookedAt = performance.now();
    this.#timer = setInterval(() => this.#look(), LOOK);
    if (!this.#begun) this.#tell();
  };

  #look(): void {
    const now = performance.now();
    // A machine that slept was not looked at.
    const passed = Math.min((now - this.#lookedAt) / 1000, 2);
    this.#lookedAt = now;
    this.#seconds += passed;
    this.#sinceMessage += passed;
    this.#sincePlace += passed;
    this.#counts.look(this.#scene, passed);
    if (this.#notesPlaces && this.#sincePlace >= EVERY.place) this.#note();
    if (this.#sinceMessage >= EVERY.message) this.#tell();
  }

  #note(): void {
    this.#sincePlace = 0;
    const place = this.#counts.place(this.#scene);
    if (place && this.#places.length < MOST_ENTRIES) this.#places.push(place);
  }

  readonly #tell = (): void => {
    if (!beacons.hasRoomFor(LARGEST_MESSAGE)) return;
    this.#sinceMessage = 0;
    const seconds = Math.min(Math.floor(this.#seconds), LONGEST);
    this.#seconds -= seconds;
    const { seen, stood, opened } = this.#counts.take(MOST_ENTRIES);
    const poses = this.#places.splice(0);
    if (this.#begun && seconds === 0 && seen.length + stood.length + opened.length + poses.length === 0) return;
    const site = embeddingSite();
    const beginning = { begins: true, ...(site && { site }), ...(this.#from !== null && { from_id: this.#from }) };
    const cap = ([id, time]: [number, number]): [number, number] => [id, Math.min(time, LONGEST)];
    beacons.send(
      {
        endpoint_id: this.#endpoint.id,
        visit,
        ...(!this.#begun && beginning),
        ...(seconds > 0 && { seconds }),
        ...(seen.length > 0 && { seen: seen.map(cap) }),
        ...(stood.length > 0 && { stood: stood.map(cap) }),
        ...(opened.length > 0 && { opened }),
        ...(poses.length > 0 && { poses }),
      },
      visitToken(this.#endpoint.path).get(),
    );
    this.#begun = true;
  };

  end = (): void => {
    this.#stopListening();
    clearInterval(this.#timer);
    document.removeEventListener('visibilitychange', this.#follow);
    removeEventListener('pagehide', this.#tell);
    if (this.#begun) this.#tell();
  };
}

/**
 * Counts the visit of a room, where the organization counts visits and the visitor does not ask for the contrary. Nothing is
 * kept in the browser.
 * @returns a function that stops
 */
export function countVisit(counted: Counted): () => void {
  const { endpoint, settings } = counted.store.get();
  if (!endpoint || !settings.has_statistics || isUnwanted()) return () => {};
  return new VisitCount(counted).end;
}
