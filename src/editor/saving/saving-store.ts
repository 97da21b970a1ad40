import { computed, makeObservable, observable, runInAction } from 'mobx';
import { applyCommands } from '../../../engine/document/commands.ts';
import type { ByPath } from '../../../engine/document/field-paths.ts';
import type { Room } from '../../../engine/document/room.ts';
import type { Client } from '../../contract/client.ts';
import type { RoomLogEntry } from '../../contract/entities.ts';
import { ApiError } from '../../contract/errors.ts';
import type { Offer } from '../../ui/notifications.ts';
import type { DocumentStore } from '../session/document-store.ts';
import type { Edit } from '../session/edit.ts';
import { bareRoom, FileCatalog } from '../session/file-catalog.ts';
import { type History, withoutTheirs } from '../session/history.ts';
import { IdPool } from '../session/id-pool.ts';
import { sentTogether, withWaiting } from '../session/sent-commands.ts';
import { ClientNumbers, isTaken } from './client-numbers.ts';
import { AWAY, commandsOf, conflictsWith, doneBetween, doneOf, refusedPlace, type Theirs } from './conflict.ts';
import { ConflictsStore } from './conflicts-store.ts';
import type { EditStorage, Left } from './edit-storage.ts';
import { historyOf } from './history-storage.ts';
import { LogFollower, type ReadRoom, readPast, readRoom, roomOf } from './log-follower.ts';
import { commandsOfOld } from './old-queue.ts';
import { SaveQueue } from './save-queue.ts';
import { forbiddenNotification, newsText, sayLost, textOf } from './save-text.ts';
import { addedBy, editsOf, isOf, renumbered, type Stamp, stampOf, thingOf, type Waiting } from './waiting.ts';

/** Dependencies of saving. */
interface SavingOptions {
  client: Client;
  roomId: number;
  /** The user who edits, if known. */
  userId?: number;
  /** The room as read from the server. */
  answer: ReadRoom;
  storage: EditStorage;
  /** First client number of this page. */
  page: string;
  /** Milliseconds of a clock that continues across pages. */
  now(): number;
  /** Whether other editors are visible on the page, so that their edits need no notification. */
  seesOthers?(): boolean;
  /** Whether the user was already notified that an element they were editing was removed. */
  isRemovalNotified?(elementId: number): boolean;
  /** Called when the server rejected a call: 404 for a removed room, 403 for a missing right. */
  onForbidden(status: number): void;
  /** Typed fields that are not edits yet. */
  typed?(): Iterable<ByPath>;
  /** Shows a notification. */
  notify(text: string, offer?: Offer): void;
  /** Delays in milliseconds before retries. */
  pauses?: readonly number[];
}

/**
 * Saves the document by commands, and follows the log of its room. The document shows the confirmed room with unsaved
 * edits on top; others' edits are applied below them.
 */
export class SavingStore {
  readonly queue: SaveQueue;
  readonly ids: IdPool;
  readonly log: LogFollower;
  readonly clients: ClientNumbers;
  readonly conflicts: ConflictsStore;
  readonly #options: SavingOptions;
  readonly #files = new FileCatalog();
  #document: DocumentStore | null = null;
  #confirmed: Room;
  /** The confirmed room with unsaved edits, without the files' details. */
  #working: Room;
  #newsAt = Number.NEGATIVE_INFINITY;
  /** Log position of the confirmed room. */
  seq: number;
  /** Whether the space was deleted while it was open. */
  isGone = false;

