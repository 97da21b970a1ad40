import { action, computed, makeObservable, observable, observableRef, runInAction } from 'mobx';
import { ApiError } from '../../contract/errors.ts';
import { overFields } from '../document/edit.ts';
import type { KeptQueue, QueueEntry } from './kept-queue.ts';
import type { SaveTask } from './save-task.ts';

/** Milliseconds before a failed call is made again: the last one for every further time. */
const PAUSES = [1000, 2000, 5000, 10_000, 30_000];

/** What became of an entry. */
export type Outcome =
  /** It is saved, or there is nothing left to save. */
  | 'done'
  /** It is to be sent again, changed. */
  | 'again'
  /** A person has to decide first; the queue waits for `resume`. */
  | 'held';

/** What a queue needs of the world. */
export interface QueueOptions {
  kept: KeptQueue;
  /** Sends an entry. Errors that pass make it be sent again later; others go to `refuse`. */
  send(entry: QueueEntry): Promise<Outcome>;
  /** Told of an error that does not pass. */
  refuse(entry: QueueEntry, error: unknown): void;
  /** The form in which a task is kept beyond the page. */
  keptForm(task: SaveTask): SaveTask;
  pauses?: readonly number[];
}

/** Whether the same call may go well a moment later. */
const passes = (error: unknown): boolean =>
  !(error instanceof ApiError) || error.status >= 500 || error.status === 408 || error.status === 429;

/** Two tasks as one, where the second only goes on with what the first does; null where it does not. */
function joined(one: SaveTask, other: SaveTask): SaveTask | null {
  if (one.kind === 'update' && other.kind === 'update' && one.id === other.id)
    return { ...one, fields: overFields(one.fields, other.fields), before: overFields(other.before, one.before) };
  if (one.kind === 'room' && other.kind === 'room')
    return { ...one, fields: overFields(one.fields, other.fields), before: overFields(other.before, one.before) };
  if (one.kind === 'position' && other.kind === 'position' && one.id === other.id)
    return { ...one, fields: { ...one.fields, ...other.fields } };
  if (one.kind === 'hide' && other.kind === 'hide' && one.id === other.id) return other;
  return null;
}

/** What waits to be saved: sent in order, one at a time, and kept beyond the page until it is saved. */
export class SaveQueue {
  readonly #options: QueueOptions;
  entries: readonly QueueEntry[] = [];
  state: 'idle' | 'sending' | 'failing' | 'held' | 'signed-out' = 'idle';
  /** Whether the browser keeps nothing, so that leaving the page would lose what waits. */
  isKeepingFailed = false;
  /** Writes to the browser's database under way. */
  writes = 0;
  /** Calls in a row that failed. */
  failures = 0;
  /** Calls that were begun. */
  sent = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #nextSeq = 1;
  #isEnded = false;
  #lastWrite: Promise<void> = Promise.resolve();

  constructor(options: QueueOptions) {
    this.#options = options;
    makeObservable(this, {
      entries: observableRef,
      state: observable,
      isKeepingFailed: observable,
      writes: observable,
      failures: observable,
      hasFailed: computed,
      waiting: computed,
      isAtRisk: computed,
      push: action,
      resume: action,
    });
  }

  get waiting(): number {
    return this.entries.length;
  }

  /** Whether the last call did not go well. */
  get hasFailed(): boolean {
    return this.failures > 0;
  }

  /** Whether leaving the page now would lose something. */
  get isAtRisk(): boolean {
    return this.waiting > 0 && (this.isKeepingFailed || this.writes > 0);
  }

  /** Takes over what earlier pages left behind. */
  restore(entries: readonly QueueEntry[]): void {
    runInAction(() => (this.entries = entries));
    this.#nextSeq = Math.max(0, ...entries.map(({ seq }) => seq)) + 1;
  }

  /** Adds a task behind all others. */
  push(task: SaveTask, stamp?: string): void {
    const last = this.entries.at(-1);
    // What is on its way, or was, must stay what it is.
    const isUnsent = last && (this.entries.length > 1 || this.state === 'idle');
    const both = isUnsent ? joined(last.task, task) : null;
    const entry = both && last ? { ...last, task: both } : { seq: this.#nextSeq++, task, ...(stamp && { stamp }) };
    this.entries = [...this.entries.slice(0, both ? -1 : undefined), entry];
    void this.#keep({ put: [entry] });
    this.#next();
  }

  /** Changes what waits: entries that `change` gives null for are dropped. */
  rewrite(change: (entry: QueueEntry) => QueueEntry | null): Promise<void> {
    const put: QueueEntry[] = [];
    const remove: number[] = [];
    const entries = this.entries.flatMap((entry) => {
      const changed = change(entry);
      if (!changed) remove.push(entry.seq);
      else if (changed !== entry) put.push(changed);
      return changed ? [changed] : [];
    });
    runInAction(() => (this.entries = entries));
    return this.#keep({ put, remove });
  }

  /** Goes on: after a decision, after signing in, or at once instead of after the pause. */
  resume(): void {
    if (this.state === 'sending') return;
    clearTimeout(this.#timer);
    this.state = 'idle';
    this.#next();
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

  #next(): void {
    if (this.state !== 'idle' || this.#isEnded) return;
    const entry = this.entries[0];
    if (!entry) return;
    this.state = 'sending';
    void this.#send(entry);
  }

  async #send(entry: QueueEntry): Promise<void> {
    this.sent++;
    try {
      const outcome = await this.#options.send(entry);
      if (outcome === 'held') {
        this.#rest('held');
        return;
      }
      runInAction(() => (this.failures = 0));
      if (outcome === 'done') void this.rewrite((other) => (other.seq === entry.seq ? null : other));
      this.#rest('idle');
      this.#next();
    } catch (error) {
      this.#fail(entry, error);
    }
  }

  #fail(entry: QueueEntry, error: unknown): void {
    if (error instanceof ApiError && error.status === 401) {
      this.#rest('signed-out');
      return;
    }
    if (!passes(error)) {
      this.#rest('held');
      this.#options.refuse(entry, error);
      return;
    }
    const pauses = this.#options.pauses ?? PAUSES;
    const pause = pauses[Math.min(this.failures, pauses.length - 1)];
    runInAction(() => this.failures++);
    this.#rest('failing');
    if (!this.#isEnded) this.#timer = setTimeout(() => this.resume(), pause);
  }

  #rest(state: SaveQueue['state']): void {
    runInAction(() => (this.state = state));
  }

  async #keep({ put = [], remove = [] }: { put?: QueueEntry[]; remove?: number[] }): Promise<void> {
    if (put.length + remove.length === 0) return;
    runInAction(() => this.writes++);
    // Tasks are plain data; what the page adds to them, such as being observable, is not to be kept.
    const kept = put.map((entry) => ({ ...entry, task: this.#options.keptForm(entry.task) }));
    const write = this.#options.kept.write({ put: kept, remove });
    this.#lastWrite = write.catch(() => undefined);
    try {
      await write;
      runInAction(() => (this.isKeepingFailed = false));
    } catch {
      runInAction(() => (this.isKeepingFailed = true));
    }
    runInAction(() => this.writes--);
  }
}
