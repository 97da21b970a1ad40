import { z } from 'zod';

/** Largest number as a guest that servers tell each other. */
const MOST_GUESTS = 1_000_000;

/** A position as servers tell it to each other: reference, then x, y and z in whole units. */
const seenSchema = z.tuple([z.string().max(64), z.int(), z.int(), z.int()]);

/** Where a visitor looks, as frames have it, and its number as a guest. */
const lookSchema = z.tuple([z.int().min(0).max(255), z.int().min(1).max(MOST_GUESTS)]);

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
export type News = z.output<typeof newsSchema>;

/** Reads what another server told; null when it is nothing that we understand. */
export function readNews(text: string): News | null {
  try {
    return newsSchema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

/** Carries news between the servers of one installation. */
export interface Relay {
  /** Whether the others can be reached now. */
  readonly isConnected: boolean;
  /** How often they could be reached again after they could not. */
  readonly reconnects: number;
  /** Tells the others; what cannot be told now is dropped, since a newer position follows. */
  tell(channel: string, news: Partial<News>): void;
  /** Hears of a channel from the others until the returned function is called. */
  follow(channel: string, hear: (news: News) => void): () => void;
  close(): Promise<void>;
}
