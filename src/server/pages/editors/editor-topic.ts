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
  /** Whether the room was changed: what its log has is read. */
  isChanged: z.boolean().optional(),
  /** Editors who are connected to the server that tells. */
  editors: z.array(editorSchema).optional(),
  /** Those of them who left. */
  left: z.array(z.string().max(64)).optional(),
  /** Whether the sender wants to know who is there. */
  asks: z.boolean().optional(),
});

/** What servers tell each other about a room that is being edited. */
export type RoomTold = z.output<typeof newsSchema>;

export const editorTopic: Topic<RoomTold> = {
  prefix: 'enfilade.editors',
  read: (text) => readJsonAs(newsSchema, text),
  question: { asks: true },
};
