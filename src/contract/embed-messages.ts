/** A point of the room, in units. */
export interface EmbedPoint {
  x: number;
  y: number;
  z: number;
}

/** What a page may tell the room that it shows in a frame: an object, or the same as JSON text. */
export type EmbedCommand =
  /** Asks to be told when the room is ready, or now if it is. */
  | { type: 'connect' }
  | { type: 'view_point'; id: number }
  /** Moves the camera; without a position it turns where it is, without a target it keeps its direction. */
  | { type: 'camera'; position?: EmbedPoint; target?: EmbedPoint }
  | { type: 'camera.reset' }
  /** Without an element `mute` and `unmute` are for all of them. `value` is the second to seek. */
  | { type: 'media'; element_id?: number; action: 'play' | 'pause' | 'mute' | 'unmute' | 'seek'; value?: number }
  | { type: 'navigate'; slug_one: string; slug_two?: string }
  /** Opens a dialog: with a page in it, or with HTML. */
  | { type: 'modal'; url?: string; content?: string; title?: string }
  /** Goes into the analytics data layer. */
  | { type: 'event'; name: string; data?: Record<string, unknown> }
  /** Sets room time, from which it runs on. */
  | { type: 'time'; seconds: number }
  /** Puts other words in place of the viewer's own, by the keys of `src/contract/viewer-texts/en.ts`; at most 500 characters each. */
  | { type: 'texts'; texts: Record<string, string> };

/** A command whose sender wants an answer: `done` or `error` with the same `request`. */
export type EmbedRequest = EmbedCommand & { request?: string };

/** Why there is no room to be driven: none at its address, one behind a code, one that has not opened, or another fault. */
export type EmbedRefusal = 'missing' | 'protected' | 'waiting' | 'failed';
/** Why a command was not done: no room, or no message that can be read, or nothing in the room that it could be done to. */
export type EmbedErrorCode = EmbedRefusal | 'invalid' | 'refused';

/** What the room tells the page around it. */
export type EmbedEvent =
  /** An answer to `connect` while the room is on its way. */
  | { type: 'loading' }
  /** There is no room to be driven, for now: `ready` follows where a visitor enters after all. */
  | { type: 'refused'; code: EmbedRefusal; message: string }
  /** The room is there; also after a visitor went to another one. */
  | {
      type: 'ready';
      room_id: number;
      title: string;
      /** Public path of the structure. */
      path: string;
      view_points: { id: number; name: string }[];
    }
  | { type: 'view_point'; id: number }
  /** At most four times a second. */
  | { type: 'camera'; position: EmbedPoint; target: EmbedPoint }
  | { type: 'media'; element_id: number; action: string }
  | { type: 'navigate'; path: string }
  | { type: 'event'; name: string }
  | { type: 'error'; message: string; code?: EmbedErrorCode; element_id?: number | null; request?: string }
  | { type: 'done'; request: string };
