import { z } from 'zod';
import { EDITOR_COLORS, editorPresenceSchema } from '../../../contract/editor-messages.ts';
import type { Topic } from '../sockets/nats-relay.ts';
import { readJsonAs } from '../sockets/read-json-as.ts';

const editorSchema = z.object({
  client: z.string().max(64),
  user: z.object({ id: z.int(), name: z.string().max(255) }),
  color: z
    .int()
    .min(0)
    .max(EDITOR_COLORS - 1),
  presence: editorPresenceSchema,
});

const newsSchema = z.object({
  /** Whether the room has changed: receivers then read its log. */
  isChanged: z.boolean().optional(),
  /** Editors connected to the sending server. */
  editors: z.array(editorSchema).optional(),
  /** Editors who left. */
  left: z.array(z.string().max(64)).optional(),
  /** Whether the sender requests the presences of all servers. */
  asks: z.boolean().optional(),
});

/** Messages between servers about a room that is being edited. */
export type RoomTold = z.output<typeof newsSchema>;

export const editorTopic: Topic<RoomTold> = {
  prefix: 'enfilade.editors',
  read: (text) => readJsonAs(newsSchema, text),
  question: { asks: true },
};
