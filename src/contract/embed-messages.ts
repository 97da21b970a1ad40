/** A point in the room, in units. */
export interface EmbedPoint {
  x: number;
  y: number;
  z: number;
}

/** A message from the embedding page to the room: an object, or the same as a JSON string. */
export type EmbedCommand =
  /** Requests `ready` when the room is ready, or immediately if it already is. */
  | { type: 'connect' }
  | { type: 'view_point'; id: number }
  /** Moves the camera. Without a position it only turns; without a target it keeps its direction. */
  | { type: 'camera'; position?: EmbedPoint; target?: EmbedPoint }
  | { type: 'camera.reset' }
  /** Controls media; without an element, `mute` and `unmute` apply to all. `value` is the second to seek to. */
  | { type: 'media'; element_id?: number; action: 'play' | 'pause' | 'mute' | 'unmute' | 'seek'; value?: number }
  | { type: 'navigate'; slug_one: string; slug_two?: string }
  /** Opens a dialog with a page or with HTML. */
  | { type: 'modal'; url?: string; content?: string; title?: string }
  /** Pushes to the analytics data layer. */
  | { type: 'event'; name: string; data?: Record<string, unknown> }
  /** Sets the room time, which continues from there. */
  | { type: 'time'; seconds: number }
  /**
   * Allows or refuses third-party content: all of it, or by host, such as `youtube.com`. Refused content that has loaded
   * is unloaded. `others` decides about all hosts that an object doesn't list.
   */
  | { type: 'consent'; hosts: boolean | Record<string, boolean>; others?: boolean }
  /**
   * Overrides viewer texts by the keys of `src/contract/viewer-texts/en.ts`, at most 500 characters each; one with
   * plural forms for all numbers.
   */
  | { type: 'texts'; texts: Record<string, string> };

/** A command with a request id is answered by `done` or `error` with the same `request`. */
export type EmbedRequest = EmbedCommand & { request?: string };

/** Why there is no room to control: no room at its URL, an access token is required, not open yet, or another error. */
export type EmbedRefusal = 'missing' | 'protected' | 'waiting' | 'failed';
/** Why a command failed: no room, an invalid message, or nothing in the room that it applies to. */
export type EmbedErrorCode = EmbedRefusal | 'invalid' | 'refused';

/** A message from the room to the embedding page. */
export type EmbedEvent =
  /** Answer to `connect` while the room is loading. */
  | { type: 'loading' }
  /** There is no room to control yet; `ready` follows if a visitor enters later. */
  | { type: 'refused'; code: EmbedRefusal; message: string }
  /** The room is ready; sent again when a visitor goes to another room. */
  | {
      type: 'ready';
      room_id: number;
      title: string;
      /** Public path of the structure. */
      path: string;
      /** Third parties of the room, for the page's consent manager; missing if they load as specified. */
      third_parties?: { host: string; name: string; allowed: boolean }[];
      view_points: { id: number; name: string }[];
    }
  | { type: 'view_point'; id: number }
  /** Sent at most four times a second. */
  | { type: 'camera'; position: EmbedPoint; target: EmbedPoint }
  | { type: 'media'; element_id: number; action: string }
  | { type: 'navigate'; path: string }
  /** The visitor has entered the room. */
  | { type: 'entered'; path: string }
  /** The visitor pressed an element that opens something: a link, a door, media, a dialog, slides or a view point. */
  | { type: 'opened'; element_id: number; name: string }
  | { type: 'event'; name: string }
  /** The visitor allowed or refused third-party content, by host. */
  | { type: 'consent'; hosts: Readonly<Record<string, boolean>> }
  | { type: 'error'; message: string; code?: EmbedErrorCode; element_id?: number | null; request?: string }
  | { type: 'done'; request: string };
