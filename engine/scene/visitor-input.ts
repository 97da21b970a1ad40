/** One item of a feed, as a group shows it. */
export interface FeedItem {
  /** Address of the picture; empty for an item of words alone. */
  file_url: string;
  /** Sides of the picture in pixels, where they are known: it keeps their ratio. */
  width?: number;
  height?: number;
  title?: string;
  text?: string;
  author?: string;
  date?: string;
}

/** To and from the players of sounds and videos. `at` in seconds of the file. */
export type MediaInput =
  | { type: 'play' | 'pause' | 'toggle' | 'mute' | 'unmute'; element_id: number }
  | { type: 'seek'; element_id: number; at: number }
  /** From 0 to 100; 100 when absent. */
  | { type: 'volume'; element_id: number; volume?: number }
  | { type: 'fullpage'; element_id: number; on: boolean }
  /** It was pressed; one with the setting `fullscreen` opens over the whole page. */
  | { type: 'select'; element_id: number }
  /** The player came to the end of its file. */
  | { type: 'ended'; element_id: number }
  /** The browser refused to play it with sound. */
  | { type: 'refused'; element_id: number }
  /** The player plays `at` this second; told as often as the viewer likes. */
  | { type: 'progress'; element_id: number; at: number }
  | { type: 'mute_all' | 'unmute_all' }
  /** How loud everything is, from 0 to 100: each volume is that part of itself. */
  | { type: 'volume_all'; volume: number }
  /** The browser left full screen. */
  | { type: 'leave_fullscreen' };

/** What a visitor did, or a player, a loader or another visitor reports, since the last tick. */
export type VisitorInput =
  /**
   * The visitor entered the room: what plays by itself may begin, and others may see the visitor. `day_start`: UTC second
   * of the day at room time 0, where that is not known before.
   */
  | { type: 'entered'; day_start?: number | undefined }
  | MediaInput
  | { type: 'popup.dismiss' }
  /** Clip `n` of a stream has been loaded and plays for `duration` seconds. */
  | { type: 'motion.loaded'; element_id: number; n: number; duration: number }
  /** To a view point. */
  | { type: 'go_to'; element_id: number }
  | { type: 'camera.reset' }
  /** Opens the slider that holds an element, at that element; or a slider's own group, at its first slide. */
  | { type: 'slider.open'; element_id: number }
  | { type: 'slider.next' | 'slider.previous' | 'slider.close' }
  /** Everything that a group's feed now holds. */
  | { type: 'feed'; element_id: number; items: readonly FeedItem[] }
  /** Another visitor, seen now. */
  | PresenceInput;

/** Where another visitor is, in units of the room. */
export interface PresenceInput {
  type: 'presence';
  ref: string;
  x: number;
  y: number;
  z: number;
  /** Element with `realtime` to which the position belongs; the room's own unless given. */
  element_id?: number;
  /** Where the visitor looks: radians counterclockwise from −z; not known unless given. */
  heading?: number | undefined;
  /** What the marker's label says; none unless given. */
  name?: string | undefined;
  /** Byte from which the marker has its color; that of the reference unless given. */
  tint?: number | undefined;
  /** Whether the marker is there at once, without gliding. */
  at_once?: boolean;
}
