import { action, computed, makeObservable, observable, observableRef, runInAction } from 'mobx';
import type { ElementFields, RoomCommand } from '../../../engine/document/commands.ts';
import { byPath, fieldsByPath } from '../../../engine/document/field-paths.ts';
import type { Room } from '../../../engine/document/room.ts';
import { findElement, placeInTree, walk } from '../../../engine/document/tree.ts';
import type { Client } from '../../contract/client.ts';
import type { ElementRow } from '../../contract/entities.ts';
import { ApiError } from '../../contract/errors.ts';
import type { DocumentStore } from '../session/document-store.ts';
import type { Edit } from '../session/edit.ts';
import { type Conflict, type FieldConflict, fieldConflicts, type Side } from './conflict.ts';
import { Follower } from './follower.ts';
import type { KeptQueue, QueueEntry } from './kept-queue.ts';
import { type Outcome, SaveQueue } from './save-queue.ts';
import { aboutOf, type SaveTask, tasksOf } from './save-task.ts';
import { fieldsOfRow, roomFieldsOf, roomOf, type ServerState } from './server-state.ts';
import { TaskSender } from './task-sender.ts';
import { nameOfElement } from './thing-names.ts';
import { whoChanged } from './who-changed.ts';

/** What saving needs from outside. */
export interface SavingOptions {
  client: Client;
  roomId: number;
  server: ServerState;
  kept: KeptQueue;
  userId: number;
  /** Newest entry of the change log before the room was loaded; null for whoever may not read it. */
  seen: number | null;
  /** Says something to the person that needs no answer. */
  tell(text: string, offer?: { label: string; act(): void }): void;
  /** Milliseconds before a failed call is made again. */
  pauses?: readonly number[];
}

/** A change that the server refused. */
type Refusal = Conflict & { kind: 'refused' };

/** What a person is deciding about: the entry that was refused, and the version that is on the server now. */
interface Open {
  seq: number;
  stamp: string;
  /** Takes the version that is on the server now as the one that was last heard of. */
  note(): void;
}

const countOf = (count: number) => `${count} ${count === 1 ? 'change' : 'changes'}`;

/** Saves the document in the background, in order, and says how far it is. */
export class SavingStore {
  readonly queue: SaveQueue;
  readonly server: ServerState;
  readonly follower: Follower;
  readonly #options: SavingOptions;
  readonly #sender: TaskSender;
  #document: DocumentStore | null = null;
  #open: Open | null = null;
  /** What holds everything until a person decides. */
  held: Conflict | null = null;
  /** What the server refused; the rest goes on meanwhile. */
  refusals: readonly Refusal[] = [];
  /** Whether the person wants to see what is to be decided. */
  isAsked = false;

