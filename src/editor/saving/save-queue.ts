import { action, computed, makeObservable, observable, observableRef, runInAction } from 'mobx';
import { MAX_COMMANDS, type SentCommand } from '../../contract/entities.ts';
import { ApiError } from '../../contract/errors.ts';
import type { EditStorage } from './edit-storage.ts';
import { byRow, isOf, joined, type Stamp, type Waiting, withoutLater } from './waiting.ts';

/** Delays in milliseconds before retries; the last one repeats. */
const PAUSES = [1000, 2000, 5000, 10_000, 30_000];

/** Edits per stored row: writing thousands of rows takes the browser seconds. */
const ROW = 250;

/** Maximum length of a call's commands in characters, well below the server's limit. */
const MAX_CHARACTERS = 2_000_000;

/** Dependencies of a queue. */
export interface QueueOptions {
  storage: EditStorage;
  /** Client number for new calls. */
  client(): string;
  /** Milliseconds of a clock that continues across pages. */
  now(): number;
  /** Sends a call. Temporary errors are retried; other errors set its edits aside. */
  send(stamp: Stamp): Promise<void>;
  /** Called on a permanent error: the edit is set aside, and the others are still sent. */
  refuse(edit: Waiting, error: unknown): void;
  /** Called when the user may no longer change the space. */
  forbid(error: ApiError): void;
  /** Filters edits that the server can apply now. */
  sendable(edits: readonly Waiting[]): readonly Waiting[];
  /** Whether an edit waits until the user has resolved a conflict. */
  isHeld(edit: Waiting): boolean;
  /** Whether sending may begin. */
  isReady(): boolean;
  pauses?: readonly number[];
}

/** Whether an error is temporary. */
const passes = (error: unknown): boolean =>
  !(error instanceof ApiError) || error.status >= 500 || error.status === 408 || error.status === 429;

/** Unsaved edits: sent in order, one call at a time, and stored in the browser until they are saved. */
export class SaveQueue {
  readonly #options: QueueOptions;
  edits: readonly Waiting[] = [];
  state: 'idle' | 'sending' | 'failing' | 'signed-out' | 'read-only' = 'idle';
  /** Edits that the server rejected: they wait until they are retried, dropped, or overwritten by later edits. */
  refused: ReadonlySet<number> = new Set();
  /** Whether browser storage fails, so that leaving the page would lose unsaved edits. */
  hasStorageFailed = false;
  /** Pending writes to the browser's database. */
  writes = 0;
  /** Consecutive failed calls. */
  failures = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #nextNumber = 1;
  #mutation = 0;
  #isEnded = false;
  #lastWrite: Promise<void> = Promise.resolve();

  constructor(options: QueueOptions) {
    this.#options = options;
    makeObservable(this, {
      edits: observableRef,
      state: observable,
      refused: observableRef,
      hasStorageFailed: observable,
      writes: observable,
      failures: observable,
      hasFailed: computed,
      waiting: computed,
      isAtRisk: computed,
      isStuck: computed,
      push: action,
      resume: action,
      retry: action,
    });
  }

  get waiting(): number {
    return this.edits.length;
  }

  /** Whether nothing can be sent until the user resolves a conflict. */
  get isStuck(): boolean {
    return this.state === 'idle' && this.waiting > 0;
  }

  /** Whether the last call failed. */
  get hasFailed(): boolean {
    return this.failures > 0;
  }

  /** Whether leaving the page now would lose edits. */
  get isAtRisk(): boolean {
    return this.waiting > 0 && (this.hasStorageFailed || this.writes > 0);
  }

  /** Adopts stored edits of earlier pages. */
  restore(edits: readonly Waiting[]): void {
    runInAction(() => (this.edits = edits));
    this.#nextNumber = Math.max(0, ...edits.map(({ number }) => number)) + 1;
  }

  /** Appends edits that were made together. */
  push(...commands: readonly SentCommand[]): void {
    if (commands.length === 0) return;
    if (this.refused.size > 0) for (const command of commands) this.#overwrite(command);
    const edits = [...this.edits];
    const rows = new Set<number>();
    const at = this.#options.now();
    for (const [index, command] of commands.entries()) {
      const last = edits.at(-1);
      // Sent edits must not change, and rejected ones must not take others with them.
      const isUnsent = last && !last.sent && !this.refused.has(last.number);
      const both = isUnsent ? joined(last.command, command) : null;
      const number = this.#nextNumber;
      const row = last && index % ROW > 0 ? last.row : number;
      const edit = both && last ? { ...last, command: both } : { number, row, command, at };
      if (both) edits.pop();
      else this.#nextNumber++;
      edits.push(edit);
      rows.add(edit.row);
    }
    this.edits = edits;
    void this.#keep(rows);
    this.#next();
  }

