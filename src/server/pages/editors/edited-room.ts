import { EDITOR_COLORS, type EditorServerMessage, type OtherEditor } from '../../../contract/editor-messages.ts';
import type { RoomLogEntry } from '../../../contract/entities.ts';
import type { Database } from '../../core/db/database.ts';
import { asLogEntry, findBaseSeq, findCounts, listEntries } from '../../features/rooms/log-queries.ts';
import { jsonFrame } from '../sockets/socket-frame.ts';
import type { Admitted, EditorConnection } from './editor-connection.ts';
import type { RoomTold } from './editor-topic.ts';

/** Log entries per read, and maximum lag of an editor before it has to reload the room. */
const ENTRIES = 100;
const MAX_BEHIND = 2000;
/** Milliseconds of silence after which an editor of another server counts as disconnected. */
const UNHEARD = 25_000;

type Opened = EditorConnection & { admitted: Admitted };

export const otherOf = ({ client, user, color, presence }: Admitted): OtherEditor => ({
  client,
  user: { id: user.userId, name: user.name },
  color,
  presence,
});

/** A room with its open editors: broadcasts log entries in order, and presences. */
export class EditedRoom {
  readonly id: number;
  readonly #db: Database;
  readonly #tell: (told: RoomTold) => void;
  readonly #failed: (error: unknown) => void;
  readonly #connections = new Set<Opened>();
  readonly #others = new Map<string, { editor: OtherEditor; heardAt: number }>();
  #pumping: Promise<void> | null = null;
  #isStale = false;
  /** Version of the files and streams that the editors have been told of; null before the first read. */
  #touches: number | null = null;

  constructor(id: number, db: Database, tell: (told: RoomTold) => void, failed: (error: unknown) => void) {
    this.id = id;
    this.#db = db;
    this.#tell = tell;
    this.#failed = failed;
  }

  get isEmpty(): boolean {
    return this.#connections.size === 0;
  }

  get connections(): ReadonlySet<Opened> {
    return this.#connections;
  }

