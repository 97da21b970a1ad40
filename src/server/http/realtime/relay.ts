import { z } from 'zod';

/** A position as servers tell it to each other: reference, then x, y and z in whole units. */
const seenSchema = z.tuple([z.string().max(64), z.int(), z.int(), z.int()]);

const newsSchema = z.object({
  /** Visitors who said where they are. */
  seen: z.array(seenSchema).default([]),
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
  /** Tells the others; what can't be told now is dropped, since a newer position follows. */
  tell(channel: string, news: Partial<News>): void;
  /** Hears of a channel from the others until the returned function is called. */
  follow(channel: string, hear: (news: News) => void): () => void;
  close(): Promise<void>;
}
