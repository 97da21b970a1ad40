import type { Vector } from '../../document/fields.ts';
import type { ProximityState } from '../../machines/proximity-state.ts';

/** Where a visitor is in relation to a proximity sensor: a state of its chart. */
export type ProximityZone = ProximityState;

/** What the document itself brings: elements come, go and change. */
type ElementEvent =
  | { type: 'element.shown' | 'element.hidden'; element_id: number }
  | { type: 'element.added' | 'element.removed' | 'element.changed'; element_id: number }
  /**
   * What it needs is to be fetched from now on: it is heavy, and the visitor came near or sees it. Or may be evicted again,
   * since the visitor is far and much else is held.
   */
  | { type: 'element.near' | 'element.far'; element_id: number }
  | { type: 'room.changed' }
  | { type: 'proximity'; element_id: number; zone: ProximityZone; volume: number }
  | { type: 'error'; element_id: number; message: string };

/** Commands to the players of sounds and videos. `at` in seconds of the file, volumes from 0 to 100. */
type MediaEvent =
  | { type: 'media.play'; element_id: number; at: number; muted: boolean; volume: number }
  | { type: 'media.pause' | 'media.stop' | 'media.ended' | 'media.mute' | 'media.unmute'; element_id: number }
  | { type: 'media.seek'; element_id: number; at: number }
  /** Told when a visitor sets it and when a sensor's zone changes; while one fades, `mediaVolume` is read each tick. */
  | { type: 'media.volume'; element_id: number; volume: number }
  /** At most one is over the whole page. */
  | { type: 'media.fullpage'; element_id: number; on: boolean }
  /** The browser refused to play with sound, so that it plays muted: offer to unmute. */
  | { type: 'media.muted_fallback'; element_id: number }
  /** Nothing is muted by such a refusal any more: take the offer away. */
  | { type: 'media.muted_fallback_cleared' }
  /** The browser is to leave full screen. */
  | { type: 'fullscreen.off' };

/** The timed sequence of a room. Seconds are whole, rounded up, and told when they change. */
type TimedSceneEvent =
  | { type: 'timed'; state: 'waiting' | 'active' | 'ended'; time_left: number }
  /** Seconds until the sequence starts; 0 once it has. */
  | { type: 'countdown'; seconds: number }
  /** Seconds until the sequence ends, where the room shows a timer. */
  | { type: 'timer'; seconds: number }
  | { type: 'popup.opened' | 'popup.dismissed' };

/** Motion capture. Clips of a stream are numbered from 0 on. */
type MotionEvent =
  /** Load a clip of a stream; answer with the input `motion.loaded`. */
  | { type: 'motion.load'; element_id: number; n: number; url: string }
  | { type: 'motion.clip'; element_id: number; n: number };

/** Other visitors. Coordinates in units of the room. */
type PresenceEvent =
  /** Send the visitor's own position to the others, and where it looks: radians counterclockwise from −z. */
  | { type: 'presence.send'; subject: string; x: number; y: number; z: number; heading: number }
  /** Another visitor's marker; its entity is that of `element_id`, which is below 0. */
  | { type: 'marker.added' | 'marker.removed'; element_id: number; subject: string; ref: string };

/** What a visitor chose. */
type ChoiceEvent =
  /** The camera is to glide to `position`, looking at `target`; see `dampedPose`. */
  | { type: 'view_point'; element_id: number; position: Vector; target: Vector; damping: number }
  | { type: 'camera_reset' }
  /** A slide of a slider (a group) is shown: element `slide`, number `index` of `count`. */
  | { type: 'slider'; element_id: number; slide: number; index: number; count: number }
  | { type: 'slider.closed'; element_id: number };

/**
 * What a scene reports about one tick, in the order in which it happened; sensors answer in no particular
 * order. Volumes of sensors run from 0 to 1.
 */
export type SceneEvent = ElementEvent | MediaEvent | TimedSceneEvent | MotionEvent | PresenceEvent | ChoiceEvent;
