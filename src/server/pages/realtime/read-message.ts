import { z } from 'zod';
import { type EnterMessage, MAX_GUEST_NUMBER, type PositionMessage } from '../../../contract/presence-messages.ts';
import { readJson } from '../../core/read-json.ts';

/** Farthest that a visitor can be from the middle of a room, in units. */
const FARTHEST = 1_000_000;

/** A coordinate: whole units, whatever was sent. */
const coordinate = z.number().min(-FARTHEST).max(FARTHEST).transform(Math.floor);

/** A heading in radians: at most a whole turn either way. */
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

/** What a visitor sent; null when it is nothing that a visitor may send. */
export function readMessage(text: string): PositionMessage | EnterMessage | null {
  try {
    return messageSchema.parse(readJson(text));
  } catch {
    return null;
  }
}

/** Whether a message brings the token of a visit. */
export const isEnter = (message: PositionMessage | EnterMessage): message is EnterMessage =>
  message.subject === 'enter';
