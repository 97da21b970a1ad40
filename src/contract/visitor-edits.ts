import type { RoomCommand } from '../../engine/document/commands.ts';

/** Path of the WebSocket that sends edits of the room to visitors' pages. */
export const VISITOR_EDITS_PATH = '/realtime/edits';

/** The only message from a visitor's page: the state it shows. */
export interface VisitorMessage {
  /** Public address of the structure. */
  path: string;
  /** Token of the visit; null if the structure requires none. */
  token: string | null;
  /** Tag of the room state that the page shows, from the response that contained it. */
  tag: string;
  /** Language of that state, from the same response; left out if the space states none. */
  language?: string | undefined;
}

/** Messages from the server. */
export type VisitorServerMessage =
  /** Edits from state `from` to state `to`, without hidden elements. */
  | { type: 'edits'; from: string; to: string; commands: RoomCommand[] }
  /** The page's state is unknown, or the structure shows another space or language now: reload the structure. */
  | { type: 'reload'; to: string };

/** WebSocket close codes. */
export const VISITOR_EDITS_CLOSE = {
  /** Invalid message. */
  notAllowed: 1008,
  /** The server is restarting: reconnect. */
  restart: 1012,
  /** The organization is suspended: reconnect later. */
  suspended: 1013,
  /** The structure is no longer open to this visitor. */
  closed: 4403,
} as const;
