import type { World } from 'bitecs';
import type { Element } from '../document/element.ts';
import type { Room } from '../document/room.ts';
import type { Components } from './entities/components.ts';
import type { SceneEvent } from './events/events.ts';
import type { FeedLayout } from './feeds/feed-layout.ts';
import type { Deadlines } from './media/deadlines.ts';
import type { StreamingState } from './streaming/streaming-state.ts';
import type { CameraView } from './view/camera-pose.ts';
import type { FeedItem } from './visitor-input.ts';
import type { TimeQueue } from './windows/time-queue.ts';

/** Entities in document order, parents before children: every subtree is a range of ranks. */
export interface PreOrder {
  count: number;
  /** By rank. */
  entities: Uint32Array;
  /** By rank: the rank after the last descendant. */
  ends: Uint32Array;
  /** A bit per rank: whether the subtree needs an update in the next tick. */
  dirty: Int32Array;
}

/** State shared by the media of a room. */
interface MediaQueue {
  /** Entities queued for an update, and for each the start time in seconds. */
  woken: Uint32Array;
  startedAt: Float64Array;
  wokenCount: number;
  /** Times at which media needs an update. */
  readonly deadlines: Deadlines;
  /** Room time of the last tick; NaN before the first. */
  time: number;
  /** Size of the jump of room time in this tick, in seconds; 0 without a jump. */
  jump: number;
  /** Whether media has been woken after the visitor entered. */
  entered: boolean;
  /** Whether media that starts from now on is muted. */
  muteAll: boolean;
  /** Master volume, 0 to 1. */
  loudness: number;
  /** Number of elements muted because the browser blocked playback with sound. */
  refusals: number;
  /** Whether the fallback to muted has been reported and not cleared. */
  offered: boolean;
  /** Entity whose media fills the page; 0 for none. */
  fullPage: number;
}

/** The state of the scan of proximity sensors. */
interface SensorScan {
  /** Every sensor, in the document's order. */
  all: Uint32Array;
  /** Whether sensors were added, removed or reordered: `all` must be listed again. */
  stale: boolean;
  /** Whether the camera or an element has moved since the last scan. */
  waiting: boolean;
  /** Whether the next scan can't wait for its interval. */
  urgent: boolean;
  /** Room time of the last scan; NaN before the first. */
  scannedAt: number;
}

/** Content of a group's feed. */
export interface Feed {
  items: readonly FeedItem[];
  layout: FeedLayout;
  elements: Element[];
}

/** Elements that aren't in the document. Their ids are negative. */
export interface TransientElements {
  /** Next id to allocate. */
  nextId: number;
  /** Feeds by the id of their group. */
  readonly feeds: Map<number, Feed>;
  /** Markers of other visitors, at the top of the room. */
  readonly markers: Element[];
  /** The 360° video of the template as an element, if there is one, and its source. */
  video: { readonly of: readonly unknown[]; readonly elements: readonly Element[] };
}

/** A stream of motion capture: clips are buffered and played in sequence. */
export interface MotionStream {
  entity: number;
  src: string;
  /** Number of clips requested so far. */
  asked: number;
  /** Index of the current clip; −1 before the first. */
  clip: number;
  /** Room time at which it started. */
  begun: number;
  /** Whether it ended before the next one was loaded. */
  late: boolean;
  /** Durations of the buffered clips in seconds, by index modulo the buffer size; 0 while not loaded. */
  durations: Float64Array;
}

/** The visitor of a marker: its subject, reference, and the element that owns the subject. */
export interface MarkedVisitor {
  subject: string;
  ref: string;
  owner: number | undefined;
  name: string | undefined;
  tint: number | undefined;
}

/** State of other visitors' markers. */
export interface Presence {
  /** Marker ids by subject and visitor reference. */
  readonly byKey: Map<string, number>;
  /** By marker id. */
  readonly byId: Map<number, MarkedVisitor>;
  /** Entities with their own subject, and whether the list is outdated. */
  elements: readonly number[];
  stale: boolean;
  /** Whether there are removed markers whose entities still exist. */
  gone: boolean;
  /** Room time of the last message; NaN before the first. */
  sentAt: number;
}

/** State shared by the systems of one scene. */
export interface SceneWorld extends Components {
  readonly ecs: World;
  capacity: number;
  room: Room;
  /** Seconds since 1970 at room time 0. */
  epoch: number;
  readonly seed: number;
  readonly streamSeed: number;
  readonly visitor: string | undefined;
  /** Whether visibility windows are ignored. */
  readonly windowless: boolean;
  /** Whether the visitor has entered. */
  entered: boolean;
  /** By entity. */
  readonly elements: (Element | undefined)[];
  /** Entity by element id. */
  readonly byId: Map<number, number>;
  /** Ids of invalid elements that have been reported. */
  readonly refused: Set<number>;
  readonly order: PreOrder;
  /** Whether any entity is dirty, and whether any of them changed more than its position. */
  dirty: boolean;
  turned: boolean;
  readonly moved: { list: Uint32Array; count: number };
  /** Room time in seconds; NaN before the first tick. */
  time: number;
  tick: number;
  readonly edges: TimeQueue;
  /** Entities whose window is in a time zone: their edges are recomputed for each day. */
  readonly zoned: Set<number>;
  /** Room time up to which `edges` have been processed; NaN if every window must be checked. */
  edgesAt: number;
  readonly view: CameraView;
  readonly sensors: SensorScan;
  readonly streaming: StreamingState;
  readonly media: MediaQueue;
  /** Streams of motion capture. */
  readonly streams: MotionStream[];
  /** The timed sequence: state indices of its two charts, and the seconds last emitted; a timer of −1 is hidden. */
  readonly timed: { sequence: number; popup: number; countdown: number; timer: number };
  /**
   * Ids of the visitor's choices; 0 for none. `place` is the current view point, `inPanorama` whether it had a panorama
   * when it was chosen.
   */
  readonly choice: { place: number; inPanorama: boolean; slider: number; slide: number };
  /** Entities that are visible only at some view points. */
  readonly placed: Set<number>;
  readonly transient: TransientElements;
  readonly presence: Presence;
  version: number;
  readonly events: SceneEvent[];
  /** Events of patches, delivered with the next tick. */
  readonly pending: SceneEvent[];
  /** Where events go: `events` during a tick, `pending` between ticks. */
  outbox: SceneEvent[];
}

export interface SceneOptions {
  /** Seed for everything that looks random but is the same on every visit; default 0. */
  seed?: number;
  /** Seed for cache busting of stream clips, different on every visit; default 0. */
  streamSeed?: number;
  /** Reference of the visitor, used to ignore the visitor's own positions. */
  visitor?: string;
  /** Seconds since 1970 at room time 0; default 0. Its date only affects windows in a time zone. */
  epoch?: number;
  /** Whether to ignore visibility windows and load everything, as in the editor; default false. */
  windowless?: boolean;
}
