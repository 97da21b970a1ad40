import { EDITOR_COLORS, type EditorServerMessage, type OtherEditor } from '../../../contract/editor-messages.ts';
import type { Database } from '../../core/db/database.ts';
import { asLogEntry, findBaseSeq, findSeq, listEntries } from '../../features/rooms/log-queries.ts';
import type { Admitted, EditorConnection } from './editor-connection.ts';
import type { RoomTold } from './editor-topic.ts';

/** Entries that are read at once, and by how many an editor may be behind before it has to read the room anew. */
const ENTRIES = 100;
const MAX_BEHIND = 2000;
/** Milliseconds after which an editor of another server, of whom nothing is heard, is gone. */
const UNHEARD = 25_000;

type Opened = EditorConnection & { admitted: Admitted };

export const otherOf = ({ client, user, color, presence }: Admitted): OtherEditor => ({
  client,
  user: { id: user.userId, name: user.name },
  color,
  presence,
});

/** A room with its open editors: what its log gets is sent to all in order, and they see one another. */
export class EditedRoom {
  readonly id: number;
  readonly #db: Database;
  readonly #tell: (told: RoomTold) => void;
  readonly #failed: (error: unknown) => void;
  readonly #connections = new Set<Opened>();
  /** Editors of other servers. */
  readonly #others = new Map<string, { editor: OtherEditor; heardAt: number }>();
  #pumping: Promise<void> | null = null;
  #isStale = false;

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

  /** The color that the fewest have: one's own where it is free. */
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

  /** Lets an editor in, tells it who is here, and sends it what came since. @param seq present place in the log */
  join(connection: Opened, seq: number): void {
    const { admitted } = connection;
    // One that comes back has not always been noticed to have gone.
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
    const text = JSON.stringify(news);
    for (const connection of this.#connections) if (connection !== except) connection.sendText(text);
  }

  /** Tells of the presences that changed since the last time. */
  emitPresences(): void {
    const moved = [...this.#connections].filter(({ isDirty }) => isDirty);
    if (moved.length === 0) return;
    for (const connection of moved) {
      connection.isDirty = false;
      this.#broadcast({ type: 'editor', editor: otherOf(connection.admitted) }, connection);
    }
    this.#tell({ editors: moved.map(({ admitted }) => otherOf(admitted)) });
  }

  /** Takes up what another server tells. */
  hear({ isChanged, editors = [], left = [], asks }: RoomTold, now: number): void {
    if (isChanged) this.pump();
    for (const editor of editors) {
      this.#others.set(editor.client, { editor, heardAt: now });
      this.#broadcast({ type: 'editor', editor });
    }
    for (const client of left) this.#forget(client);
    if (asks) this.notifyAll();
  }

  /** Tells the other servers who is connected to this one. */
  notifyAll(): void {
    if (!this.isEmpty) this.#tell({ editors: [...this.#connections].map(({ admitted }) => otherOf(admitted)) });
  }

  #forget(client: string): void {
    if (this.#others.delete(client)) this.#broadcast({ type: 'left', client });
  }

  /** Forgets editors of servers that are gone. */
  forgetUnheard(now: number): void {
    for (const [client, { heardAt }] of this.#others) if (now - heardAt > UNHEARD) this.#forget(client);
  }

  /** Sends every editor what the log has that it has not got. */
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

  /** Sends some of what the log has. @returns whether there may be more */
  async #sendSome(): Promise<boolean> {
    await this.#reloadLate();
    if (this.isEmpty) return false;
    const from = Math.min(...[...this.#connections].map(({ admitted }) => admitted.seq));
    const entries = await listEntries(this.#db, this.id, { after: from, limit: ENTRIES });
    for (const row of entries) {
      const text = JSON.stringify({ type: 'entry', entry: asLogEntry(row) } satisfies EditorServerMessage);
      for (const connection of this.#connections) {
        if (connection.admitted.seq !== row.seq - 1) continue;
        connection.admitted.seq = row.seq;
        connection.sendText(text);
      }
    }
    return entries.length === ENTRIES;
  }

  /** Has those read the room anew for whom the log does not reach back, or who are far behind. */
  async #reloadLate(): Promise<void> {
    const base = (await findBaseSeq(this.#db, this.id)) ?? 0;
    const last = await findSeq(this.#db, this.id);
    if (last === undefined) return;
    for (const connection of this.#connections) {
      const { admitted } = connection;
      if (admitted.seq >= base && admitted.seq <= last && last - admitted.seq <= MAX_BEHIND) continue;
      admitted.seq = last;
      connection.send({ type: 'reload', seq: last });
    }
  }
}
