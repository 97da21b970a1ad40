import { z } from 'zod';
import type { Topic } from '../sockets/nats-relay.ts';
import { readJsonAs } from '../sockets/read-json-as.ts';

/** Maximum guest number in messages between servers. */
const MAX_GUESTS = 1_000_000;

/** A position in messages between servers: reference, then x, y and z in whole units. */
const seenSchema = z.tuple([z.string().max(64), z.int(), z.int(), z.int()]);

/** A visitor's quantized heading and guest number. */
const lookSchema = z.tuple([z.int().min(0).max(255), z.int().min(1).max(MAX_GUESTS)]);

const newsSchema = z.object({
  /** Visitors with a new position. */
  seen: z.array(seenSchema).default([]),
  /** Headings and numbers in the same order; servers of earlier versions neither send nor read them. */
  looks: z.array(lookSchema).default([]),
  /** References of visitors who left. */
  gone: z.array(z.string().max(64)).default([]),
  /** Whether the sender requests the present visitors. */
  asks: z.boolean().default(false),
});

/** A message between servers about a channel. */
export type PresenceNews = Partial<z.output<typeof newsSchema>>;

/** Messages between servers about a channel. */
export const presenceNews: Topic<PresenceNews> = {
  prefix: 'enfilade.presence',
  read: (text) => readJsonAs(newsSchema, text),
  question: { asks: true },
};
