import { makeAutoObservable } from 'mobx';
import { ApiError } from '../../contract/errors.ts';
import { showNotification, showProblem } from '../../ui/notifications.ts';

/** A stored entry with its version. */
export interface Stamped {
  id: number;
  updated_at: string;
}

/** How to read and change an entry's name. */
export interface RenameCalls<Row extends Stamped> {
  nameOf(row: Row): string;
  /** Whether the user may rename. */
  may(row: Row): boolean;
  /** @param stamp version of the entry */
  rename(id: number, name: string, stamp: string): Promise<Stamped>;
  /** Reloads the list. */
  load(): Promise<unknown>;
}

const STALE = 'Someone else changed this entry. Press Enter again to save your name anyway.';

/** Inline renaming, one entry at a time. */
export class Renaming<Row extends Stamped> {
  readonly #calls: RenameCalls<Row>;
  /** Id of the entry being renamed, or null. */
  id: number | null = null;

  constructor(calls: RenameCalls<Row>) {
    this.#calls = calls;
    makeAutoObservable(this);
  }

  /** Opens the field of an entry. */
  begin(id: number): void {
    this.id = id;
  }

  /** Closes the field of an entry, unless another one is open. */
  end(id: number): void {
    if (this.id === id) this.id = null;
  }

  nameOf(row: Row): string {
    return this.#calls.nameOf(row);
  }

  /** Whether an entry is being renamed. */
  has(row: Row): boolean {
    return this.id === row.id && this.may(row);
  }

  may(row: Row): boolean {
    return this.#calls.may(row);
  }

  /**
   * Renames an entry and offers undo.
   * @returns the error message; null if saved
   */
  async save(row: Row, typed: string): Promise<string | null> {
    const { nameOf, rename, load } = this.#calls;
    const before = nameOf(row);
    const name = typed.trim();
    if (name !== before) {
      try {
        const saved = await rename(row.id, name, row.updated_at);
        showNotification(`“${before}” is now “${name}”.`, {
          label: 'Undo',
          act: () => void rename(row.id, before, saved.updated_at).catch(showProblem).then(load),
        });
      } catch (error) {
        if (!(error instanceof ApiError)) return 'The server could not be reached. Try again.';
        if (error.code === 'not_found') showProblem(error);
        if (error.code === 'not_found' || error.code === 'stale') await load();
        if (error.code === 'stale') return STALE;
        if (error.code !== 'not_found') return Object.values(error.msg).flat()[0] ?? error.message;
      }
      await load();
    }
    return null;
  }
}