  constructor(options: SavingOptions) {
    const { client, roomId, server, kept, pauses, tell, userId, seen } = options;
    this.#options = options;
    this.server = server;
    this.queue = new SaveQueue({
      kept,
      ...(pauses && { pauses }),
      send: (entry) => this.#sender.send(entry),
      refuse: (entry, error) => this.#refuse(entry, error),
      keptForm: (task) => this.#keptForm(task),
    });
    const document = () => this.#attached;
    this.#sender = new TaskSender({
      client,
      roomId,
      server,
      document,
      queue: () => this.queue,
      onOthers: (name) => tell(`${name} was changed by somebody else, too. Both changes are kept.`),
      onStale: (entry) => this.#stale(entry),
      onGone: (entry) => this.#gone(entry),
    });
    this.follower = new Follower({
      client,
      roomId,
      server,
      document,
      userId,
      seen,
      tell,
      isQuiet: () => this.queue.waiting === 0,
      made: () => this.queue.sent,
    });
    makeObservable(this, {
      held: observableRef,
      refusals: observableRef,
      isAsked: observable,
      conflict: computed,
      text: computed,
      ask: action,
      putOff: action,
    });
  }

  /** What is said beside the sign of saving. */
  get text(): string {
    const { state, waiting, hasFailed, isStuck } = this.queue;
    if (waiting === 0) return 'Saved';
    if (state === 'signed-out') return `Signed out, ${countOf(waiting)} waiting`;
    if (isStuck) return `${countOf(waiting)} waiting for your decision`;
    return hasFailed ? `Offline, ${countOf(waiting)} waiting` : 'Saving';
  }

  /** What a person is to decide next. */
  get conflict(): Conflict | null {
    return this.held ?? this.refusals.find(({ seq }) => this.queue.refused.has(seq)) ?? null;
  }

  /** Shows what is to be decided. */
  ask(): void {
    this.isAsked = true;
  }

  /** Leaves for later what is to be decided. */
  putOff(): void {
    this.isAsked = false;
  }

  get #attached(): DocumentStore {
    if (!this.#document) throw new Error('The document is not open yet.');
    return this.#document;
  }

  /** Begins to save what waits, and to follow what others do. */
  start(document: DocumentStore): void {
    this.#document = document;
    this.queue.resume();
  }

  /** Ends all work; what waits is kept. */
  end(): void {
    this.queue.end();
    this.follower.end();
  }

  /** Queues an edit. @param room the room after it */
  push(edit: Edit, room: Room): void {
    for (const task of tasksOf(edit, room)) this.queue.push(task, this.#stampFor(task));
  }

  #stampFor(task: SaveTask): string | undefined {
    if (task.kind === 'room') return this.server.room.updated_at;
    return task.kind === 'update' ? this.#sender.timestampOf(task.id) : undefined;
  }

  /** A task as it means the same on a page that begins anew: in the server's ids where there are any. */
  #keptForm(task: SaveTask): SaveTask {
    return this.#sender.inKnownIds(task);
  }

  /** An element's fields as they mean the same on a page that begins anew, and the id that they go by then. */
  fieldsInKnownIds(id: number, fields: ElementFields): { id: number; fields: ElementFields } {
    const task = this.#keptForm({ kind: 'update', id, fields, before: {} });
    return task.kind === 'update' ? { id: task.id, fields: task.fields } : { id, fields };
  }

  async #stale(entry: QueueEntry): Promise<Outcome> {
    const { task } = entry;
    if (task.kind !== 'update' && task.kind !== 'room') throw new ApiError('stale');
    const { client, roomId } = this.#options;
    const { ids } = this.server;
    const together = this.#sameThing(task);
    const mine = Object.assign({}, ...together.map(({ fields }) => byPath(fields)));
    const before = Object.assign({}, ...together.toReversed().map((other) => byPath(other.before)));
    let now: { server: object; known: object | null } & Omit<Open, 'seq'>;
    const there = task.kind === 'update' ? ids.there(task.id)! : roomId;
    if (task.kind === 'room') {
      const [was, room] = [this.server.room, await client.rooms.read({ params: { id: roomId } })];
      const known = was.updated_at === entry.stamp ? withoutTree(roomFieldsOf(roomOf(was), ids)) : null;
      now = {
        server: withoutTree(roomFieldsOf(roomOf(room), ids)),
        known,
        stamp: room.updated_at,
        note: () => (this.server.room = room),
      };
    } else {
      const was = this.server.row(there);
      const { children: _below, ...read } = await client.elements.read({ params: { id: there } });
      const row = read as ElementRow;
      const known = was && was.updated_at === entry.stamp ? fieldsOfRow(was, ids) : null;
      now = { server: fieldsOfRow(row, ids), known, stamp: row.updated_at, note: () => this.server.note(row) };
    }
    const fields = fieldConflicts({ server: now.server, known: now.known, mine, before });
    if (fields.length === 0) {
      // It was our own call whose answer was lost, or a change that changes nothing here.
      await this.queue.rewrite((other) => (other.seq === entry.seq ? { ...other, stamp: now.stamp } : other));
      return 'again';
    }
    const who = await whoChanged(client, task.kind === 'room' ? 'room' : 'element', there);
    const id = task.kind === 'room' ? null : task.id;
    this.#open = { seq: entry.seq, stamp: now.stamp, note: now.note };
    this.#hold({ kind: 'changed', id, name: nameOfElement(this.#attached.room, id), who, fields });
    return 'held';
  }

  /** Everything that waits to be changed in the thing that a task is about. */
  #sameThing(task: SaveTask) {
    return this.queue.entries.flatMap((entry) => {
      const other = entry.task;
      const isSame =
        task.kind === 'room'
          ? other.kind === 'room'
          : task.kind === 'update' && other.kind === 'update' && other.id === task.id;
      return isSame && (other.kind === 'room' || other.kind === 'update') ? [other] : [];
    });
  }

  async #gone({ task }: QueueEntry): Promise<Outcome> {
    const [id] = aboutOf(task);
    if (id === undefined || !findElement(this.#attached.room.elements, id)) return 'done';
    const who = await whoChanged(this.#options.client, 'element', this.server.ids.there(id) ?? id);
    this.#hold({ kind: 'removed', id, name: nameOfElement(this.#attached.room, id), who });
    return 'held';
  }

  #refuse({ seq, task }: QueueEntry, error: unknown): void {
    const text =
      error instanceof ApiError ? `${Object.values(error.msg).flat().join(' ')} ${error.suggestion}` : String(error);
    const id = task.kind === 'room' ? null : (aboutOf(task)[0] ?? null);
    const name = nameOfElement(this.#attached.room, id);
    const others = this.refusals.filter((refusal) => this.queue.refused.has(refusal.seq) && refusal.seq !== seq);
    const known = this.refusals.find((refusal) => refusal.seq === seq);
    runInAction(() => (this.refusals = [...others, { kind: 'refused', seq, name, text }]));
    if (known?.text !== text) this.#offer(`A change of ${name} could not be saved and waits: ${text}`);
  }

  #hold(conflict: Conflict): void {
    runInAction(() => (this.held = conflict));
    const { who, name } = conflict as Conflict & { kind: 'changed' | 'removed' };
    const what = conflict.kind === 'removed' ? 'removed' : 'changed';
    this.#offer(`${who} ${what} ${name} while you changed it. What you changed waits.`);
  }

  /** Says that something waits, and offers to decide about it. */
  #offer(text: string): void {
    this.#options.tell(text, { label: 'Decide', act: () => this.conflict && this.ask() });
  }

  #decided(): void {
    runInAction(() => {
      this.held = null;
      this.isAsked = false;
    });
    this.#open = null;
    this.queue.resume();
  }

  /** Settles a `changed` conflict: whose value each field gets. */
  async settle(sideOf: (field: FieldConflict) => Side): Promise<void> {
    const [conflict, open] = [this.held, this.#open];
    if (conflict?.kind !== 'changed' || !open) return;
    const theirs = conflict.fields.filter((field) => sideOf(field) === 'theirs');
    const mine = conflict.fields.filter((field) => sideOf(field) === 'mine' && field.by !== 'me');
    const own = conflict.fields.filter((field) => sideOf(field) === 'mine');
    const taken = new Set(theirs.map(({ path }) => path));
    await this.queue.rewrite((entry) => {
      const { task } = entry;
      const isAbout = conflict.id === null ? task.kind === 'room' : task.kind === 'update' && task.id === conflict.id;
      if (!isAbout || !('before' in task)) return entry;
      const left = Object.entries(byPath(task.fields)).filter(([path]) => !taken.has(path));
      const more = entry.seq === open.seq ? mine.map(({ path, mine: value }): [string, unknown] => [path, value]) : [];
      const fields = { ...Object.fromEntries(more), ...Object.fromEntries(left) };
      if (Object.keys(fields).length === 0) return null;
      return { ...entry, stamp: open.stamp, task: { ...task, fields: fieldsByPath(fields) } as SaveTask };
    });
    // Fields of both sides show what was decided, whatever the document showed meanwhile.
    const values = Object.fromEntries([
      ...theirs.map(({ path, theirs: value }): [string, unknown] => [path, value]),
      ...own.map(({ path, mine: value }): [string, unknown] => [path, value]),
    ]);
    open.note();
    this.#adopt(conflict.id, fieldsByPath(values));
    this.#decided();
  }

  #adopt(id: number | null, fields: object): void {
    const command = id === null ? { type: 'room.update', fields } : { type: 'element.update', id, fields };
    this.#attached.adopt([command as RoomCommand]);
  }

  /** Settles a `removed` conflict: the element is added again with all that is in it, or goes here as well. */
  async settleRemoved(isWanted: boolean): Promise<void> {
    const { conflict } = this;
    if (conflict?.kind !== 'removed') return;
    const { room } = this.#attached;
    const element = findElement(room.elements, conflict.id);
    const branch = new Set(element ? [...walk([element])].map(({ id }) => id) : [conflict.id]);
    const dropped = new Set(this.queue.entries.filter(({ task }) => isOnlyAbout(task, branch)).map(({ seq }) => seq));
    for (const id of branch) this.server.ids.forget(id);
    const place = placeInTree(room.elements, conflict.id);
    if (element && place && isWanted) {
      const inverse: RoomCommand = { type: 'element.remove', id: element.id };
      this.push({ command: { type: 'element.add', element, ...place }, inverse }, room);
    } else if (element) this.#attached.adopt([{ type: 'element.remove', id: element.id }]);
    // Only now, so that at no moment everything seems to be saved.
    await this.queue.rewrite((entry) => (dropped.has(entry.seq) ? null : entry));
    this.#decided();
  }

  /** Settles a `refused` one: it is sent again, or taken back. */
  async settleRefused(isTakenBack: boolean): Promise<void> {
    const { conflict } = this;
    if (conflict?.kind !== 'refused') return;
    const refused = this.queue.entries.find(({ seq }) => seq === conflict.seq);
    if (isTakenBack && refused) {
      const branch = new Set(refused.task.kind === 'add' ? this.#branchOf(refused.task.element.id) : []);
      await this.queue.rewrite((entry) =>
        entry.seq === refused.seq || isOnlyAbout(entry.task, branch) ? null : entry,
      );
      // What the server has counts from now on, as soon as the rest is saved.
      this.follower.ask();
    }
    runInAction(() => (this.isAsked = false));
    if (!isTakenBack) this.queue.retry(conflict.seq);
  }

  #branchOf(id: number): number[] {
    const element = findElement(this.#attached.room.elements, id);
    return element ? [...walk([element])].map((child) => child.id) : [id];
  }
}

const withoutTree = ({ elements: _, template: __, id: ___, version: ____, ...fields }: Room) => fields;

/** Whether a task is about these elements and nothing else. */
const isOnlyAbout = (task: SaveTask, ids: ReadonlySet<number>) => {
  const about = aboutOf(task);
  return about.length > 0 && about.every((id) => ids.has(id));
};
