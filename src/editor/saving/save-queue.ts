import { action, computed, makeObservable, observable, observableRef, runInAction } from 'mobx';
import { ApiError } from '../../contract/errors.ts';
import { overFields } from '../session/edit.ts';
import type { KeptQueue, QueueEntry } from './kept-queue.ts';
import { aboutOf, type SaveTask, speaksOf, withoutLater } from './save-task.ts';

/** Milliseconds before a failed call is made again: the last one for every further time. */
const PAUSES = [1000, 2000, 5000, 10_000, 30_000];

/** What became of an entry. */
export type Outcome =
  /** It is saved, or there is nothing left to save. */
  | 'done'
  /** It is to be sent again, changed. */
  | 'again'
  /** A person has to decide first; everything waits for `resume`. */
  | 'held';

/** What a queue needs from outside. */
export interface QueueOptions {
  kept: KeptQueue;
  /** Sends an entry. Errors that pass make it be sent again later; others go to `refuse`. */
  send(entry: QueueEntry): Promise<Outcome>;
  /** Told of an error that does not pass: the entry is put aside, and the others go on. */
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
  /** Entries that the server refuses: they wait until they are tried again, dropped, or overwritten by later ones. */
  refused: ReadonlySet<number> = new Set();
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
  /** The entry that is on its way, or was when the last call failed. */
  #begun: number | null = null;
  #isEnded = false;
  #lastWrite: Promise<void> = Promise.resolve();

  constructor(options: QueueOptions) {
    this.#options = options;
    makeObservable(this, {
      entries: observableRef,
      state: observable,
      refused: observableRef,
      isKeepingFailed: observable,
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
    return this.entries.length;
  }

  /** What waits besides the entry that is on its way. */
  get others(): readonly QueueEntry[] {
    return this.entries.filter(({ seq }) => seq !== this.#begun);
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
    return this.waiting > 0 && (this.isKeepingFailed || this.writes > 0);
  }

  /** Takes over what earlier pages left behind. */
  restore(entries: readonly QueueEntry[]): void {
    runInAction(() => (this.entries = entries));
    this.#nextSeq = Math.max(0, ...entries.map(({ seq }) => seq)) + 1;
  }

  /** Adds a task behind all others. */
  push(task: SaveTask, stamp?: string): void {
    this.#overwrite(task);
    const last = this.entries.at(-1);
    // What is on its way, or was, must stay what it is; with what is refused nothing else is refused.
    const isUnsent = last && last.seq !== this.#begun && !this.refused.has(last.seq);
    const both = isUnsent ? joined(last.task, task) : null;
    const entry = both && last ? { ...last, task: both } : { seq: this.#nextSeq++, task, ...(stamp && { stamp }) };
    this.entries = [...this.entries.slice(0, both ? -1 : undefined), entry];
    void this.#keep({ put: [entry] });
    this.#next();
  }

  /** Of what was refused, drops what a later task sets anew; what is left is tried again. */
  #overwrite(later: SaveTask): void {
    const left = new Set(this.refused);
    void this.rewrite((entry) => {
      const task = this.refused.has(entry.seq) ? withoutLater(entry.task, later) : entry.task;
      if (task === entry.task) return entry;
      left.delete(entry.seq);
      return task && { ...entry, task };
    });
    if (left.size !== this.refused.size) this.refused = left;
  }

  /** Tries again what was refused. */
  retry(seq: number): void {
    this.refused = new Set([...this.refused].filter((other) => other !== seq));
    this.resume();
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
    const refused = [...this.refused].filter((seq) => !remove.includes(seq));
    runInAction(() => {
      this.entries = entries;
      if (refused.length < this.refused.size) this.refused = new Set(refused);
    });
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
    const entry = this.entries.find((each) => this.#canGo(each));
    if (!entry) return;
    this.state = 'sending';
    this.#begun = entry.seq;
    void this.#send(entry);
  }

  /** Whether an entry can be sent before what was refused: not what speaks of an element that is not there. */
  #canGo({ seq, task }: QueueEntry): boolean {
    if (this.refused.has(seq)) return false;
    const missing = this.entries.flatMap((other) =>
      this.refused.has(other.seq) && other.task.kind === 'add' ? aboutOf(other.task) : [],
    );
    return !missing.some((id) => speaksOf(task, id));
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
      runInAction(() => {
        this.refused = new Set([...this.refused, entry.seq]);
        this.failures = 0;
      });
      this.#begun = null;
      this.#options.refuse(entry, error);
      this.#rest('idle');
      this.#next();
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