  /** The least used color: the user's own if it is free. */
  colorFor(userId: number): number {
    const used = [...this.#editors()].map(({ color }) => color);
    const wanted = Array.from({ length: EDITOR_COLORS }, (_, step) => (userId + step) % EDITOR_COLORS);
    const counts = wanted.map((color) => used.filter((other) => other === color).length);
    return wanted[counts.indexOf(Math.min(...counts))]!;
  }

  *#editors(): Generator<OtherEditor> {
    for (const { admitted } of this.#connections) yield otherOf(admitted);
    for (const { editor } of this.#others.values()) yield editor;
  }

  /**
   * Adds an editor, sends it the present editors, and the entries since its version. @param seq current sequence number
   * of the log
   */
  join(connection: Opened, seq: number): void {
    const { admitted } = connection;
    // A reconnecting editor's old connection may still be open.
    for (const other of this.#connections) if (other.admitted.client === admitted.client) other.cut();
    const editors = [...this.#editors()].filter(({ client }) => client !== admitted.client);
    connection.send({ type: 'opened', seq, color: admitted.color, mayEdit: admitted.mayEdit, editors });
    this.#connections.add(connection);
    this.#broadcast({ type: 'editor', editor: otherOf(admitted) }, connection);
    this.#tell({ editors: [otherOf(admitted)] });
    this.pump();
  }

  leave(connection: Opened): void {
    if (!this.#connections.delete(connection)) return;
    const { client } = connection.admitted;
    if ([...this.#connections].some(({ admitted }) => admitted.client === client)) return;
    this.#broadcast({ type: 'left', client });
    this.#tell({ left: [client] });
  }

  #broadcast(news: EditorServerMessage, except?: EditorConnection): void {
    const frame = jsonFrame(news);
    for (const connection of this.#connections) if (connection !== except) connection.sendFrame(frame);
  }

  /** Broadcasts the presences that changed since the last time. */
  emitPresences(): void {
    const moved = [...this.#connections].filter(({ isDirty }) => isDirty);
    if (moved.length === 0) return;
    for (const connection of moved) {
      connection.isDirty = false;
      this.#broadcast({ type: 'editor', editor: otherOf(connection.admitted) }, connection);
    }
    this.#tell({ editors: moved.map(({ admitted }) => otherOf(admitted)) });
  }

  /** Handles a message from another server. */
  hear({ isChanged, editors = [], left = [], asks }: RoomTold, now: number): void {
    if (isChanged) this.pump();
    for (const editor of editors) {
      this.#others.set(editor.client, { editor, heardAt: now });
      this.#broadcast({ type: 'editor', editor });
    }
    for (const client of left) this.#forget(client);
    if (asks) this.notifyAll();
  }

  /** Announces this server's editors to the other servers. */
  notifyAll(): void {
    if (!this.isEmpty) this.#tell({ editors: [...this.#connections].map(({ admitted }) => otherOf(admitted)) });
  }

  #forget(client: string): void {
    if (this.#others.delete(client)) this.#broadcast({ type: 'left', client });
  }

  /** Drops editors of servers that are gone. */
  dropUnheard(now: number): void {
    for (const [client, { heardAt }] of this.#others) if (now - heardAt > UNHEARD) this.#forget(client);
  }

  /**
   * Sends a new log entry to the editors who have all earlier ones. The others catch up from the log.
   */
  send(entry: RoomLogEntry): void {
    if (this.#sendNext(entry)) this.pump();
  }

  /** Sends an entry to each editor that it is the next one for. @returns whether an editor misses earlier ones */
  #sendNext(entry: RoomLogEntry): boolean {
    const frame = jsonFrame({ type: 'entry', entry } satisfies EditorServerMessage);
    let isMissing = false;
    for (const connection of this.#connections) {
      const { admitted } = connection;
      if (admitted.seq < entry.seq - 1) isMissing = true;
      if (admitted.seq !== entry.seq - 1) continue;
      admitted.seq = entry.seq;
      connection.sendFrame(frame);
    }
    return isMissing;
  }

  /** Sends every editor its missing log entries. */
  pump(): void {
    this.#isStale = true;
    this.#pumping ??= this.#pump()
      .catch((error: unknown) => this.#failed(error))
      .finally(() => {
        this.#pumping = null;
      });
  }

  async #pump(): Promise<void> {
    while (this.#isStale && !this.isEmpty) {
      this.#isStale = false;
      while (await this.#sendSome());
    }
  }

  /** Sends a batch of log entries. @returns whether there may be more */
  async #sendSome(): Promise<boolean> {
    const last = await this.#reloadLate();
    if (this.isEmpty) return false;
    const from = Math.min(...[...this.#connections].map(({ admitted }) => admitted.seq));
    if (from >= last) return false;
    const entries = await listEntries(this.#db, this.id, { after: from, limit: ENTRIES });
    for (const row of entries) this.#sendNext(asLogEntry(row));
    return entries.length === ENTRIES;
  }

  /**
   * Makes editors reload the room if the log doesn't reach back far enough, or they lag too far behind.
   * @returns sequence number of the last entry
   */
  async #reloadLate(): Promise<number> {
    const base = (await findBaseSeq(this.#db, this.id)) ?? 0;
    const counts = await findCounts(this.#db, this.id);
    if (counts === undefined) return 0;
    const { seq: last, touches } = counts;
    if (this.#touches !== null && this.#touches !== touches) this.#broadcast({ type: 'files' });
    this.#touches = touches;
    for (const connection of this.#connections) {
      const { admitted } = connection;
      if (admitted.seq >= base && admitted.seq <= last && last - admitted.seq <= MAX_BEHIND) continue;
      admitted.seq = last;
      connection.send({ type: 'reload', seq: last });
    }
    return last;
  }
}
