/** A visitor's position, sent or received: whole units of the room. */
export interface PositionMessage {
  /**
   * `position` for the connection's room, `position_{id}` for an element with its own presence. `position_{id}` with the
   * room's id also means the room; answers use `position`.
   */
  subject: string;
  data: {
    /** Random id of a visitor. */
    ref: string;
    position: { x: number; y: number; z: number };
    /** The visitor's heading: radians counterclockwise from −z, like an element's rotation about y; omitted if unknown. */
    heading?: number | undefined;
    /** Previous guest number, which the visitor gets again if it is free; only in sent messages. */
    guest?: number | undefined;
  };
}

/** First message of a visitor with an access token: the token of the visit. */
export interface EnterMessage {
  subject: 'enter';
  data: { token: string };
}

/** Answer to the first position in batched mode: the channel of this subject's frames, and the client's own slot. */
export interface JoinedMessage {
  subject: string;
  data: { channel: number; slot: number };
}

/** Close code when the server restarts (IANA's registry of WebSocket close codes); the client reconnects. */
export const RESTART_CODE = 1012;

/** Maximum guest number that a visitor can request. */
export const MAX_GUEST_NUMBER = 9999;

/** Path of the presence WebSocket: `mode=batch` for frames, `avatars=1` for frames with identities. */
export const REALTIME_PATH = '/realtime';
