import type { IncomingMessage } from 'node:http';
import { EDITOR_CLOSE, type EditorMessage, MAX_EDITOR_MESSAGE_BYTES } from '../../../contract/editor-messages.ts';
import { ApiError } from '../../../contract/errors.ts';
import { type Measure, single } from '../../core/metrics.ts';
import { isSuspension } from '../../core/organization-state.ts';
import type { Services } from '../../core/services.ts';
import { claimClient } from '../../features/rooms/client-claims.ts';
import { findRoom } from '../../features/rooms/queries.ts';
import type { Session } from '../../features/users/api-keys.ts';
import { databaseFor } from '../../features/users/limits.ts';
import { findSignIn, peekSession } from '../../features/users/sessions.ts';
import { Connections } from '../sockets/connections.ts';
import { NatsRelay } from '../sockets/nats-relay.ts';
import type { Relay } from '../sockets/relay.ts';
import { EditedRoom } from './edited-room.ts';
import { type Admitted, EditorConnection, noPresence } from './editor-connection.ts';
import { editorTopic, type RoomTold } from './editor-topic.ts';

/** Milliseconds between presence broadcasts. */
const TICK = 100;
/** Milliseconds between checks of rights and missed entries. */
const SWEEP = 1000;
/** Sweeps between pings, and between announcements to other servers. */
const CHECK_EVERY = 10;
/** Timeout of the first message in milliseconds. */
const FIRST_MESSAGE = 10_000;

interface OpenRoom {
  room: EditedRoom;
  stop: () => void;
}

const SUSPENDED = 'This organization is suspended.';

const isAdmitted = (connection: EditorConnection): connection is EditorConnection & { admitted: Admitted } =>
  connection.admitted !== null;

/** All connected editors by room, here and on other servers. */
export class Editors {
  readonly #services: Services;
  readonly #logError: (error: unknown) => void;
  readonly #relay: Relay<RoomTold> | null;
  readonly #rooms = new Map<number, OpenRoom>();
  readonly connections: Connections<EditorConnection>;
  readonly #timers: NodeJS.Timeout[];
  readonly #stopHearing: () => void;
  #isSweeping = false;
  #sweeps = 0;

