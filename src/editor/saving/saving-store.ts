import { action, computed, makeObservable, observable, observableRef, runInAction } from 'mobx';
import { applyCommands } from '../../../engine/document/commands.ts';
import type { Room } from '../../../engine/document/room.ts';
import type { RoomLogEntry } from '../../contract/entities.ts';
import { ApiError } from '../../contract/errors.ts';
import type { DocumentStore } from '../session/document-store.ts';
import type { Edit } from '../session/edit.ts';
import { bareRoom, FileCatalog } from '../session/file-catalog.ts';
import { type History, withoutTheirs } from '../session/history.ts';
import { IdPool } from '../session/id-pool.ts';
import { sentTogether, withWaiting } from '../session/sent-commands.ts';
import { ClientNumbers, isTaken } from './client-numbers.ts';
import {
  AWAY,
  type Changed,
  type Conflict,
  commandsOf,
  conflictsWith,
  doneBetween,
  doneOf,
  type FieldConflict,
  mergedConflicts,
  type Refusal,
  refusalOf,
  refusedPlace,
  type Side,
  type Theirs,
} from './conflict.ts';
import { historyOf } from './kept-history.ts';
import type { Left } from './kept-queue.ts';
import { LogFollower, readPast } from './log-follower.ts';
import { sayLost } from './lost-edits.ts';
import { commandsOfOld } from './old-queue.ts';
import { addedBy, renumbered } from './renumber.ts';
import { type ReadRoom, readRoom, roomOf } from './room-of.ts';
import { SaveQueue } from './save-queue.ts';
import { forbiddenNotification, newsText, textOf } from './save-text.ts';
import type { SavingOptions } from './saving-options.ts';
import { editsOf, isOf, type Stamp, stampOf, thingOf, type Waiting, withoutFields } from './waiting.ts';

/**
 * Saves the document by commands, and follows the log of its room. What is shown is the room as the server has
 * confirmed it, with the edits that wait on top; whatever others do goes below them.
 */
export class SavingStore {
  readonly queue: SaveQueue;
  readonly ids: IdPool;
  readonly log: LogFollower;
  readonly clients: ClientNumbers;
  readonly #options: SavingOptions;
  readonly #files = new FileCatalog();
  #document: DocumentStore | null = null;
  #confirmed: Room;
  /** The confirmed room with the edits that wait: what the document shows, as the log has it. */
  #working: Room;
  #toldOthers = Number.NEGATIVE_INFINITY;
  /** Place in the log of what is confirmed. */
  seq: number;
  /** What was written on both sides while one was away. */
  changed: readonly Changed[] = [];
  /** What the server refused; the rest goes on meanwhile. */
  refusals: readonly Refusal[] = [];
  /** Whether the person wants to see what is to be decided. */
  isAsked = false;

