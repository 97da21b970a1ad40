import { connect, type NatsConnection, type NodeConnectionOptions } from '@nats-io/transport-node';
import type { Relay } from './relay.ts';

/** Milliseconds between reconnection attempts. */
const NATS_RETRY = 500;
/** Milliseconds between pings. */
const PING = 2000;

/** Client options for an address with a user name and password, or a token. */
function optionsOf(address: string): NodeConnectionOptions {
  const { protocol, host, username, password } = new URL(address);
  const user = decodeURIComponent(username);
  const pass = decodeURIComponent(password);
  return {
    servers: host,
    ...(user && (pass ? { user, pass } : { token: user })),
    ...(protocol === 'tls:' && { tls: {} }),
  };
}

/** A kind of message that a relay carries. */
export interface Topic<T> {
  /** Prefix of its channel names. */
  prefix: string;
  /** Parses a message; null if it is not understood. */
  read(text: string): T | null;
  /** Message published when a subscription starts, and after each reconnection. */
  question: T;
}

/**
 * Relays messages over NATS. The server may be unreachable at startup or at any time: the client reconnects and
 * resubscribes.
 */
export class NatsRelay<T> implements Relay<T> {
  readonly #topic: Topic<T>;
  readonly #followed = new Map<string, (news: T) => void>();
  readonly #stops = new Map<string, () => void>();
  readonly #logError: (error: unknown) => void;
  readonly #connecting: Promise<NatsConnection | null>;
  #connection: NatsConnection | undefined;
  #closed = false;
  isConnected = false;
  reconnects = 0;

  /** @param address `nats://` or `tls://`, with a user name and password or a token if required */
  constructor(address: string, topic: Topic<T>, logError: (error: unknown) => void) {
    this.#topic = topic;
    this.#logError = logError;
    this.#connecting = connect({
      ...optionsOf(address),
      name: 'enfilade',
      noEcho: true,
      waitOnFirstConnect: true,
      maxReconnectAttempts: -1,
      reconnectTimeWait: NATS_RETRY,
      pingInterval: PING,
      maxPingOut: 2,
    }).then(
      (connection) => this.#begin(connection),
      (error: unknown) => {
        if (!this.#closed) logError(error);
        return null;
      },
    );
  }

  #begin(connection: NatsConnection): NatsConnection {
    this.#connection = connection;
    this.isConnected = true;
    void this.#watch(connection);
    for (const [channel, hear] of this.#followed) this.#subscribe(channel, hear);
    return connection;
  }

  async #watch(connection: NatsConnection): Promise<void> {
    for await (const { type } of connection.status()) {
      if (type === 'disconnect') this.isConnected = false;
      if (type !== 'reconnect') continue;
      this.isConnected = true;
      this.reconnects++;
      for (const channel of this.#followed.keys()) this.tell(channel, this.#topic.question);
    }
    this.isConnected = false;
  }

  #subscribe(channel: string, hear: (news: T) => void): void {
    const subscription = this.#connection!.subscribe(`${this.#topic.prefix}.${channel}`, {
      callback: (error, message) => {
        if (error) {
          this.#logError(error);
          return;
        }
        const news = this.#topic.read(message.string());
        if (news) hear(news);
      },
    });
    this.#stops.set(channel, () => subscription.unsubscribe());
    this.tell(channel, this.#topic.question);
  }

  tell(channel: string, news: T): void {
    // While disconnected, the client would buffer messages and later send outdated positions.
    if (this.isConnected) this.#connection?.publish(`${this.#topic.prefix}.${channel}`, JSON.stringify(news));
  }

  follow(channel: string, hear: (news: T) => void): () => void {
    this.#followed.set(channel, hear);
    if (this.#connection) this.#subscribe(channel, hear);
    return () => {
      this.#followed.delete(channel);
      this.#stops.get(channel)?.();
      this.#stops.delete(channel);
    };
  }

  async close(): Promise<void> {
    this.#closed = true;
    // A connection that was never established needs no closing.
    await this.#connection?.close();
    if (!this.#connection) void this.#connecting.then((connection) => connection?.close());
  }
}
