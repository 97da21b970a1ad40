import type { Scene } from '../../../engine/scene/scene.ts';
import { VisitCounts } from '../../../engine/visits/visit-counts.ts';
import type { Beacon } from '../../contract/calls/statistics.ts';
import { flags } from '../address/page-place.ts';
import { visitToken } from '../visit/visit-data.ts';
import type { VisitEvents } from '../visit/visit-events.ts';
import type { VisitStore } from '../visit/visit-store.ts';

/** Maximum bytes sent per minute. */
const MAX_BYTES = 3000;
const MINUTE = 60_000;

/** Sends statistics within a rate limit. */
class Beacons {
  readonly #sent: { at: number; bytes: number }[] = [];

  /** Whether a message of this size may be sent now. */
  hasRoomFor(bytes: number): boolean {
    const now = performance.now();
    while (this.#sent[0] && now - this.#sent[0].at >= MINUTE) this.#sent.shift();
    return this.#sent.reduce((sum, each) => sum + each.bytes, bytes) <= MAX_BYTES;
  }

  /** Sends a message, also while the page unloads. Failures are ignored. @param token visit token of a protected structure */
  send(beacon: Beacon, token: string | null): void {
    const body = JSON.stringify(beacon);
    if (!this.hasRoomFor(body.length)) return;
    this.#sent.push({ at: performance.now(), bytes: body.length });
    const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) };
    void fetch('/api/v1/statistics', { method: 'POST', keepalive: true, headers, body }).catch(() => {});
  }
}

/** Sampling interval of visible elements in milliseconds. */
const LOOK = 1000;
/** Seconds between messages, and between positions. */
const EVERY = { message: 30, place: 5 };
/** Maximum entries of each kind, to keep messages below the size limit. */
const MAX_ENTRIES = 20;
const MAX_MESSAGE_BYTES = 1400;
/** Maximum seconds per message. */
const MAX_SECONDS = 120;

interface Counted {
  scene: Scene;
  store: VisitStore;
  events: VisitEvents;
}

/** Whether the browser sends Do Not Track or Global Privacy Control. */
const isUnwanted = (): boolean => {
  const { doNotTrack, globalPrivacyControl } = navigator as Navigator & { globalPrivacyControl?: boolean };
  return doNotTrack === '1' || globalPrivacyControl === true;
};

/** Host of the embedding page; empty if there is none or it is unknown. */
function embeddingSite(): string {
  if (!flags.isEmbed || window.parent === window) return '';
  const around = location.ancestorOrigins?.[0] ?? document.referrer;
  const host = URL.canParse(around) ? new URL(around).hostname : '';
  return /^[a-z0-9.-]{1,253}$/.test(host) ? host : '';
}

/** Random id of this page's visits, never stored. */
const visit = Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => byte.toString(16).padStart(2, '0')).join(
  '',
);
const beacons = new Beacons();
/** The structure visited before on this page. */
let before: number | null = null;

/** Counts one structure's visit while the page is visible. */
class VisitCount {
  readonly #scene: Scene;
  readonly #counts = new VisitCounts();
  readonly #endpoint: { id: number; path: string; language?: string | undefined };
  readonly #notesPlaces: boolean;
  readonly #from = before;
  #timer: ReturnType<typeof setInterval> | undefined;
  #begun = false;
  #lookedAt = 0;
  /** Unreported seconds, and seconds since the last message and position. */
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
    addEventListener('pagehide', this.#send);
    this.#follow();
  }

  readonly #follow = (): void => {
    clearInterval(this.#timer);
    if (document.hidden) {
      if (this.#begun) this.#send();
      return;
    }
    this.#lookedAt = performance.now();
    this.#timer = setInterval(() => this.#look(), LOOK);
    if (!this.#begun) this.#send();
  };

  #look(): void {
    const now = performance.now();
    // Ignore time while the device slept.
    const passed = Math.min((now - this.#lookedAt) / 1000, 2);
    this.#lookedAt = now;
    this.#seconds += passed;
    this.#sinceMessage += passed;
    this.#sincePlace += passed;
    this.#counts.look(this.#scene, passed);
    if (this.#notesPlaces && this.#sincePlace >= EVERY.place) this.#note();
    if (this.#sinceMessage >= EVERY.message) this.#send();
  }

  #note(): void {
    this.#sincePlace = 0;
    const place = this.#counts.place(this.#scene);
    if (place && this.#places.length < MAX_ENTRIES) this.#places.push(place);
  }

  readonly #send = (): void => {
    if (!beacons.hasRoomFor(MAX_MESSAGE_BYTES)) return;
    this.#sinceMessage = 0;
    const seconds = Math.min(Math.floor(this.#seconds), MAX_SECONDS);
    this.#seconds -= seconds;
    const { seen, stood, opened } = this.#counts.take(MAX_ENTRIES);
    const poses = this.#places.splice(0);
    if (this.#begun && seconds === 0 && seen.length + stood.length + opened.length + poses.length === 0) return;
    const site = embeddingSite();
    const { language } = this.#endpoint;
    const beginning = {
      begins: true,
      ...(site && { site }),
      ...(this.#from !== null && { from_id: this.#from }),
      ...(language !== undefined && { language }),
    };
    const cap = ([id, time]: [number, number]): [number, number] => [id, Math.min(time, MAX_SECONDS)];
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
    removeEventListener('pagehide', this.#send);
    if (this.#begun) this.#send();
  };
}

/**
 * Counts the visit, if statistics are on and the visitor doesn't opt out. Stores nothing in the browser.
 * @returns stop function
 */
export function countVisit(counted: Counted): () => void {
  const { endpoint, settings } = counted.store.get();
  if (!endpoint || !settings.has_statistics || isUnwanted()) return () => {};
  return new VisitCount(counted).end;
}
