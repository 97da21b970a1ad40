import { z } from 'zod';
import { coordinate, id } from '../../engine/document/fields.ts';
import type { RoomLogEntry } from './entities.ts';

/** Path of an editor's WebSocket; the room's id follows. */
export const EDITORS_PATH = '/realtime/editors';

/** Maximum size of an editor's message, in characters. */
export const MAX_EDITOR_MESSAGE_BYTES = 16_384;

/** Number of editor colors, distinguishable on dark and light backgrounds and with most kinds of color blindness. */
export const EDITOR_COLORS = 8;

const point = z.tuple([coordinate, coordinate, coordinate]);

/** An editor's presence for the others: not stored, sent at most ten times a second. */
export const editorPresenceSchema = z.strictObject({
  /** Selected elements. */
  selection: z.array(id).max(100).default([]),
  /** The pointer's ray over the canvas: from the eye to the target, in units of the room. */
  pointer: z.strictObject({ from: point, towards: point }).nullable().default(null),
  /** Elements being changed, with the new numbers by path, such as `position_x` and `config.distance`. */
  moving: z
    .array(z.strictObject({ id, fields: z.record(z.string().max(60), z.number()) }))
    .max(50)
    .default([]),
  /** More elements than `moving` allows, transformed as one. */
  together: z
    .strictObject({
      /** Number of the gesture, to distinguish it from the previous one. */
      gesture: z.int().min(0),
      /** Id ranges, both ends inclusive, in ascending order. */
      ids: z
        .array(z.tuple([id, id]))
        .min(1)
        .max(400),
      /** Start position of the first element, in units. */
      start: point,
      /** The transform in room space: a 4 × 4 matrix in column-major order. */
      matrix: z.array(z.number()).length(16),
    })
    .nullable()
    .default(null),
  /** Element whose text is being edited; others can't edit it. */
  writing: id.nullable().default(null),
  /** Camera position and target, for followers. */
  camera: z.strictObject({ position: point, target: point }).nullable().default(null),
});
export type EditorPresence = z.output<typeof editorPresenceSchema>;

/** Messages from an editor: first `open`, then `presence` on every change. */
export const editorMessageSchema = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('open'),
    /** Session token, as in calls. */
    token: z.string().min(1).max(4096),
    /** Name of the client, as in its calls. */
    client: z.string().min(1).max(64),
    /** Last sequence number that it received from the log. */
    after: z.int().min(0),
  }),
  z.strictObject({ type: z.literal('presence'), presence: editorPresenceSchema }),
]);
export type EditorMessage = z.output<typeof editorMessageSchema>;

/** Another editor of the same space. */
export interface OtherEditor {
  client: string;
  user: { id: number; name: string };
  /** Color number, below `EDITOR_COLORS`. */
  color: number;
  presence: EditorPresence;
}

/** Messages from the server. */
export type EditorServerMessage =
  /**
   * Answer to `open`: the other editors, and whether this user may change the space. Log entries after the given sequence
   * number follow.
   */
  | { type: 'opened'; seq: number; color: number; mayEdit: boolean; editors: OtherEditor[] }
  /** Changes to the space, the client's own included, in order and without gaps. */
  | { type: 'entry'; entry: RoomLogEntry }
  /** The log doesn't reach back to the given sequence number, or too many entries follow: reload the space. */
  | { type: 'reload'; seq: number }
  /** A file or live stream may have been replaced: read the files of the space again. */
  | { type: 'files' }
  | { type: 'editor'; editor: OtherEditor }
  | { type: 'left'; client: string }
  | { type: 'rights'; mayEdit: boolean };

/** WebSocket close codes. */
export const EDITOR_CLOSE = {
  /** Invalid message. */
  notAllowed: 1008,
  /** The server is restarting: reconnect. */
  restart: 1012,
  /** The organization is suspended: reconnect later. */
  suspended: 1013,
  /** The session has ended: sign in again. */
  signedOut: 4401,
  /** The user may no longer see the space. */
  forbidden: 4403,
  /** The space was deleted. */
  gone: 4404,
  /** The client number belongs to another user: choose another one. */
  taken: 4409,
} as const;
