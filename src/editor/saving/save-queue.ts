import { action, computed, makeObservable, observable, observableRef, runInAction } from 'mobx';
import { MOST_COMMANDS, type SentCommand } from '../../contract/entities.ts';
import { ApiError } from '../../contract/errors.ts';
import type { EditStorage } from './edit-storage.ts';
import { byRow, isOf, joined, type Stamp, type Waiting, withoutLater } from './waiting.ts';

/** Milliseconds before a failed call is made again: the last one for every further time. */
const PAUSES = [1000, 2000, 5000, 10_000, 30_000];

/** Edits made together that are kept as one: thousands of rows take the browser seconds. */
const ROW = 250;

/** Most characters of commands that a call holds, well below what the server takes. */
const MAX_CHARACTERS = 2_000_000;

/** What a queue needs from outside. */
export interface QueueOptions {
  storage: EditStorage;
  /** Client number of this page, under which new calls are sent. */
  client(): string;
  /** Milliseconds of a clock that goes on from page to page. */
  now(): number;
  /** Sends a call. Errors that pass make it be sent again later; others put it aside. */
  send(stamp: Stamp): Promise<void>;
  /** Told of an error that does not pass: the edit is put aside, and the others go on. */
  refuse(edit: Waiting, error: unknown): void;
  /** Told that the user may no longer change the space. */
  forbid(error: ApiError): void;
  /** Of edits in order, those that the server can do now. */
  sendable(edits: readonly Waiting[]): readonly Waiting[];
  /** Whether a person has to decide something first. */
  isHeld(): boolean;
  pauses?: readonly number[];
}

/** Whether the same call may go well a moment later. */
const passes = (error: unknown): boolean =>
  !(error instanceof ApiError) || error.status >= 500 || error.status === 408 || error.status === 429;

/** What waits to be saved: sent in order, one call at a time, and kept beyond the page until it is saved. */
export class SaveQueue {
  readonly #options: QueueOptions;
  edits: readonly Waiting[] = [];
  state: 'idle' | 'sending' | 'failing' | 'held' | 'signed-out' | 'read-only' = 'idle';
  /** Edits that the server refuses: they wait until they are tried again, dropped, or overwritten by later ones. */
  refused: ReadonlySet<number> = new Set();
  /** Whether the browser keeps nothing, so that leaving the page would lose what waits. */
  hasStorageFailed = false;
  /** Writes to the browser's database under way. */
  writes = 0;
  /** Calls in a row that failed. */
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
      hold: action,
    });
  }

  get waiting(): number {
    return this.edits.length;
  }

  /** Whether nothing more can be sent until a person decides. */
  get isStuck(): boolean {
    return this.state === 'held' || (this.state === 'idle' && this.waiting > 0);
  }

  /** Whether the last call did not go well. */
  get hasFailed(): boolean {
    return this.failures > 0;
  }

  /** Whether leaving the page now would lose something. */
  get isAtRisk(): boolean {
    return this.waiting > 0 && (this.hasStorageFailed || this.writes > 0);
  }

  /** Takes over what earlier pages left behind, and is kept already. */
  restore(edits: readonly Waiting[]): void {
    runInAction(() => (this.edits = edits));
    this.#nextNumber = Math.max(0, ...edits.map(({ number }) => number)) + 1;
  }

  /** Adds edits that were made together behind all others. */
  push(...commands: readonly SentCommand[]): void {
    if (commands.length === 0) return;
    if (this.refused.size > 0) for (const command of commands) this.#overwrite(command);
    const edits = [...this.edits];
    const rows = new Set<number>();
    const at = this.#options.now();
    for (const [index, command] of commands.entries()) {
      const last = edits.at(-1);
      // What was sent must stay what it is; with what is refused nothing else is refused.
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

  /** Of what was refused, drops what a later command sets anew; what is left is tried again. */
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

  /** Tries again what was refused. */
  retry(number: number): void {
    this.refused = new Set([...this.refused].filter((other) => other !== number));
    this.resume();
  }

  /** Changes what waits: edits that `change` gives null for are dropped. */
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

  /** Edits that were sent in a call, and are neither confirmed nor dropped. */
  of(stamp: Stamp): readonly Waiting[] {
    return this.edits.filter((edit) => isOf(edit, stamp));
  }

  /** Makes edits of a call be sent in another one: the server has not done it. @param isAlone each in one of its own */
  unsend(stamp: Stamp, isAlone = false): void {
    void this.rewrite((edit) => {
      if (!isOf(edit, stamp)) return edit;
      const { sent: _, ...unsent } = edit;
      return { ...unsent, ...(isAlone && { isAlone }) };
    });
  }

  /** Waits for a person's decision. */
  hold(): void {
    if (this.state !== 'idle' && this.state !== 'failing') return;
    clearTimeout(this.#timer);
    this.state = 'held';
  }

  /** Goes on: after a decision, after signing in, or at once instead of after the pause. */
  resume(): void {
    if (this.state === 'sending') return;
    clearTimeout(this.#timer);
    this.state = 'idle';
    this.#next();
  }

  /** Sends nothing until it goes on: the server would refuse it. */
  stop(): void {
    clearTimeout(this.#timer);
    if (this.state !== 'sending') this.#rest('read-only');
  }

  /** Sends nothing more. */
  end(): void {
    this.#isEnded = true;
    clearTimeout(this.#timer);
  }

  /** Waits until everything so far is kept by the browser. */
  settled(): Promise<void> {
    return this.#lastWrite;
  }

  /** The next call; null where there is none. */
  #stampNext(): Stamp | null {
    const { sendable, client } = this.#options;
    const open = this.edits.filter(({ number }) => !this.refused.has(number));
    const begun = open.find(({ sent }) => sent)?.sent;
    if (begun) return begun;
    const able = this.refused.size > 0 ? sendable(open) : open;
    const batch = new Set<number>();
    let characters = 0;
    for (const { number, command, isAlone } of able.slice(0, MOST_COMMANDS)) {
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
    if (this.state !== 'idle' || this.#isEnded) return;
    if (this.#options.isHeld()) {
      this.#rest('held');
      return;
    }
    const stamp = this.#stampNext();
    if (!stamp) return;
    this.#rest('sending');
    void this.#send(stamp);
  }

  async #send(stamp: Stamp): Promise<void> {
    try {
      // Whoever takes this over knows what was sent, and asks whether it arrived.
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

  /** Sends what comes next; nobody sees the moment between. */
  #goOn(): void {
    runInAction(() => {
      this.state = 'idle';
      this.#next();
    });
  }

  #rest(state: SaveQueue['state']): void {
    runInAction(() => (this.state = state));
  }

  /** Has the browser keep what these rows hold by now. */
  async #keep(rows: ReadonlySet<number>): Promise<void> {
    // From now on they are those of whoever opens the room next.
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