  constructor(options: SavingOptions) {
    const { client, roomId, answer, storage, page, now, pauses, notify } = options;
    this.#options = options;
    this.clients = new ClientNumbers(page);
    const room = roomOf(answer);
    this.#files.learn(room);
    this.#confirmed = bareRoom(room);
    this.#working = this.#confirmed;
    this.seq = answer.seq;
    this.queue = new SaveQueue({
      storage,
      client: () => this.clients.current,
      now,
      ...(pauses && { pauses }),
      send: (stamp) => this.#send(stamp),
      refuse: (edit, error) => this.conflicts.refuse(edit, error),
      forbid: ({ status }) => options.onForbidden(status),
      sendable: (edits) => withWaiting(this.#confirmed, edits).applied,
      isHeld: (edit) => this.conflicts.isHeld(edit),
      isReady: () => this.#document !== null,
    });
    this.conflicts = new ConflictsStore({
      queue: this.queue,
      confirmed: () => this.#confirmed,
      shown: () => this.shown,
      now,
      notify: notify,
      rebase: (isDone) => this.#settle([], false, isDone),
    });
    this.ids = new IdPool({ notify, lease: (count) => this.clients.lease(client, roomId, count) });
    this.log = new LogFollower({
      client,
      roomId,
      seq: () => this.seq,
      take: (entries) => this.take(entries),
      reload: () => this.#reload(),
    });
    makeObservable(this, { seq: observable, isGone: observable, text: computed });
  }

  /** Text of the saving indicator. */
  get text(): string {
    return textOf(this.queue);
  }

  /** The room for the document. */
  get shown(): Room {
    return this.#files.fill(this.#working);
  }

  /** The confirmed room at `seq`, with its files. */
  get confirmed(): Room {
    return this.#files.fill(this.#confirmed);
  }

  /**
   * Adopts the stored edits of earlier pages, before there is a document.
   * @returns the stored history without fields that others changed since
   */
  async restore({ rows, old }: Left): Promise<History> {
    const edits = editsOf(rows);
    this.queue.restore(edits);
    const storedSeq = rows.find(({ kind }) => kind === 'seq');
    const { past, isWhole } = storedSeq
      ? await readPast(this.#options.client, this.#options.roomId, { after: Number(storedSeq.value), until: this.seq })
      : { past: [], isWhole: false };
    const isOwn = (entry: RoomLogEntry) => edits.some((edit) => edit.sent && isOf(edit, stampOf(entry)));
    void this.queue.drop(edits.filter((edit) => past.some((entry) => isOf(edit, stampOf(entry)))));
    const theirs = past.filter((entry) => !isOwn(entry)).map(this.#doneOf);
    this.#settle(theirs, true);
    if (old.length > 0) await this.#takeOld(old);
    // Without the log, undo could overwrite others' edits.
    return isWhole
      ? theirs.reduce((history, each) => withoutTheirs(history, each, this.shown), historyOf(rows, this.shown))
      : { steps: [], done: 0 };
  }

  async #takeOld(old: Left['old']): Promise<void> {
    const ids = await this.ids.taken(old.filter(({ task }) => task.kind === 'add').length);
    const { commands, lost, room } = commandsOfOld(old, this.#working, ids ?? []);
    this.#working = room;
    for (const command of commands) this.queue.push(command);
    if (lost.length > 0) this.#options.notify(`Changes of an earlier version could not be saved: ${lost.join(', ')}.`);
  }

  /** Starts saving. */
  start(document: DocumentStore): void {
    this.#document = document;
    this.#keepSeq();
    this.queue.resume();
  }

  /** Stops all work; unsaved edits stay stored. */
  end(): void {
    this.queue.end();
    this.log.end();
    void this.queue.settled().then(() => this.#options.storage.close());
  }

  /** Queues edits that were made together. */
  push(edits: readonly Edit[]): void {
    const commands = edits.map(({ command }) => command);
    for (const command of commands) this.#files.learnFrom(command);
    const { room, sent } = sentTogether(this.#working, commands);
    this.#working = room;
    this.queue.push(...sent);
    this.conflicts.dropRemoved(sent);
  }

  /** Applies new log entries immediately, after a call that changed the room. */
  async follow(): Promise<void> {
    this.#newsAt = this.#options.now();
    await this.log.follow();
    await this.readFiles();
  }

  /**
   * Applies log entries in order, and skips known ones.
   * @returns false, without any change, if there is a gap or an entry doesn't apply
   */
  take(entries: readonly RoomLogEntry[]): boolean {
    const news = entries.filter(({ seq }) => seq > this.seq);
    if (news.length === 0) return true;
    if (news.some(({ seq }, index) => seq !== this.seq + 1 + index)) return false;
    let room = this.#confirmed;
    try {
      room = applyCommands(room, commandsOf(news.map(this.#doneOf))).room;
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      return false;
    }
    this.#confirmed = room;
    runInAction(() => (this.seq = news.at(-1)!.seq));
    const isOwn = (entry: RoomLogEntry) =>
      this.clients.has(entry.client) || this.queue.edits.some((edit) => isOf(edit, stampOf(entry)));
    const theirs = news.filter((entry) => !isOwn(entry)).map(this.#doneOf);
    this.#settle(theirs, false, (edit) => news.some((entry) => isOf(edit, stampOf(entry))));
    if (this.#files.isMissing(this.#confirmed)) void this.readFiles().catch(() => undefined);
    return true;
  }

  /** Applies unsaved edits to the confirmed room. @param isDone edits that it already contains */
  #settle(theirs: readonly Theirs[], isFirst: boolean, isDone: (edit: Waiting) => boolean = () => false): void {
    const done: Waiting[] = [];
    const waiting: Waiting[] = [];
    for (const edit of this.queue.edits) (isDone(edit) ? done : waiting).push(edit);
    const { room, lost } = withWaiting(this.#confirmed, waiting);
    const rooms = { confirmed: this.#confirmed, shown: room };
    const now = this.#options.now();
    const met = theirs.flatMap((each) => conflictsWith(each, waiting, now, rooms));
    const before = this.#document?.room;
    this.#working = room;
    this.#document?.replace(this.shown, theirs);
    void this.queue.drop([...done, ...lost]);
    this.#sayLost(lost, theirs, before);
    this.conflicts.dropObsolete();
    if (met.length > 0) this.conflicts.hold(met);
    else if (!isFirst) this.#notifyNews(theirs);
    if (!isFirst) this.#keepSeq();
  }

  #keepSeq(): void {
    // The queue reports failing storage.
    void this.#options.storage.write({ put: [{ kind: 'seq', number: 0, value: this.seq }] }).catch(() => undefined);
  }

  readonly #doneOf = (entry: RoomLogEntry): Theirs => doneOf(entry, this.#options.userId);

  #notifyNews(theirs: readonly Theirs[]): void {
    const now = this.#options.now();
    if (commandsOf(theirs).length === 0 || now - this.#newsAt < AWAY || this.#options.seesOthers?.()) return;
    this.#newsAt = now;
    this.#options.notify(newsText(theirs));
  }

  /** Reads what the log lacks: files, which it references by id, and changes made outside it. */
  async readFiles(): Promise<void> {
    const { client, roomId } = this.#options;
    const answer = await readRoom(client, roomId);
    this.#files.learn(roomOf(answer));
    if (answer.seq === this.seq) this.#become(answer);
    else this.#document?.replace(this.shown);
  }

  /** Adopts a room as read from the server. */
  #become(answer: ReadRoom): void {
    const was = this.#confirmed;
    this.#confirmed = bareRoom(roomOf(answer));
    runInAction(() => (this.seq = answer.seq));
    this.#settle([doneBetween(was, this.#confirmed)], false);
  }

  async #reload(): Promise<void> {
    const { client, roomId, notify } = this.#options;
    const answer = await readRoom(client, roomId);
    this.#files.learn(roomOf(answer));
    if (answer.seq < this.seq) await this.#renumber();
    this.#newsAt = this.#options.now();
    notify('The space was loaded anew, because its log no longer tells what was changed. Your own changes are kept.');
    this.#become(answer);
  }

  /** A server restored from a backup has lost recent leases, so that added elements need new ids. */
  async #renumber(): Promise<void> {
    this.ids.forget();
    const added = this.queue.edits.flatMap(({ command }) => addedBy(command));
    const free = (await this.ids.taken(added.length)) ?? [];
    const ids = new Map(free.map((id, index) => [added[index]!, id]));
    void this.queue.rewrite(({ sent: _, ...edit }) => ({ ...edit, command: renumbered(edit.command, ids) }));
  }

  async #send(stamp: Stamp): Promise<void> {
    const { client, roomId } = this.#options;
    // A call without an answer may have arrived, and others may have edited since.
    if (this.queue.hasFailed) await this.log.follow();
    this.queue.unsendHeld(stamp);
    const edits = this.queue.of(stamp);
    if (edits.length === 0) return;
    try {
      const body = { ...stamp, origin: 'editor' as const, commands: edits.map(({ command }) => command) };
      await client.rooms.commit({ params: { id: roomId }, body });
    } catch (error) {
      if (isTaken(error)) {
        this.clients.replace(stamp.client);
        return this.queue.unsend(stamp);
      }
      if (!(error instanceof ApiError) || error.code !== 'stale') throw error;
      await this.#drop(stamp, edits, error);
      return;
    }
    await this.log.follow();
    // The room may have been read after the call, so that the log entry is skipped.
    if (this.queue.of(stamp).length > 0) this.#settle([], false, (edit) => isOf(edit, stamp));
  }

  /** An element of a call was removed: drops the edit that failed, and sends the rest again. */
  async #drop(stamp: Stamp, edits: readonly Waiting[], error: ApiError): Promise<void> {
    await this.log.follow();
    const isUnchanged = this.queue.of(stamp).length === edits.length;
    this.queue.unsend(stamp);
    if (!isUnchanged) return;
    const gone = edits[refusedPlace(error)]!;
    this.#sayLost([gone], [], this.#document?.room);
    this.#settle([], false, (edit) => edit.number === gone.number);
  }

  #sayLost(lost: readonly Waiting[], theirs: readonly Theirs[], before: Room | undefined): void {
    const { notify, isRemovalNotified } = this.#options;
    const unannounced = lost.filter(({ command }) => !isRemovalNotified?.(thingOf(command) ?? 0));
    sayLost(unannounced, theirs, { confirmed: this.#confirmed, before, document: () => this.#document, notify });
  }

  /** Switches to read-only: the right is gone, or the space for 404. Unsaved edits stay stored. */
  forbid(status: number): void {
    runInAction(() => (this.isGone = status === 404));
    if (this.#document?.isReadOnly) return;
    this.#document?.setReadOnly(true);
    this.queue.stop();
    const [text, offer] = forbiddenNotification(status, this.queue, this.#options.typed?.() ?? []);
    // The screen already shows that the space was deleted.
    if (offer || !this.isGone) this.#options.notify(text, offer);
  }

  /** Allows edits again, and sends those in the queue. */
  permit(): void {
    const wasGone = this.isGone;
    runInAction(() => (this.isGone = false));
    if (!this.#document?.isReadOnly) return;
    this.#document.setReadOnly(false);
    this.#options.notify(
      wasGone ? 'This space was restored. You can edit it again.' : 'You can edit this space again.',
    );
    this.queue.resume();
  }
}
