import { z } from 'zod';
import { coordinate, id } from '../../engine/document/fields.ts';
import type { RoomLogEntry } from './entities.ts';

/** Where the connection of an open editor is opened; the room's id stands behind it. */
export const EDITORS_PATH = '/editors';

/** Largest message of an editor in characters. */
export const MAX_EDITOR_MESSAGE_BYTES = 16_384;

/** Colors of editors, by their number: told apart on dark and light, for most color blindness, too. */
export const EDITOR_COLORS = 8;

const point = z.tuple([coordinate, coordinate, coordinate]);

/** What others see of an editor: never stored, and told at most ten times a second. */
export const editorPresenceSchema = z.strictObject({
  /** Elements that are selected. */
  selection: z.array(id).max(100).default([]),
  /** Where the pointer is over the canvas: from the eye, and the point that it points at; in units of the room. */
  pointer: z.strictObject({ from: point, towards: point }).nullable().default(null),
  /** Elements that are being changed, with numbers by their paths as they would be, such as `position_x` and `config.distance`. */
  moving: z
    .array(z.strictObject({ id, fields: z.record(z.string().max(60), z.number()) }))
    .max(50)
    .default([]),
  /** More elements than that, which are moved, turned or sized as one. */
  together: z
    .strictObject({
      /** Number of the gesture, by which the one that began elsewhere is told from this. */
      gesture: z.int().min(0),
      /** Ids as spans, from and till, in ascending order. */
      ids: z
        .array(z.tuple([id, id]))
        .min(1)
        .max(400),
      /** Where the first one of them stood when it began, units. */
      start: point,
      /** What moves them in the room: a matrix of four by four, column by column. */
      matrix: z.array(z.number()).length(16),
    })
    .nullable()
    .default(null),
  /** Element whose text is being written: others leave it alone. */
  writing: id.nullable().default(null),
  /** Where the eye is and what it looks at, for whoever follows. */
  camera: z.strictObject({ position: point, target: point }).nullable().default(null),
});
export type EditorPresence = z.output<typeof editorPresenceSchema>;

/** What an editor sends: first `open`, then `presence` whenever it changes. */
export const editorMessageSchema = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('open'),
    /** Session token, as calls have it. */
    token: z.string().min(1).max(4096),
    /** Name of the program, the same as in its calls. */
    client: z.string().min(1).max(64),
    /** Last place in the log that it has. */
    after: z.int().min(0),
  }),
  z.strictObject({ type: z.literal('presence'), presence: editorPresenceSchema }),
]);
export type EditorMessage = z.output<typeof editorMessageSchema>;

/** Somebody who edits the same space. */
export interface OtherEditor {
  client: string;
  user: { id: number; name: string };
  /** Number of its color, from 0 to below `EDITOR_COLORS`. */
  color: number;
  presence: EditorPresence;
}

/** What the server sends. */
export type EditorNews =
  /** Answer to `open`: who else is here, and whether this user may change the space. Entries after the named place follow. */
  | { type: 'opened'; seq: number; color: number; mayEdit: boolean; editors: OtherEditor[] }
  /** What changed the space, one's own changes included; in order, without gaps. */
  | { type: 'entry'; entry: RoomLogEntry }
  /** The log does not reach back to the place that was named, or what follows is too much: read the space anew. */
  | { type: 'reload'; seq: number }
  | { type: 'editor'; editor: OtherEditor }
  | { type: 'left'; client: string }
  | { type: 'rights'; mayEdit: boolean };

/** With what a connection is closed. */
export const EDITOR_CLOSE = {
  /** What was sent is nothing that an editor may send. */
  notAllowed: 1008,
  /** The server restarts: open it again. */
  restart: 1012,
  /** The session has ended: sign in again. */
  signedOut: 4401,
  /** The user may no longer see the space. */
  forbidden: 4403,
  /** The space was removed. */
  gone: 4404,
  /** The client number belongs to another user: choose another one. */
  taken: 4409,
} as const;
