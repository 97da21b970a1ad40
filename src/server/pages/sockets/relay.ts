/** Carries news between the servers of one installation. */
export interface Relay<T> {
  /** Whether the others can be reached now. */
  readonly isConnected: boolean;
  /** How often they could be reached again after they could not. */
  readonly reconnects: number;
  /** Tells the others; what cannot be told now is dropped, since something newer follows. */
  tell(channel: string, news: T): void;
  /** Hears of a channel from the others until the returned function is called. */
  follow(channel: string, hear: (news: T) => void): () => void;
  close(): Promise<void>;
}