  /** @param logError logs failures that no caller handles */
  constructor(services: Services, logError: (error: unknown) => void) {
    this.#services = services;
    this.#logError = logError;
    const { NATS_URL } = services.settings;
    this.connections = new Connections(MAX_EDITOR_MESSAGE_BYTES, services.settings);
    this.#relay = NATS_URL === undefined ? null : new NatsRelay(NATS_URL, editorTopic, logError);
    this.#stopHearing = services.roomNews.hear((roomId, entry) => {
      this.#rooms.get(roomId)?.room.send(entry);
      this.#relay?.tell(String(roomId), { isChanged: true });
    });
    const tick = setInterval(() => {
      for (const { room } of this.#rooms.values()) room.emitPresences();
    }, TICK);
    this.#timers = [tick.unref(), setInterval(() => void this.#sweep(), SWEEP).unref()];
  }

  readonly now = (): number => performance.now();

  /** Accepts a WebSocket upgrade. */
  accept(roomId: number, address: string, request: IncomingMessage, head: Buffer): void {
    this.connections.accept(request, head, (accepted) => {
      const connection = new EditorConnection(roomId, address, accepted, this);
      const late = setTimeout(() => {
        if (!connection.admitted) connection.cut();
      }, FIRST_MESSAGE);
      accepted.ws.on('close', () => clearTimeout(late));
      return connection;
    });
  }

  opened(connection: EditorConnection, message: EditorMessage & { type: 'open' }): void {
    this.#admit(connection, message).catch((error: unknown) => {
      if (isSuspension(error)) return connection.end(EDITOR_CLOSE.suspended, SUSPENDED);
      this.#logError(error);
      connection.cut();
    });
  }

  async #admit(connection: EditorConnection, message: EditorMessage & { type: 'open' }): Promise<void> {
    const { db, clock } = this.#services;
    const session = await peekSession(db, clock, message.token);
    if (!session || session.user.needsSecondFactor)
      return connection.end(EDITOR_CLOSE.signedOut, 'You are not signed in.');
    const { policies } = session.user;
    if (!policies.rooms.view_any)
      return connection.end(EDITOR_CLOSE.forbidden, "You don't have permission to see this space.");
    const row = await findRoom(databaseFor(db, session.user), session.organizationId, connection.roomId);
    if (!row) return connection.end(EDITOR_CLOSE.gone, 'Space not found.');
    const { organizationId } = session;
    const claim = { clock, organizationId, roomId: row.id, client: message.client, userId: session.user.userId };
    try {
      await claimClient(db, claim);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return connection.end(EDITOR_CLOSE.taken, error.message);
    }
    if (!connection.isOpen) return;
    const room = this.#room(row.id);
    connection.admitted = {
      client: message.client,
      user: session.user,
      mayEdit: policies.rooms.update,
      color: room.colorFor(session.user.userId),
      presence: noPresence(),
      seq: message.after,
    };
    if (isAdmitted(connection)) room.join(connection, row.seq);
  }

  #room(id: number): EditedRoom {
    const known = this.#rooms.get(id);
    if (known) return known.room;
    const channel = String(id);
    const tell = (told: RoomTold) => this.#relay?.tell(channel, told);
    const room = new EditedRoom(id, this.#services.db, tell, this.#logError);
    const stop = this.#relay?.follow(channel, (told) => room.hear(told, this.now())) ?? (() => undefined);
    this.#rooms.set(id, { room, stop });
    return room;
  }

  closed(connection: EditorConnection): void {
    if (!this.connections.remove(connection)) return;
    const open = this.#rooms.get(connection.roomId);
    if (!open || !isAdmitted(connection)) return;
    open.room.leave(connection);
    if (!open.room.isEmpty) return;
    open.stop();
    this.#rooms.delete(connection.roomId);
  }

  async #sweep(): Promise<void> {
    // The database may take longer than a sweep.
    if (this.#isSweeping) return;
    this.#isSweeping = true;
    const isCheck = ++this.#sweeps % CHECK_EVERY === 0;
    if (isCheck) this.connections.check();
    try {
      const signIns = new Map<string, Promise<Session | null>>();
      for (const { room } of [...this.#rooms.values()]) {
        room.dropUnheard(this.now());
        if (isCheck) room.notifyAll();
        await this.#checkRights(room, signIns);
        // Another server may have changed it without being able to notify.
        room.pump();
      }
    } catch (error) {
      // Admitted editors stay while the database is unavailable.
      this.#logError(error);
    } finally {
      this.#isSweeping = false;
    }
  }

  /** Closes connections of editors who may no longer see a room, and updates the rights of the others. */
  async #checkRights(room: EditedRoom, signIns: Map<string, Promise<Session | null>>): Promise<void> {
    const { db, clock } = this.#services;
    for (const connection of [...room.connections]) {
      const { admitted } = connection;
      const { session: family } = admitted.user;
      if (!signIns.has(family)) signIns.set(family, findSignIn(db, clock, family));
      const session = await signIns.get(family)!.catch((error: unknown) => {
        if (isSuspension(error)) return 'suspended' as const;
        throw error;
      });
      if (session === 'suspended') connection.end(EDITOR_CLOSE.suspended, SUSPENDED);
      else if (!session) connection.end(EDITOR_CLOSE.signedOut, 'You are no longer signed in.');
      else if (!session.user.policies.rooms.view_any)
        connection.end(EDITOR_CLOSE.forbidden, 'You no longer have permission to see this space.');
      else if (!(await findRoom(databaseFor(db, session.user), session.organizationId, room.id)))
        connection.end(EDITOR_CLOSE.gone, 'This space has been removed.');
      else if (admitted.mayEdit !== session.user.policies.rooms.update) {
        admitted.mayEdit = session.user.policies.rooms.update;
        connection.send({ type: 'rights', mayEdit: admitted.mayEdit });
      }
    }
  }

  measures(): Measure[] {
    return [single('editor_connections', 'gauge', 'Open editors.', () => this.connections.size)];
  }

  /** Asks all clients to reconnect, to this server or another one, and closes. */
  async close(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    this.#stopHearing();
    await this.connections.end(EDITOR_CLOSE.restart, 'The server is restarting.');
    await this.#relay?.close();
  }
}
