import type { IncomingMessage } from 'node:http';
import { readHeading } from '../../../contract/presence-batch.ts';
import { type Measure, single } from '../../core/metrics.ts';
import type { Services } from '../../core/services.ts';
import { PublicWrites } from '../../features/visits/limits.ts';
import { Connections } from '../sockets/connections.ts';
import { NatsRelay } from '../sockets/nats-relay.ts';
import type { Relay } from '../sockets/relay.ts';
import { Channel, type Member } from './channel.ts';
import { type Caller, CLOSE, Connection, type Switchboard } from './connection.ts';
import { GuestNumbers } from './guest-numbers.ts';
import { type PresenceNews, presenceNews } from './news.ts';
import { RoomAccess } from './room-access.ts';

/** Subject of positions in the connection's room; those of elements have the element's id appended. */
const OF_ROOM = 'position';
/** Maximum message size in bytes. */
const MAX_MESSAGE_BYTES = 1024;
/** Milliseconds between checks for silent visitors and ended visits. */
const SWEEP = 1000;
/** Sweeps between pings. */
const CHECK_EVERY = 20;
/** Positions per message between servers: NATS accepts up to a megabyte. */
const NEWS_SIZE = 5000;

interface OpenChannel {
  channel: Channel;
  number: number;
  roomId: number;
  stop: () => void;
}

/** Visitor presence: connections and their channels, here and on other servers. */
export class Realtime implements Switchboard {
  readonly #access: RoomAccess;
  readonly #relay: Relay<PresenceNews> | null;
  readonly #logError: (error: unknown) => void;
  readonly #channels = new Map<string, OpenChannel>();
  readonly #numbers: number[] = [];
  /** Guest numbers of each room, and the number of its open channels. */
  readonly #guests = new Map<number, { numbers: GuestNumbers; channels: number }>();
  readonly connections: Connections<Connection>;
  readonly writes: PublicWrites;
  readonly #counts = { received: 0, dropped: 0 };
  readonly #timer: NodeJS.Timeout;
  #sweeping = false;
  #sweeps = 0;
  #sweptAt = performance.now();

  /** @param logError logs failures that no visitor can be told about */
  constructor(services: Services, logError: (error: unknown) => void) {
    this.#logError = logError;
    this.writes = new PublicWrites(services.clock, 'presence');
    this.#access = new RoomAccess(services, this.now);
    const { NATS_URL } = services.settings;
    this.connections = new Connections(MAX_MESSAGE_BYTES, services.settings);
    this.#relay = NATS_URL === undefined ? null : new NatsRelay(NATS_URL, presenceNews, logError);
    this.#timer = setInterval(() => void this.#sweep(), SWEEP).unref();
  }

  readonly now = (): number => performance.now();

  /** Accepts a WebSocket upgrade. */
  accept(caller: Caller, request: IncomingMessage, head: Buffer): void {
    this.connections.accept(request, head, (accepted) => new Connection(caller, accepted, this));
  }

  async channelFor(connection: Connection, subject: string): Promise<Channel | 'not allowed' | null> {
    const { organizationId, roomId: named } = connection.caller;
    const elementId = subject === OF_ROOM ? null : Number(subject.slice('position_'.length));
    const found = elementId === null ? named : await this.#access.roomOfElement(organizationId, elementId);
    // The room's own subject may contain the room's id, unless that is also the id of one of its elements.
    const isOwn = named !== null && named !== found && named === elementId;
    const roomId = isOwn ? named : found;
    if (roomId === null || (named !== null && named !== roomId)) return null;
    if (!(await this.#access.mayEnter(organizationId, roomId, connection.token))) return 'not allowed';
    connection.rooms.add(roomId);
    const known = isOwn ? OF_ROOM : subject;
    const channel = this.#channel(roomId, known);
    channel.await();
    return channel;
  }

  #channel(roomId: number, subject: string): Channel {
    const name = `${roomId}.${subject}`;
    const known = this.#channels.get(name);
    if (known) return known.channel;
    const number = this.#numbers.pop() ?? this.#channels.size;
    const tell = (seen: readonly Member[], gone: readonly string[]) => this.#tell(name, seen, gone);
    const channel = new Channel(number, subject, this.#guestsOf(roomId), tell, this.now);
    const stop = this.#relay?.follow(name, ({ seen = [], looks = [], gone = [], asks = false }) => {
      for (const [index, [ref, x, y, z]] of seen.entries()) {
        const [heading, guest] = looks[index] ?? [];
        channel.see({ ref, position: { x, y, z }, heading: readHeading(heading), guest });
      }
      for (const ref of gone) channel.leave(ref);
      if (asks) this.#tell(name, channel.locals(), []);
    });
    this.#channels.set(name, { channel, number, roomId, stop: stop ?? (() => undefined) });
    return channel;
  }

