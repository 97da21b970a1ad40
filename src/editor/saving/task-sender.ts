import type { ElementFields, RoomFields } from '../../../engine/document/commands.ts';
import { type ByPath, byPath, changedPaths, fieldsByPath, isSame } from '../../../engine/document/field-paths.ts';
import { findElement } from '../../../engine/document/tree.ts';
import type { Client } from '../../contract/client.ts';
import type { AdminRoom, ElementRow } from '../../contract/entities.ts';
import { ApiError } from '../../contract/errors.ts';
import type { DocumentStore } from '../session/document-store.ts';
import { isAnswerOf, isDerived } from './conflict.ts';
import type { QueueEntry } from './kept-queue.ts';
import { linksTo } from './links-to.ts';
import type { Outcome, SaveQueue } from './save-queue.ts';
import { aboutOf, remapTask, type SaveTask, speaksOf } from './save-task.ts';
import { elementBodyOf, sendTask } from './send-task.ts';
import { fieldsOfRow, roomFieldsOf, roomOf, type ServerState } from './server-state.ts';

/** What the server fills in after an edit of other fields. */
const FILLED_IN = [
  'file',
  'visible_between',
  'utc_offset',
  'config.file_url',
  'config.mime',
  'template',
  'config.realtime_file',
];

/** What sending needs of the rest of the saving. */
export interface SenderOptions {
  client: Client;
  roomId: number;
  server: ServerState;
  document(): DocumentStore;
  queue(): SaveQueue;
  /** Told that somebody else changed a thing between two of our calls. */
  onOthers(name: string): void;
  /** Somebody else changed what is to be changed. */
  onStale(entry: QueueEntry): Promise<Outcome>;
  /** Somebody else removed what is to be changed. */
  onGone(entry: QueueEntry): Promise<Outcome>;
}

const isError = (error: unknown, code: string) => error instanceof ApiError && error.code === code;

const withStamp = (entry: QueueEntry, stamp: string): QueueEntry =>
  entry.stamp === stamp ? entry : { ...entry, stamp };

/** Paths of an element, or of the room for null, that entries of the queue will still set. */
function waitingPaths(entries: readonly QueueEntry[], id: number | null): Set<string> {
  const paths = new Set<string>();
  for (const { task } of entries) {
    if (id === null ? task.kind !== 'room' : !aboutOf(task).includes(id)) continue;
    if ('fields' in task) for (const path of Object.keys(byPath(task.fields))) paths.add(path);
    if (task.kind === 'hide') paths.add('hidden');
  }
  return paths;
}

/** Makes the calls of the queue's entries, and takes over what the server says to them. */
export class TaskSender {
  readonly #options: SenderOptions;

  constructor(options: SenderOptions) {
    this.#options = options;
  }

  /** Sends an entry. @throws what the call threw, where nobody but time or a person can help */
  async send(entry: QueueEntry): Promise<Outcome> {
    const { kind } = entry.task;
    try {
      if (kind === 'add') await this.#add(entry);
      else if (kind === 'order') await this.#order(entry);
      else await this.#change(entry);
      return 'done';
    } catch (error) {
      if (isError(error, 'stale')) return this.#options.onStale(entry);
      if (!isError(error, 'not_found') || kind === 'room' || kind === 'add') throw error;
      return kind === 'remove' ? this.#removed(entry.task) : this.#options.onGone(entry);
    }
  }

  /** A task in the server's ids; links to what it does not have yet lead nowhere until it has. */
  outward(task: SaveTask): SaveTask {
    const { ids } = this.#options.server;
    return remapTask(task, { get: (id) => ids.there(id) });
  }

