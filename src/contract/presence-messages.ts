/** Another visitor's position or one's own, as it travels: whole units of the room. */
export interface PositionMessage {
  /**
   * `position` for the room of the connection, `position_{id}` for an element of its own. The room's number in place of an
   * element's means the room too; answers come under `position`.
   */
  subject: string;
  data: {
    /** Random reference of a visitor. */
    ref: string;
    position: { x: number; y: number; z: number };
    /** Where the visitor looks: radians counterclockwise from −z, like an element's turn about y; left out by who does not say. */
    heading?: number | undefined;
    /** Number as a guest that the visitor had before, which it gets again where it is free; sent only. */
    guest?: number | undefined;
  };
}

/** First message of a visitor who comes with a code: the token of the visit. */
export interface EnterMessage {
  subject: 'enter';
  data: { token: string };
}

/** Answer to a first position in the batched form: which frames are of this subject, and which slot is one's own. */
export interface JoinedMessage {
  subject: string;
  data: { channel: number; slot: number };
}

/** With what a connection is closed whose server restarts (IANA's registry of WebSocket close codes): to be opened again. */
export const RESTART_CODE = 1012;

/** Largest number as a guest that a visitor may ask for. */
export const MAX_GUEST_NUMBER = 9999;

/** Where the connection is opened: with `mode=batch` for frames, and `avatars=1` for those that say who visitors are. */
export const REALTIME_PATH = '/realtime';
