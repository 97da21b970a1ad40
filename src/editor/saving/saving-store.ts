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

/** What saving needs from outside. */
interface SavingOptions {
  client: Client;
  roomId: number;
  /** Who edits; left out where nobody is told apart. */
  userId?: number;
  /** The room as it was read. */
  answer: ReadRoom;
  storage: EditStorage;
  /** Client number that this page begins with. */
  page: string;
  /** Milliseconds of a clock that goes on from page to page. */
  now(): number;
  /** Whether the person sees who else is there: what they do needs no words then. */
  seesOthers?(): boolean;
  /** Whether the person was told already that an element is gone in which they were typing, and what to do. */
  isRemovalNotified?(elementId: number): boolean;
  /** Told that the server has refused a call: 404 for a room that is gone, 403 for a missing right. */
  onForbidden(status: number): void;
  /** Fields that were typed and are not edits yet. */
  typed?(): Iterable<ByPath>;
  /** Says something to the person that needs no answer. */
  notify(text: string, offer?: Offer): void;
  /** Milliseconds before a failed call is made again. */
  pauses?: readonly number[];
}

/**
 * Saves the document by commands, and follows the log of its room. What is shown is the room as the server has
 * confirmed it, with the edits that wait on top; whatever others do goes below them.
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
  /** The confirmed room with the edits that wait: what the document shows, as the log has it. */
  #working: Room;
  #newsAt = Number.NEGATIVE_INFINITY;
  /** Place in the log of what is confirmed. */
  seq: number;

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
      isHeld: () => !this.#document || this.conflicts.changed.length > 0,
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
    makeObservable(this, { seq: observable, text: computed });
  }

  /** What is said beside the sign of saving. */
  get text(): string {
    return textOf(this.queue);
  }

  /** The room as a document shows it. */
  get shown(): Room {
    return this.#files.fill(this.#working);
  }

  /** The room as the log had it at `seq`, with the files that it names. */
  get confirmed(): Room {
    return this.#files.fill(this.#confirmed);
  }

  /**
   * Takes over what earlier pages left behind, before there is a document.
   * @returns the history that goes on, without what others changed since
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
    // Without the log, nobody knows what undoing would overwrite.
    return isWhole
      ? withoutTheirs(historyOf(rows, this.shown), commandsOf(theirs), this.shown)
      : { steps: [], done: 0 };
  }

  async #takeOld(old: Left['old']): Promise<void> {
    const ids = await this.ids.taken(old.filter(({ task }) => task.kind === 'add').length);
    const { commands, lost, room } = commandsOfOld(old, this.#working, ids ?? []);
    this.#working = room;
    for (const command of commands) this.queue.push(command);
    if (lost.length > 0) this.#options.notify(`Changes of an earlier version could not be saved: ${lost.join(', ')}.`);
  }

  /** Begins to save what waits. */
  start(document: DocumentStore): void {
    this.#document = document;
    this.#keepSeq();
    this.queue.resume();
  }

  /** Ends all work; what waits is kept. */
  end(): void {
    this.queue.end();
    this.log.end();
    void this.queue.settled().then(() => this.#options.storage.close());
  }

  /** Queues edits of the document that were made together. */
  push(edits: readonly Edit[]): void {
    const commands = edits.map(({ command }) => command);
    for (const command of commands) this.#files.learnFrom(command);
    const { room, sent } = sentTogether(this.#working, commands);
    this.#working = room;
    this.queue.push(...sent);
  }

  /** Takes over at once what is in the log, after a call that changed the room. */
  async follow(): Promise<void> {
    this.#newsAt = this.#options.now();
    await this.log.follow();
    await this.#readRoom();
  }

  /**
   * Takes over entries of the log, in order; what is known is left out.
   * @returns false where there is a gap, or they don't fit what is confirmed: nothing was done
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
    if (this.#files.isMissing(this.#confirmed)) void this.#readRoom().catch(() => undefined);
    return true;
  }

  /** Puts what waits on top of what is confirmed. @param isDone whether an edit is in it by now */
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
    this.#document?.replace(this.shown, commandsOf(theirs));
    void this.queue.drop([...done, ...lost]);
    this.#sayLost(lost, theirs, before);
    this.conflicts.dropObsolete();
    if (met.length > 0) this.conflicts.hold(met);
    else if (!isFirst) this.#notifyNews(theirs);
    if (!isFirst) this.#keepSeq();
  }

  #keepSeq(): void {
    // Where the browser keeps nothing, the queue says so.
    void this.#options.storage.write({ put: [{ kind: 'seq', number: 0, value: this.seq }] }).catch(() => undefined);
  }

  readonly #doneOf = (entry: RoomLogEntry): Theirs => doneOf(entry, this.#options.userId);

  #notifyNews(theirs: readonly Theirs[]): void {
    const now = this.#options.now();
    if (commandsOf(theirs).length === 0 || now - this.#newsAt < AWAY || this.#options.seesOthers?.()) return;
    this.#newsAt = now;
    this.#options.notify(newsText(theirs));
  }

  /** Reads what the log does not tell: files, which it names by their ids alone, and what changed a room beside it. */
  async #readRoom(): Promise<void> {
    const { client, roomId } = this.#options;
    const answer = await readRoom(client, roomId);
    this.#files.learn(roomOf(answer));
    if (answer.seq === this.seq) this.#become(answer);
    else this.#document?.replace(this.shown);
  }

  /** Takes a room over as it was read. */
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

  /** A server that was restored from a backup knows nothing of what it leased since: what is added gets other ids. */
  async #renumber(): Promise<void> {
    this.ids.forget();
    const added = this.queue.edits.flatMap(({ command }) => addedBy(command));
    const free = (await this.ids.taken(added.length)) ?? [];
    const ids = new Map(free.map((id, index) => [added[index]!, id]));
    void this.queue.rewrite(({ sent: _, ...edit }) => ({ ...edit, command: renumbered(edit.command, ids) }));
  }

  async #send(stamp: Stamp): Promise<void> {
    const { client, roomId } = this.#options;
    // A call that got no answer may have arrived, and others may have been here meanwhile.
    if (this.queue.hasFailed) await this.log.follow();
    const edits = this.queue.of(stamp);
    if (edits.length === 0 || this.conflicts.changed.length > 0) return;
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
    // What was done before this page has read the room is in it already.
    if (this.queue.of(stamp).length > 0) this.#settle([], false, (edit) => isOf(edit, stamp));
  }

  /** Something is gone that a call is about: what can't be done any more is dropped, the rest is sent again. */
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

  /** Takes no more edits: the right to change the space is gone, or the space itself for 404. What waits is kept. */
  forbid(status: number): void {
    if (this.#document?.isReadOnly) return;
    this.#document?.setReadOnly(true);
    this.queue.stop();
    this.#options.notify(...forbiddenNotification(status, this.queue, this.#options.typed?.() ?? []));
  }

  /** Takes edits again, and sends what waited. */
  permit(): void {
    if (!this.#document?.isReadOnly) return;
    this.#document.setReadOnly(false);
    this.#options.notify('You can edit this space again.');
    this.queue.resume();
  }
}
