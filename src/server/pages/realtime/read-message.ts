import { z } from 'zod';
import { type EnterMessage, MAX_GUEST_NUMBER, type PositionMessage } from '../../../contract/presence-messages.ts';
import { readJson } from '../../core/read-json.ts';

/** Maximum distance of a visitor from a room's center, in units. */
const FARTHEST = 1_000_000;

/** A coordinate, rounded down to whole units. */
const coordinate = z.number().min(-FARTHEST).max(FARTHEST).transform(Math.floor);

/** A heading in radians: at most a full turn either way. */
const heading = z
  .number()
  .min(-2 * Math.PI)
  .max(2 * Math.PI);

const positionSchema: z.ZodType<PositionMessage> = z.object({
  subject: z.string().regex(/^position(?:_[1-9]\d{0,9})?$/),
  data: z.object({
    ref: z.string().regex(/^[\w.:-]{1,64}$/),
    position: z.object({ x: coordinate, y: coordinate, z: coordinate }),
    heading: heading.optional(),
    guest: z.int().min(1).max(MAX_GUEST_NUMBER).optional(),
  }),
});

const enterSchema: z.ZodType<EnterMessage> = z.object({
  subject: z.literal('enter'),
  data: z.object({ token: z.string().min(1).max(256) }),
});

const messageSchema = z.union([positionSchema, enterSchema]);

/** Parses a visitor's message; null if it is invalid. */
export function readMessage(text: string): PositionMessage | EnterMessage | null {
  try {
    return messageSchema.parse(readJson(text));
  } catch {
    return null;
  }
}

/** Whether a message contains a visit token. */
export const isEnter = (message: PositionMessage | EnterMessage): message is EnterMessage =>
  message.subject === 'enter';