  /** Guest numbers of a room, for a new channel of it. */
  #guestsOf(roomId: number): GuestNumbers {
    const guests = this.#guests.get(roomId) ?? { numbers: new GuestNumbers(), channels: 0 };
    guests.channels++;
    this.#guests.set(roomId, guests);
    return guests.numbers;
  }

  #tell(name: string, members: readonly Member[], gone: readonly string[]): void {
    if (!this.#relay) return;
    if (gone.length > 0) this.#relay.tell(name, { gone: [...gone] });
    for (let from = 0; from < members.length; from += NEWS_SIZE) {
      const part = members.slice(from, from + NEWS_SIZE);
      this.#relay.tell(name, {
        seen: part.map(({ ref, position: { x, y, z } }) => [ref, x, y, z]),
        looks: part.map(({ heading, guest }) => [heading, guest.number]),
      });
    }
  }

  count(kind: 'received' | 'dropped'): void {
    this.#counts[kind]++;
  }

  closed(connection: Connection): void {
    this.connections.remove(connection);
  }

  failed(error: unknown): void {
    this.#logError(error);
  }

  async #sweep(): Promise<void> {
    const now = this.now();
    const late = Math.max(0, now - this.#sweptAt - SWEEP);
    this.#sweptAt = now;
    // The database may take longer than a sweep.
    if (this.#sweeping) return;
    this.#sweeping = true;
    const isCheck = ++this.#sweeps % CHECK_EVERY === 0;
    for (const [name, { channel, number, roomId, stop }] of this.#channels) {
      channel.sweep(late);
      if (channel.localCount > 0 || channel.isJoining) continue;
      channel.close();
      stop();
      this.#channels.delete(name);
      this.#numbers.push(number);
      const guests = this.#guests.get(roomId)!;
      if (--guests.channels === 0) this.#guests.delete(roomId);
    }
    try {
      for (const connection of this.connections) {
        if (isCheck) connection.check();
        await this.#checkRooms(connection);
      }
    } catch (error) {
      // Admitted visitors stay while the database is unavailable.
      this.#logError(error);
    } finally {
      this.#sweeping = false;
    }
  }

  /** Closes a connection whose visit has ended, or whose room is no longer shown. */
  async #checkRooms(connection: Connection): Promise<void> {
    for (const roomId of connection.rooms) {
      if (await this.#access.mayEnter(connection.caller.organizationId, roomId, connection.token)) continue;
      connection.end(CLOSE.notAllowed, 'This visit has ended.');
      return;
    }
  }

  /** Relay to other servers; null if there are none. */
  get relay(): Relay<PresenceNews> | null {
    return this.#relay;
  }

  /** Metrics. */
  measures(): Measure[] {
    const counts = this.#counts;
    const relay = this.#relay;
    return [
      single('realtime_connections', 'gauge', 'Connected visitors.', () => this.connections.size),
      single('realtime_messages_total', 'counter', 'Messages from visitors.', () => counts.received),
      single(
        'realtime_messages_dropped_total',
        'counter',
        'Messages from visitors that were dropped.',
        () => counts.dropped,
      ),
      single('realtime_relay_connected', 'gauge', 'Whether NATS is connected.', () =>
        relay ? Number(relay.isConnected) : null,
      ),
      single('realtime_relay_reconnects_total', 'counter', 'Reconnections to NATS.', () => relay?.reconnects ?? null),
    ];
  }

  /** Asks all clients to reconnect, to this server or another one, and closes. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.connections.end(CLOSE.restart, 'The server is restarting.');
    for (const { channel } of this.#channels.values()) channel.close();
    await this.#relay?.close();
  }
}
