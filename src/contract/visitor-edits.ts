import type { RoomCommand } from '../../engine/document/commands.ts';

/** Where a visitor's page hears of edits of the room that it shows. */
export const VISITOR_EDITS_PATH = '/realtime/edits';

/** The one message of a visitor's page: what it shows. */
export interface VisitorOpening {
  /** Public address of the structure. */
  path: string;
  /** Token of the visit; null where the structure asks for none. */
  token: string | null;
  /** Names what the page shows of the room, as the answer said that brought it. */
  tag: string;
}

/** What the server sends. */
export type VisitorNews =
  /** What makes out of the state `from` the state `to`, without anything that is hidden. */
  | { type: 'edits'; from: string; to: string; commands: RoomCommand[] }
  /** What the page shows is not known, or another space stands there now: read the structure again. */
  | { type: 'reload'; to: string };

/** With what a connection is closed. */
export const VISITOR_EDITS_CLOSE = {
  /** What was sent is nothing that a page may send. */
  notAllowed: 1008,
  /** The server restarts: open it again. */
  restart: 1012,
  /** The structure is no longer open to this visitor. */
  closed: 4403,
} as const;
