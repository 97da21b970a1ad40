/** Relays messages between the servers of an installation. */
export interface Relay<T> {
  /** Whether other servers can be reached. */
  readonly isConnected: boolean;
  /** Number of reconnections. */
  readonly reconnects: number;
  /** Publishes to other servers; dropped while disconnected, since a newer message follows. */
  tell(channel: string, news: T): void;
  /** Subscribes to a channel; returns a function that unsubscribes. */
  follow(channel: string, hear: (news: T) => void): () => void;
  close(): Promise<void>;
}
