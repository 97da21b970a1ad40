import { action, computed, makeObservable, observable, observableRef, runInAction } from 'mobx';
import type { z } from 'zod';
import type { Client } from '../../contract/client.ts';
import type { ChangedEntity } from '../../contract/entities.ts';
import { ApiError, type Messages } from '../../contract/errors.ts';
import { doWithEach, sentenceOf } from './do-with-each.ts';
import { type ListCalls, ListStore, type LoadState, stateOf } from './list-store.ts';
import { offerUndo } from './offer-undo.ts';

/** The calls of an area, and how an entry becomes what its form edits. */
export interface AreaCalls<Row, Entry, Draft extends object> extends ListCalls<Row> {
  read(id: number): Promise<Entry>;
  create(draft: Draft): Promise<Entry>;
  /** @param stamp version that the form began with */
  update(id: number, draft: Draft, stamp: string): Promise<Entry>;
  remove(id: number): Promise<unknown>;
  /** What the bin calls what is removed here, and who asks it; nothing where it keeps nothing. */
  bin?: { client: Client; entity: ChangedEntity };
  /** What a form edits; of null, what a new entry begins with. */
  draftOf(entry: Entry | null): Draft;
  /** What a form must hold before it is sent; the sentences are those of the server. */
  schema?: z.ZodType;
  /** What else is wrong with a form before it is sent, by field. @param entry as it is stored; null for a new one */
  check?(draft: Draft, entry: Entry | null): Messages;
}

/** One area of the back-office: its list, and the one entry whose form is open. */
export class AreaStore<
  Row extends { id: number },
  Entry extends { id: number; updated_at: string },
  Draft extends object,
> extends ListStore<Row> {
  protected readonly calls: AreaCalls<Row, Entry, Draft>;

  entry: Entry | null = null;
  entryState: LoadState = 'loading';
  /** Why the entry could not be loaded; null where it could. */
  loadError: unknown = null;
  draft: Draft;
  isSaving = false;
  /** What is wrong with the form, by field; `error` where no field is at fault. */
  errors: Messages = {};
  /** Whether somebody else saved the entry since it was opened. */
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

  /** Whether the form holds something that is not saved. */
  get isDirty(): boolean {
    return JSON.stringify(this.draft) !== this.#begun;
  }

  /** Begins the form of a new entry. */
  begin(draft: Draft = this.calls.draftOf(null)): void {
    this.#reads++;
    this.entry = null;
    this.entryState = 'ready';
    this.#take(draft);
  }

  /** Opens the form of an entry. */
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

  /** Changes fields of the form. */
  set(changes: Partial<Draft>): void {
    this.draft = { ...this.draft, ...changes };
    const left = Object.entries(this.errors).filter(
      ([name]) => !Object.keys(changes).some((key) => isAbout(name, key)),
    );
    this.errors = Object.fromEntries(left);
  }

  /** Puts back what was typed before, on top of what is stored. */
  restore(draft: Draft): void {
    this.draft = { ...this.draft, ...draft };
  }

  /** Forgets what was typed. */
  discard(): void {
    this.#take(this.calls.draftOf(this.entry));
  }

  /** What is wrong with the form before it is sent. */
  #check(): Messages {
    const result = this.calls.schema?.safeParse(this.draft);
    const byField = Map.groupBy(result?.error?.issues ?? [], ({ path }) => path.join('.') || 'error');
    const wrong = [...byField].map(([name, issues]) => [name, issues.map(({ message }) => message)] as const);
    return { ...Object.fromEntries(wrong), ...this.calls.check?.(this.draft, this.entry) };
  }

  /**
   * Saves the form. What was typed stays when it fails.
   * @param over whether a version that somebody else saved meanwhile is replaced
   * @returns the saved entry, or null when something is wrong with it
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

  /**
   * Removes an entry and loads the list again.
   * @throws ApiError with the server's sentences
   */
  async remove(id: number): Promise<void> {
    await this.calls.remove(id);
    await this.load();
    const { bin } = this.calls;
    if (bin) void offerUndo(bin.client, bin.entity, [id], () => this.load());
  }

  /**
   * Removes entries one after another, and loads the list again; the bin gives them back together.
   * @returns why some of them stayed, as sentences
   */
  async removeMany(ids: readonly number[]): Promise<string[]> {
    const { done, problems } = await doWithEach(ids, (id) => this.calls.remove(id));
    await this.load();
    const { bin } = this.calls;
    if (bin) void offerUndo(bin.client, bin.entity, done, () => this.load());
    return problems;
  }
}

/** Whether an error's field is this one, or lies in it. */
const isAbout = (name: string, field: string) => name === field || name.startsWith(`${field}.`);