  constructor(options: SavingOptions) {
    const { client, roomId, answer, kept, page, now, pauses, tell } = options;
    this.#options = options;
    this.clients = new ClientNumbers(page);
    const room = roomOf(answer);
    this.#files.learn(room);
    this.#confirmed = bareRoom(room);
    this.#working = this.#confirmed;
    this.seq = answer.seq;
    this.queue = new SaveQueue({
      kept,
      client: () => this.clients.current,
      now,
      ...(pauses && { pauses }),
      send: (stamp) => this.#send(stamp),
      refuse: (edit, error) => this.#refuse(edit, error),
      forbid: ({ status }) => options.onForbidden(status),
      sendable: (edits) => withWaiting(this.#confirmed, edits).applied,
      isHeld: () => !this.#document || this.changed.length > 0,
    });
    this.ids = new IdPool({ tell, lease: (count) => this.clients.lease(client, roomId, count) });
    this.log = new LogFollower({
      client,
      roomId,
      seq: () => this.seq,
      take: (entries) => this.take(entries),
      reload: () => this.#reload(),
    });
    makeObservable(this, {
      seq: observable,
      changed: observableRef,
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
    return textOf(this.queue);
  }

  /** What a person is to decide next. */
  get conflict(): Conflict | null {
    return this.changed[0] ?? this.refusals.find(({ number }) => this.queue.refused.has(number)) ?? null;
  }

  /** The room as a document shows it. */
  get shown(): Room {
    return this.#files.fill(this.#working);
  }

  /** The room as the log had it at `seq`, with the files that it names. */
  get confirmed(): Room {
    return this.#files.fill(this.#confirmed);
  }

  /** Shows what is to be decided. */
  ask(): void {
    this.isAsked = true;
  }

  /** Leaves for later what is to be decided. */
  putOff(): void {
    this.isAsked = false;
  }

  /**
   * Takes over what earlier pages left behind, before there is a document.
   * @returns the history that goes on, without what others changed since
   */
  async restore({ rows, old }: Left): Promise<History> {
    const edits = editsOf(rows);
    this.queue.restore(edits);
    const kept = rows.find(({ kind }) => kind === 'seq');
    const { past, isWhole } = kept
      ? await readPast(this.#options.client, this.#options.roomId, { after: Number(kept.value), until: this.seq })
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
    if (lost.length > 0) this.#options.tell(`Changes of an earlier version could not be saved: ${lost.join(', ')}.`);
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
    void this.queue.settled().then(() => this.#options.kept.close());
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
    this.#toldOthers = this.#options.now();
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
    this.#letGo();
    if (met.length > 0) this.#hold(met);
    else if (!isFirst) this.#tellOthers(theirs);
    if (!isFirst) this.#keepSeq();
  }

  #keepSeq(): void {
    // Where the browser keeps nothing, the queue says so.
    void this.#options.kept.write({ put: [{ kind: 'seq', number: 0, value: this.seq }] }).catch(() => undefined);
  }

  readonly #doneOf = (entry: RoomLogEntry): Theirs => doneOf(entry, this.#options.userId);

  #tellOthers(theirs: readonly Theirs[]): void {
    const now = this.#options.now();
    if (commandsOf(theirs).length === 0 || now - this.#toldOthers < AWAY || this.#options.seesOthers?.()) return;
    this.#toldOthers = now;
    this.#options.tell(newsText(theirs));
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
    const { client, roomId, tell } = this.#options;
    const answer = await readRoom(client, roomId);
    this.#files.learn(roomOf(answer));
    if (answer.seq < this.seq) await this.#renumber();
    this.#toldOthers = this.#options.now();
    tell('The space was loaded anew, because its log no longer tells what was changed. Your own changes are kept.');
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
    if (edits.length === 0 || this.changed.length > 0) return;
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
    const { tell, isToldGone } = this.#options;
    const untold = lost.filter(({ command }) => !isToldGone?.(thingOf(command) ?? 0));
    sayLost(untold, theirs, { confirmed: this.#confirmed, before, document: () => this.#document, tell });
  }

  #refuse(edit: Waiting, error: unknown): void {
    const refusal = refusalOf(edit, error, this.shown);
    const { number, name, text } = refusal;
    const known = this.refusals.find((other) => other.number === number)?.text;
    const others = this.refusals.filter((other) => other.number !== number && this.queue.refused.has(other.number));
    runInAction(() => (this.refusals = [...others, refusal]));
    if (known !== text) this.#offer(`A change of ${name} could not be saved and waits: ${text}`);
  }

  /** Takes no more edits: the right to change the space is gone, or the space itself for 404. What waits is kept. */
  forbid(status: number): void {
    if (this.#document?.isReadOnly) return;
    this.#document?.setReadOnly(true);
    this.queue.stop();
    this.#options.tell(...forbiddenNotification(status, this.queue, this.#options.typed?.() ?? []));
  }

  /** Takes edits again, and sends what waited. */
  permit(): void {
    if (!this.#document?.isReadOnly) return;
    this.#document.setReadOnly(false);
    this.#options.tell('You can edit this space again.');
    this.queue.resume();
  }

  #hold(met: readonly Changed[]): void {
    const news = met.filter(({ id }) => !this.changed.some((known) => known.id === id));
    runInAction(() => (this.changed = mergedConflicts(this.changed, met)));
    this.queue.hold();
    for (const { who, name } of news)
      this.#offer(`${who} changed ${name} while you changed it. What you changed waits.`);
  }

  /** Nobody decides about what is no longer to be saved. */
  #letGo(): void {
    const open = this.changed.filter(({ id }) => this.queue.edits.some(({ command }) => thingOf(command) === id));
    if (open.length === this.changed.length) return;
    runInAction(() => (this.changed = open));
    if (this.queue.state === 'held') this.queue.resume();
  }

  /** Says that something waits, and offers to decide about it. */
  #offer(text: string): void {
    this.#options.tell(text, { label: 'Decide', act: () => this.conflict && this.ask() });
  }

  /** Settles a `changed` conflict: whose value each field gets. */
  async settle(sideOf: (field: FieldConflict) => Side): Promise<void> {
    const [conflict, ...others] = this.changed;
    if (!conflict) return;
    const theirs = new Set(conflict.fields.filter((field) => sideOf(field) === 'theirs').map(({ path }) => path));
    const at = this.#options.now();
    await this.queue.rewrite((edit) => {
      if (thingOf(edit.command) !== conflict.id) return edit;
      const command = withoutFields(edit.command, theirs);
      return command && { ...edit, command, at };
    });
    runInAction(() => {
      this.changed = others;
      this.isAsked = false;
    });
    this.#settle([], false);
    this.queue.resume();
  }

  /** Settles a `refused` one: it is sent again, or taken back, with what needs it. */
  async settleRefused(isTakenBack: boolean): Promise<void> {
    const { conflict } = this;
    if (conflict?.kind !== 'refused') return;
    runInAction(() => (this.isAsked = false));
    if (!isTakenBack) return this.queue.retry(conflict.number);
    const left = this.queue.edits.filter(({ number }) => number !== conflict.number);
    const { lost } = withWaiting(this.#confirmed, left);
    const gone = new Set([conflict.number, ...lost.map(({ number }) => number)]);
    this.#settle([], false, ({ number }) => gone.has(number));
  }
}
