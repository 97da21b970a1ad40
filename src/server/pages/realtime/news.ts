import { z } from 'zod';
import type { Topic } from '../sockets/nats-relay.ts';
import { readJsonAs } from '../sockets/read-json-as.ts';

/** Largest number as a guest that servers tell each other. */
const MAX_GUESTS = 1_000_000;

/** A position as servers tell it to each other: reference, then x, y and z in whole units. */
const seenSchema = z.tuple([z.string().max(64), z.int(), z.int(), z.int()]);

/** Where a visitor looks, as frames have it, and its number as a guest. */
const lookSchema = z.tuple([z.int().min(0).max(255), z.int().min(1).max(MAX_GUESTS)]);

const newsSchema = z.object({
  /** Visitors who said where they are. */
  seen: z.array(seenSchema).default([]),
  /** More about each of them, in the same order; servers of earlier versions neither tell nor read it. */
  looks: z.array(lookSchema).default([]),
  /** References of visitors who left. */
  gone: z.array(z.string().max(64)).default([]),
  /** Whether the sender wants to know who is there. */
  asks: z.boolean().default(false),
});

/** What one server tells the others about a channel. */
export type PresenceNews = Partial<z.output<typeof newsSchema>>;

/** What servers tell each other about a channel. */
export const presenceNews: Topic<PresenceNews> = {
  prefix: 'enfilade.presence',
  read: (text) => readJsonAs(newsSchema, text),
  question: { asks: true },
};
