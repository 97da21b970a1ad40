import { action, computed, makeObservable, observable, observableRef, runInAction } from 'mobx';
import type { z } from 'zod';
import { ApiError, type Messages } from '../../contract/errors.ts';
import { sayMessage } from '../../ui/language/say-message.ts';
import { type ListCalls, ListStore, type LoadState, stateOf } from './list-store.ts';

/** API calls of an area, and how to map an entry to a draft. */
interface AreaCalls<Row, Entry, Draft extends object> extends ListCalls<Row> {
  read(id: number): Promise<Entry>;
  create(draft: Draft): Promise<Entry>;
  /** @param stamp version the form was opened with */
  update(id: number, draft: Draft, stamp: string): Promise<Entry>;
  /** Maps an entry to a draft; null gives the defaults. */
  draftOf(entry: Entry | null): Draft;
  /** Client-side schema, with the server's messages. */
  schema?: z.ZodType;
  /** Further client-side checks, by field. @param entry the stored entry; null when adding */
  check?(draft: Draft, entry: Entry | null): Messages;
}

/** An area of the back-office: its list, and the entry open in the form. */
export class AreaStore<
  Row extends { id: number },
  Entry extends { id: number; updated_at: string },
  Draft extends object,
> extends ListStore<Row> {
  protected readonly calls: AreaCalls<Row, Entry, Draft>;

  entry: Entry | null = null;
  entryState: LoadState = 'loading';
  /** Why the entry could not be loaded, or null. */
  loadError: unknown = null;
  draft: Draft;
  isSaving = false;
  /** Form errors by field; `error` for the rest. */
  errors: Messages = {};
  /** Whether someone else saved the entry since it was opened. */
  isStale = false;
  #begun: string;
  #reads = 0;

  constructor(calls: AreaCalls<Row, Entry, Draft>) {
    super(calls);
    this.calls = calls;
    this.draft = calls.draftOf(null);
    this.#begun = JSON.stringify(this.draft);
    makeObservable(this, {
      entry: observableRef,
      entryState: observable,
      draft: observableRef,
      isSaving: observable,
      errors: observableRef,
      isStale: observable,
      isDirty: computed,
      set: action,
      begin: action,
      discard: action,
      restore: action,
    });
  }

  /** Whether the form has unsaved changes. */
  get isDirty(): boolean {
    return JSON.stringify(this.draft) !== this.#begun;
  }

  /** Starts a new entry. */
  begin(draft: Draft = this.calls.draftOf(null)): void {
    this.#reads++;
    this.entry = null;
    this.entryState = 'ready';
    this.#take(draft);
  }

  /** Opens an entry in the form. */
  async open(id: number): Promise<void> {
    const run = ++this.#reads;
    runInAction(() => {
      this.entry = null;
      this.entryState = 'loading';
    });
    try {
      const entry = await this.calls.read(id);
      if (run === this.#reads) runInAction(() => this.#show(entry));
    } catch (error) {
      if (run === this.#reads)
        runInAction(() => {
          this.loadError = error;
          this.entryState = stateOf(error);
        });
    }
  }

  #show(entry: Entry): void {
    this.entry = entry;
    this.entryState = 'ready';
    this.#take(this.calls.draftOf(entry));
  }

  #take(draft: Draft): void {
    this.draft = draft;
    this.#begun = JSON.stringify(draft);
    this.errors = {};
    this.isStale = false;
  }

  /** Changes form fields. */
  set(changes: Partial<Draft>): void {
    this.draft = { ...this.draft, ...changes };
    const left = Object.entries(this.errors).filter(
      ([name]) => !Object.keys(changes).some((key) => isAbout(name, key)),
    );
    this.errors = Object.fromEntries(left);
  }

  /** Restores a kept draft on top of the stored entry. */
  restore(draft: Draft): void {
    this.draft = { ...this.draft, ...draft };
  }

  /** Discards the draft. */
  discard(): void {
    this.#take(this.calls.draftOf(this.entry));
  }

  /** Client-side validation errors. */
  #check(): Messages {
    const result = this.calls.schema?.safeParse(this.draft);
    const byField = Map.groupBy(result?.error?.issues ?? [], ({ path }) => path.join('.') || 'error');
    const wrong = [...byField].map(
      ([name, issues]) => [name, issues.map(({ message }) => sayMessage(message))] as const,
    );
    return { ...Object.fromEntries(wrong), ...this.calls.check?.(this.draft, this.entry) };
  }

  /**
   * Saves the form. The draft stays on failure.
   * @param over whether to overwrite a version saved by someone else
   * @returns the saved entry, or null if invalid
   */
  async save({ over = false } = {}): Promise<Entry | null> {
    if (this.isSaving) return null;
    const wrong = this.#check();
    if (Object.keys(wrong).length > 0) {
      runInAction(() => (this.errors = wrong));
      return null;
    }
    runInAction(() => {
      this.isSaving = true;
      this.errors = {};
    });
    const { entry, draft } = this;
    try {
      const stamp = over && entry ? (await this.calls.read(entry.id)).updated_at : entry?.updated_at;
      const saved = await (entry ? this.calls.update(entry.id, draft, stamp!) : this.calls.create(draft));
      runInAction(() => this.#show(saved));
      return saved;
    } catch (error) {
      runInAction(() => {
        this.isStale = error instanceof ApiError && error.code === 'stale' && entry !== null;
        if (!this.isStale)
          this.errors =
            error instanceof ApiError && Object.keys(error.msg).some((name) => name !== 'error')
              ? error.msg
              : { error: [sentenceOf(error)] };
      });
      return null;
    } finally {
      runInAction(() => (this.isSaving = false));
    }
  }
}

/** What went wrong, and what to do. */
const sentenceOf = (error: unknown): string =>
  error instanceof ApiError ? `${error.message} ${error.suggestion}` : 'The server could not be reached. Try again.';

/** Whether an error's field is this one, or lies in it. */
const isAbout = (name: string, field: string) => name === field || name.startsWith(`${field}.`);
