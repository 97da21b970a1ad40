import { makeAutoObservable } from 'mobx';
import { ApiError } from '../../contract/errors.ts';
import { showNotification, showProblem } from '../../ui/notifications.ts';

/** An entry as it is stored: its version goes with what changes it. */
export interface Stamped {
  id: number;
  updated_at: string;
}

/** What an entry is called, and the calls behind another name. */
export interface RenameCalls<Row extends Stamped> {
  nameOf(row: Row): string;
  /** Whether the user may. */
  may(row: Row): boolean;
  /** @param stamp version of the entry whose name is changed */
  rename(id: number, name: string, stamp: string): Promise<Stamped>;
  /** Loads the list again. */
  load(): Promise<unknown>;
}

const STALE = 'Somebody else changed this in the meantime. Press Enter again to save your name over theirs.';

/** Names of a list that are changed where they stand, one at a time. */
export class Renaming<Row extends Stamped> {
  readonly #calls: RenameCalls<Row>;
  /** Entry whose name is changed; null for none. */
  id: number | null = null;

  constructor(calls: RenameCalls<Row>) {
    this.#calls = calls;
    makeAutoObservable(this);
  }

  /** Opens the field of an entry. */
  begin(id: number): void {
    this.id = id;
  }

  /** Closes the field of an entry, unless that of another is open. */
  end(id: number): void {
    if (this.id === id) this.id = null;
  }

  nameOf(row: Row): string {
    return this.#calls.nameOf(row);
  }

  /** Whether the name of an entry stands in a field. */
  has(row: Row): boolean {
    return this.id === row.id && this.may(row);
  }

  may(row: Row): boolean {
    return this.#calls.may(row);
  }

  /**
   * Gives an entry another name, and offers the one that it had.
   * @returns what is wrong with the name; null when it is saved
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