  /** Removes fields from rejected edits that a later command overwrites, and retries the rest. */
  #overwrite(later: SentCommand): void {
    const left = new Set(this.refused);
    void this.rewrite((edit) => {
      const command = this.refused.has(edit.number) ? withoutLater(edit.command, later) : edit.command;
      if (command === edit.command) return edit;
      left.delete(edit.number);
      return command && { ...edit, command };
    });
    if (left.size !== this.refused.size) this.refused = left;
  }

  /** Retries a rejected edit. */
  retry(number: number): void {
    this.refused = new Set([...this.refused].filter((other) => other !== number));
    this.resume();
  }

  /** Rewrites edits; those for which `change` returns null are dropped. */
  rewrite(change: (edit: Waiting) => Waiting | null): Promise<void> {
    const rows = new Set<number>();
    const removed = new Set<number>();
    const edits = this.edits.flatMap((edit) => {
      const changed = change(edit);
      if (!changed) removed.add(edit.number);
      if (changed !== edit) rows.add(edit.row);
      return changed ? [changed] : [];
    });
    if (rows.size === 0) return this.#lastWrite;
    const refused = [...this.refused].filter((number) => !removed.has(number));
    runInAction(() => {
      this.edits = edits;
      if (refused.length < this.refused.size) this.refused = new Set(refused);
    });
    return this.#keep(rows);
  }

  /** Drops edits. */
  drop(edits: readonly Waiting[]): Promise<void> {
    const numbers = new Set(edits.map(({ number }) => number));
    return this.rewrite((edit) => (numbers.has(edit.number) ? null : edit));
  }

  /** Unconfirmed edits of a call. */
  of(stamp: Stamp): readonly Waiting[] {
    return this.edits.filter((edit) => isOf(edit, stamp));
  }

  /** Takes held edits out of a call that may have to be repeated. */
  unsendHeld(stamp: Stamp): void {
    this.unsend(stamp, false, (edit) => this.#options.isHeld(edit));
  }

  /** Sends the edits of a failed call again. @param isAlone each in a call of its own */
  unsend(stamp: Stamp, isAlone = false, isMeant: (edit: Waiting) => boolean = () => true): void {
    void this.rewrite((edit) => {
      if (!isOf(edit, stamp) || !isMeant(edit)) return edit;
      const { sent: _, ...unsent } = edit;
      return { ...unsent, ...(isAlone && { isAlone }) };
    });
  }

  /** Resumes after a decision or sign-in, or retries immediately. */
  resume(): void {
    if (this.state === 'sending') return;
    clearTimeout(this.#timer);
    this.state = 'idle';
    this.#next();
  }

  /** Pauses sending, because the server would reject calls. */
  stop(): void {
    clearTimeout(this.#timer);
    if (this.state !== 'sending') this.#rest('read-only');
  }

  /** Stops sending for good. */
  end(): void {
    this.#isEnded = true;
    clearTimeout(this.#timer);
  }

  /** Waits until the browser has stored all edits. */
  settled(): Promise<void> {
    return this.#lastWrite;
  }

  /** The next call; null if there is none. */
  #stampNext(): Stamp | null {
    const { sendable, client, isHeld } = this.#options;
    const open = this.edits.filter((edit) => !this.refused.has(edit.number) && !isHeld(edit));
    const begun = open.find(({ sent }) => sent)?.sent;
    if (begun) return begun;
    const able = open.length < this.edits.length ? sendable(open) : open;
    const batch = new Set<number>();
    let characters = 0;
    for (const { number, command, isAlone } of able.slice(0, MAX_COMMANDS)) {
      characters += JSON.stringify(command).length;
      if (batch.size > 0 && (isAlone || characters > MAX_CHARACTERS)) break;
      batch.add(number);
      if (isAlone) break;
    }
    if (batch.size === 0) return null;
    const sent = { client: client(), mutation: ++this.#mutation };
    void this.rewrite((edit) => (batch.has(edit.number) ? { ...edit, sent } : edit));
    return sent;
  }

  #next(): void {
    if (this.state !== 'idle' || this.#isEnded || !this.#options.isReady()) return;
    const stamp = this.#stampNext();
    if (!stamp) return;
    this.#rest('sending');
    void this.#send(stamp);
  }

  async #send(stamp: Stamp): Promise<void> {
    try {
      // A later page needs to know which calls were sent, to check whether they arrived.
      await this.#lastWrite;
      await this.#options.send(stamp);
      runInAction(() => (this.failures = 0));
      this.#goOn();
    } catch (error) {
      this.#fail(stamp, error);
    }
  }

  #fail(stamp: Stamp, error: unknown): void {
    if (error instanceof ApiError && [401, 403, 404].includes(error.status)) {
      this.#rest(error.status === 401 ? 'signed-out' : 'read-only');
      if (error.status !== 401) this.#options.forbid(error);
      return;
    }
    if (passes(error)) {
      const pauses = this.#options.pauses ?? PAUSES;
      const pause = pauses[Math.min(this.failures, pauses.length - 1)];
      runInAction(() => this.failures++);
      this.#rest('failing');
      if (!this.#isEnded) this.#timer = setTimeout(() => this.resume(), pause);
      return;
    }
    const edits = this.of(stamp);
    this.unsend(stamp, true);
    runInAction(() => {
      this.failures = 0;
      if (edits.length === 1) this.refused = new Set([...this.refused, edits[0]!.number]);
    });
    if (edits.length === 1) this.#options.refuse(edits[0]!, error);
    this.#goOn();
  }

  /** Sends the next call without a visible idle state in between. */
  #goOn(): void {
    runInAction(() => {
      this.state = 'idle';
      this.#next();
    });
  }

  #rest(state: SaveQueue['state']): void {
    runInAction(() => (this.state = state));
  }

  /** Stores the current edits of these rows. */
  async #keep(rows: ReadonlySet<number>): Promise<void> {
    // After the end, the rows belong to the next page that opens the room.
    if (this.#isEnded) return;
    runInAction(() => this.writes++);
    const held = [...byRow(this.edits, rows)].map(([number, value]) => ({ kind: 'edit' as const, number, value }));
    const write = this.#options.storage.write({
      put: held.filter(({ value }) => value.length > 0),
      remove: held.filter(({ value }) => value.length === 0),
    });
    this.#lastWrite = write.catch(() => undefined);
    try {
      await write;
      runInAction(() => (this.hasStorageFailed = false));
    } catch {
      runInAction(() => (this.hasStorageFailed = true));
    }
    runInAction(() => this.writes--);
  }
}
