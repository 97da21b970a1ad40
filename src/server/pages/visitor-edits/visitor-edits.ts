import type { IncomingMessage } from 'node:http';
import { VISITOR_EDITS_CLOSE, type VisitorMessage } from '../../../contract/visitor-edits.ts';
import { type Measure, single } from '../../core/metrics.ts';
import type { PageServices } from '../../features/visits/read-visit.ts';
import { editorTopic, type RoomTold } from '../editors/editor-topic.ts';
import { Connections } from '../sockets/connections.ts';
import { NatsRelay, type Topic } from '../sockets/nats-relay.ts';
import type { Relay } from '../sockets/relay.ts';
import { ShownStructure } from './shown-structure.ts';
import { VisitorConnection } from './visitor-connection.ts';

/** Minimum pause in milliseconds between reads of an edited structure; slow reads pause ten times their duration. */
const PAUSE = 200;
const SLOWNESS = 10;
/**
 * Milliseconds between reads of all structures, for changes without a message, such as another template or a
 * publication.
 */
const SWEEP = 3000;
/** Sweeps between pings. */
const CHECK_EVERY = 5;
/** Timeout of the first message in milliseconds. */
const FIRST_MESSAGE = 10_000;
/** Maximum message size in bytes. */
const MAX_MESSAGE_BYTES = 8192;

/** Messages between servers about edited rooms; only the fact of a change matters here, and nothing is requested. */
const topic: Topic<RoomTold> = { ...editorTopic, question: {} };

interface Shown {
  structure: ShownStructure;
  /** Whether it is being read, and whether it has to be read again afterwards. */
  isReading: boolean;
  isStale: boolean;
}

/** Sends visitors' pages the edits of their rooms. */
export class VisitorEdits {
  readonly #services: PageServices;
  readonly #logError: (error: unknown) => void;
  readonly #relay: Relay<RoomTold> | null;
  readonly #shown = new Map<string, Shown>();
  /** Keys of the structures that pages show. */
  readonly #keys = new Map<VisitorConnection, string>();
  /** Unsubscribes from a room's messages of other servers, by room id. */
  readonly #followed = new Map<number, () => void>();
  readonly connections: Connections<VisitorConnection>;
  readonly #timer: NodeJS.Timeout;
  readonly #stopHearing: () => void;
  #sweeps = 0;

  /** @param logError logs failures that no caller handles */
  constructor(services: PageServices, logError: (error: unknown) => void) {
    this.#services = services;
    this.#logError = logError;
    const { NATS_URL } = services.settings;
    this.connections = new Connections(MAX_MESSAGE_BYTES, services.settings);
    this.#relay = NATS_URL === undefined ? null : new NatsRelay(NATS_URL, topic, logError);
    this.#stopHearing = services.roomNews.hear((roomId) => this.#changed(roomId));
    this.#timer = setInterval(() => this.#sweep(), SWEEP).unref();
  }

  /** Accepts a WebSocket upgrade. */
  accept(organizationId: number, address: string, request: IncomingMessage, head: Buffer): void {
    this.connections.accept(request, head, (accepted) => {
      const connection = new VisitorConnection(organizationId, address, accepted, this);
      const late = setTimeout(() => {
        if (!connection.opening) connection.cut();
      }, FIRST_MESSAGE);
      accepted.ws.on('close', () => clearTimeout(late));
      return connection;
    });
  }

  opened(connection: VisitorConnection, opening: VisitorMessage): void {
    this.#join(connection, opening).then(
      () => this.#follow(),
      (error: unknown) => {
        this.#logError(error);
        connection.cut();
      },
    );
  }

  /** Adds a page to those of the structure in the language that it is served in, which may not be the one it names. */
  async #join(connection: VisitorConnection, { path, language, tag }: VisitorMessage): Promise<void> {
    const { organizationId } = connection;
    const keyOf = (served: string | undefined) => `${organizationId} ${path} ${served ?? ''}`;
    let key = keyOf(language);
    let shown = this.#shown.get(key);
    if (!shown) {
      const structure = new ShownStructure(this.#services, organizationId, path.split('/').slice(1), language);
      key = keyOf(await structure.settle());
      if (!connection.isOpen) return;
      shown = this.#shown.get(key) ?? { structure, isReading: false, isStale: false };
      this.#shown.set(key, shown);
    }
    this.#keys.set(connection, key);
    await shown.structure.join(connection, tag);
  }

  closed(connection: VisitorConnection): void {
    if (!this.connections.remove(connection)) return;
    const key = this.#keys.get(connection);
    if (key === undefined) return;
    this.#keys.delete(connection);
    const shown = this.#shown.get(key);
    shown?.structure.leave(connection);
    if (!shown?.structure.isEmpty) return;
    this.#shown.delete(key);
    this.#follow();
  }

  /** Subscribes to messages of other servers about the shown rooms only. */
  #follow(): void {
    if (!this.#relay) return;
    const wanted = new Set([...this.#shown.values()].flatMap(({ structure }) => structure.roomId ?? []));
    for (const [roomId, stop] of this.#followed) {
      if (wanted.has(roomId)) continue;
      stop();
      this.#followed.delete(roomId);
    }
    for (const roomId of wanted) {
      if (this.#followed.has(roomId)) continue;
      const stop = this.#relay.follow(String(roomId), ({ isChanged }) => isChanged && this.#changed(roomId));
      this.#followed.set(roomId, stop);
    }
  }

  #changed(roomId: number): void {
    for (const shown of this.#shown.values()) if (shown.structure.roomId === roomId) this.#read(shown);
  }

  /** Reads a structure immediately, and again after a pause if it changed meanwhile. */
  #read(shown: Shown): void {
    shown.isStale = true;
    if (shown.isReading) return;
    shown.isReading = true;
    void this.#readAll(shown).finally(() => {
      shown.isReading = false;
    });
  }

  async #readAll(shown: Shown): Promise<void> {
    while (shown.isStale && !shown.structure.isEmpty) {
      shown.isStale = false;
      const began = performance.now();
      try {
        await shown.structure.refresh();
      } catch (error) {
        // The database is unavailable: the next sweep tries again.
        this.#logError(error);
      }
      const pause = Math.max(PAUSE, (performance.now() - began) * SLOWNESS);
      await new Promise((resolve) => setTimeout(resolve, pause).unref());
    }
  }

  #sweep(): void {
    if (++this.#sweeps % CHECK_EVERY === 0) this.connections.check();
    for (const shown of this.#shown.values()) this.#read(shown);
    this.#follow();
  }

  measures(): Measure[] {
    return [
      single('visitor_edit_connections', 'gauge', 'Pages of visitors that receive edits.', () => this.connections.size),
    ];
  }

  /** Asks all clients to reconnect, to this server or another one, and closes. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#stopHearing();
    await this.connections.end(VISITOR_EDITS_CLOSE.restart, 'The server is restarting.');
    await this.#relay?.close();
  }
}
