/** One item of a feed. */
export interface FeedItem {
  /** URL of the image; empty for text-only items. */
  file_url: string;
  /** Size of the image in pixels, if known; determines the aspect ratio. */
  width?: number;
  height?: number;
  title?: string;
  text?: string;
  author?: string;
  date?: string;
}

/** Media commands of the visitor and reports from players. `at` is in seconds of the file. */
export type MediaInput =
  | { type: 'play' | 'pause' | 'toggle' | 'mute' | 'unmute'; element_id: number }
  | { type: 'seek'; element_id: number; at: number }
  /** 0 to 100; 100 if omitted. */
  | { type: 'volume'; element_id: number; volume?: number }
  | { type: 'fullpage'; element_id: number; on: boolean }
  /** The element was clicked; with the setting `fullscreen` it expands to the whole page. */
  | { type: 'select'; element_id: number }
  /** The player reached the end of its file. */
  | { type: 'ended'; element_id: number }
  /** The browser blocked playback with sound. */
  | { type: 'refused'; element_id: number }
  /** Current position of the player; sent at any rate. */
  | { type: 'progress'; element_id: number; at: number }
  | { type: 'mute_all' | 'unmute_all' }
  /** Master volume, 0 to 100, multiplied with each volume. */
  | { type: 'volume_all'; volume: number }
  /** The browser exited full screen. */
  | { type: 'leave_fullscreen' };

/**
 * View on arrival at a view point: `keep` keeps the direction, angles are in degrees (heading 0 is −z, clockwise seen from
 * above), `fov` is the vertical field of view to zoom to; undefined for the view point's own.
 */
export type Arrival = 'keep' | { heading: number; pitch: number; fov?: number } | null | undefined;

/** Actions of the visitor, and reports from players, loaders and other visitors, since the last tick. */
export type VisitorInput =
  /**
   * The visitor entered the room: autoplay may start and the visitor's position is shared. `epoch`: seconds since
   * 1970 at room time 0, if not known earlier.
   */
  | { type: 'entered'; epoch?: number | undefined }
  | MediaInput
  | { type: 'popup.dismiss' }
  /** Clip `n` of a stream was loaded and lasts `duration` seconds. */
  | { type: 'motion.loaded'; element_id: number; n: number; duration: number }
  /** Go to a view point, with a transition unless `at_once`. A hidden one is ignored. */
  | { type: 'go_to'; element_id: number; arrival?: Arrival; at_once?: boolean }
  | { type: 'camera.reset' }
  /** Open the slider that contains an element, at that element; for a slider's own group, at its first slide. */
  | { type: 'slider.open'; element_id: number }
  | { type: 'slider.next' | 'slider.previous' | 'slider.close' }
  /** The complete content of a group's feed. */
  | { type: 'feed'; element_id: number; items: readonly FeedItem[] }
  /** Another visitor's current position. */
  | PresenceInput;

/** Another visitor's position in room units. */
export interface PresenceInput {
  type: 'presence';
  ref: string;
  x: number;
  y: number;
  z: number;
  /** Element with `realtime` whose subject the position was sent under; the room if omitted. */
  element_id?: number;
  /** Heading in radians counterclockwise from −z; unknown if omitted. */
  heading?: number | undefined;
  /** Text of the marker's label; no label if omitted. */
  name?: string | undefined;
  /** Byte that selects the marker's color; derived from the reference if omitted. */
  tint?: number | undefined;
  /** Whether to place the marker without animation. */
  at_once?: boolean;
}
