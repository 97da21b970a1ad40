import type { Vector } from '../../document/fields.ts';
import type { ProximityState } from '../../machines/proximity-state.ts';

/** A visitor's position relative to a proximity sensor: a state of its chart. */
export type ProximityZone = ProximityState;

/** Changes of elements and of the room. */
type ElementEvent =
  | { type: 'element.shown' | 'element.hidden'; element_id: number }
  | { type: 'element.added' | 'element.removed' | 'element.changed'; element_id: number }
  /**
   * Resources of a heavy element are needed because the visitor is near or sees it, or may be evicted because the
   * visitor is far and the limit is exceeded.
   */
  | { type: 'element.near' | 'element.far'; element_id: number }
  | { type: 'room.changed' }
  | { type: 'proximity'; element_id: number; zone: ProximityZone; volume: number }
  | { type: 'error'; element_id: number; message: string };

/** Commands to media players. `at` is in seconds of the file, volumes are 0 to 100, and more for files with a gain above 0 dB. */
type MediaEvent =
  | { type: 'media.play'; element_id: number; at: number; muted: boolean; volume: number }
  | { type: 'media.pause' | 'media.stop' | 'media.ended' | 'media.mute' | 'media.unmute'; element_id: number }
  | { type: 'media.seek'; element_id: number; at: number }
  /**
   * Emitted when a visitor sets the volume or a sensor's zone changes; while a sensor fades, read `mediaVolume` each
   * tick.
   */
  | { type: 'media.volume'; element_id: number; volume: number }
  /** At most one element fills the page. */
  | { type: 'media.fullpage'; element_id: number; on: boolean }
  /** The browser blocked playback with sound and plays muted: offer to unmute. */
  | { type: 'media.muted_fallback'; element_id: number }
  /** No media is muted by the browser anymore: hide the offer to unmute. */
  | { type: 'media.muted_fallback_cleared' }
  /** Exit the browser's full screen. */
  | { type: 'fullscreen.off' };

/** The timed sequence of a room. Seconds are rounded up, and emitted when they change. */
type TimedSceneEvent =
  | { type: 'timed'; state: 'waiting' | 'active' | 'ended'; time_left: number }
  /** Seconds until the sequence starts; 0 after that. */
  | { type: 'countdown'; seconds: number }
  /** Seconds until the sequence ends; only in rooms that show a timer. */
  | { type: 'timer'; seconds: number }
  | { type: 'popup.opened' | 'popup.dismissed' };

/** Motion capture. Clips of a stream are numbered from 0. */
type MotionEvent =
  /** Load a clip of a stream, then send the input `motion.loaded`. */
  | { type: 'motion.load'; element_id: number; n: number; url: string }
  | { type: 'motion.clip'; element_id: number; n: number };

/** Other visitors. Coordinates are in room units. */
type PresenceEvent =
  /** Send the visitor's own position and heading (radians counterclockwise from −z) to the others. */
  | { type: 'presence.send'; subject: string; x: number; y: number; z: number; heading: number }
  /** Another visitor's marker; `element_id` is negative. */
  | { type: 'marker.added' | 'marker.removed'; element_id: number; subject: string; ref: string };

/** The visitor's choices. */
type ChoiceEvent =
  /**
   * Animate the camera to `position`, looking at `target` (null keeps the direction); `damping` is the fraction covered per
   * frame at 60 fps. With `at_once`, place it there.
   */
  | {
      type: 'view_point';
      element_id: number;
      position: Vector;
      target: Vector | null;
      damping: number;
      at_once?: true;
      /** Vertical field of view to zoom to, in degrees. */
      fov?: number;
    }
  /** Another view point is current; null for none. */
  | { type: 'place.changed'; element_id: number | null }
  | { type: 'camera_reset' }
  /** A slide of a slider (a group) is shown: element `slide`, at `index` of `count`. */
  | { type: 'slider'; element_id: number; slide: number; index: number; count: number }
  | { type: 'slider.closed'; element_id: number };

/** Events of one tick, in order; sensors report in no particular order. Sensor volumes are 0 to 1. */
export type SceneEvent = ElementEvent | MediaEvent | TimedSceneEvent | MotionEvent | PresenceEvent | ChoiceEvent;