  async #change({ task, stamp }: QueueEntry): Promise<void> {
    const { client, roomId } = this.#options;
    const sent = this.outward(task);
    const { element, room } = await sendTask(client, roomId, sent, stamp);
    if (task.kind === 'remove') this.#removed(task);
    if (element) this.#takeElement(task, element, 'fields' in sent ? byPath(sent.fields) : {});
    if (room && sent.kind === 'room') this.#takeRoom(room, byPath(sent.fields));
  }

  async #add(entry: QueueEntry): Promise<void> {
    const { client, roomId, server, queue } = this.#options;
    const { task } = entry;
    const sent = this.outward(task);
    if (task.kind !== 'add' || sent.kind !== 'add') return;
    const body = elementBodyOf(sent.element);
    let row = entry.sentAfter === undefined ? undefined : await this.#findLost(body, entry.sentAfter);
    if (!row) {
      const sentAfter = server.highest;
      // Noted before it is sent: if the answer is lost, what was added is looked for instead of being added again.
      await queue().rewrite((other) => (other.seq === entry.seq ? { ...other, sentAfter } : other));
      row = (await sendTask(client, roomId, sent)).element!;
    }
    server.ids.set(task.element.id, row.id);
    this.#takeElement(task, row, byPath(body));
    this.#renewLinks(task.element.id);
    // What waits is kept in the server's ids, which from now on are known.
    void queue().rewrite((other) => (speaksOf(other.task, task.element.id) ? { ...other } : other));
  }

  /** The element that an unanswered call has added after all. */
  async #findLost(body: object, after: number): Promise<ElementRow | undefined> {
    const { client, roomId } = this.#options;
    const rows = await client.elements.list({ query: { room_id: roomId } });
    return rows.find((row) => row.id > after && isAnswerOf(body, row));
  }

  async #order({ task }: QueueEntry): Promise<void> {
    const { client, roomId } = this.#options;
    const sent = this.outward(task);
    if (sent.kind !== 'order') return;
    try {
      await sendTask(client, roomId, sent);
    } catch (error) {
      if (!isError(error, 'invalid')) throw error;
      // Others removed or moved some of them; the order of the rest still counts.
      const rows = await client.elements.list({ query: { room_id: roomId } });
      const there = new Set(rows.filter((row) => row.parent_element_id === sent.parent).map(({ id }) => id));
      const ids = sent.ids.filter((id) => there.has(id));
      if (ids.length > 0) await sendTask(client, roomId, { ...sent, ids });
    }
  }

  #removed(task: SaveTask): Outcome {
    const { server } = this.#options;
    for (const id of aboutOf(task)) {
      const there = server.ids.there(id);
      if (there !== null) server.forget(there);
      server.ids.forget(id);
    }
    return 'done';
  }

  /** Takes over a row: its version, and what the server made of what was sent. */
  #takeElement(task: SaveTask, row: ElementRow, sent: ByPath): void {
    const { server, document, queue, onOthers } = this.#options;
    const id = server.ids.here(row.id);
    const known = server.row(row.id);
    const waiting = waitingPaths(queue().others, id);
    const foreign = known
      ? this.#foreign(fieldsOfRow(known, server.ids), fieldsOfRow(row, server.ids), task, sent)
      : [];
    // What waits was made on the version before theirs; it is refused when it comes, and then a person decides.
    if (foreign.some((path) => waiting.has(path))) return;
    server.note(row);
    void queue().rewrite((entry) =>
      entry.task.kind === 'update' && entry.task.id === id && (entry.stamp || task.kind === 'add')
        ? withStamp(entry, row.updated_at)
        : entry,
    );
    const element = findElement(document().room.elements, id);
    if (!element) return;
    const fields = this.#news(element, byPath(fieldsOfRow(row, server.ids)), {
      raw: byPath(row),
      sent,
      foreign,
      waiting,
    });
    if (fields) document().adopt([{ type: 'element.update', id, fields: fields as ElementFields }]);
    if (foreign.length > 0) onOthers(element.name || 'An element');
  }

  #takeRoom(answer: AdminRoom, sent: ByPath): void {
    const { server, document, queue, onOthers } = this.#options;
    const [was, is] = [roomFieldsOf(roomOf(server.room), server.ids), roomFieldsOf(roomOf(answer), server.ids)];
    const foreign = this.#foreign(was, is, undefined, sent);
    server.room = answer;
    void queue().rewrite((entry) =>
      entry.task.kind === 'room' && entry.stamp ? withStamp(entry, answer.updated_at) : entry,
    );
    const waiting = waitingPaths(queue().others, null);
    const fields = this.#news(document().room, byPath(is), { raw: byPath(roomOf(answer)), sent, foreign, waiting });
    if (fields) document().adopt([{ type: 'room.update', fields: fields as RoomFields }]);
    if (foreign.length > 0) onOthers('The space');
  }

  /** Paths that somebody else changed since the server was last heard. */
  #foreign(was: object, is: object, task: SaveTask | undefined, sent: ByPath): string[] {
    const own = new Set(Object.keys(sent));
    if (task?.kind === 'hide') own.add('hidden');
    return Object.keys(changedPaths(was, is)).filter((path) => !isDerived(path) && !own.has(path));
  }

  /** The fields of the document that an answer changes; null where there are none. */
  #news(
    thing: object,
    answer: ByPath,
    { raw, sent, foreign, waiting }: { raw: ByPath; sent: ByPath; foreign: string[]; waiting: Set<string> },
  ): object | null {
    const now = byPath(thing);
    const corrected = Object.keys(sent).filter((path) => !isSame(raw[path], sent[path]));
    const paths = new Set([...corrected, ...foreign, ...FILLED_IN.filter((path) => path in now && path in answer)]);
    const changed = [...paths].filter((path) => !waiting.has(path) && !isSame(now[path], answer[path]));
    if (changed.length === 0) return null;
    return fieldsByPath(Object.fromEntries(changed.map((path) => [path, answer[path] ?? null])));
  }

  /** What links to an element that has just got its id was saved without the link, or with an id of before. */
  #renewLinks(id: number): void {
    const { document, queue, server } = this.#options;
    const isToBeAdded = new Set(queue().entries.flatMap(({ task }) => (task.kind === 'add' ? [task.element.id] : [])));
    for (const command of linksTo(document().room, id)) {
      if (command.type === 'room.update')
        queue().push({ kind: 'room', fields: command.fields, before: command.fields }, server.room.updated_at);
      else if (command.type === 'element.update' && !isToBeAdded.has(command.id))
        queue().push(
          { kind: 'update', id: command.id, fields: command.fields, before: command.fields },
          this.timestampOf(command.id),
        );
    }
  }

  /** The version of an element on which an edit of it is made now. */
  timestampOf(id: number): string | undefined {
    const { server } = this.#options;
    const there = server.ids.there(id);
    return there === null ? undefined : server.row(there)?.updated_at;
  }

  /** A task in the server's ids where there are any, in the document's where not. */
  inKnownIds(task: SaveTask): SaveTask {
    return remapTask(task, this.#options.server.ids.outward);
  }
}
