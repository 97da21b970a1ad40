import type { EditStorage, Left, StoredRow } from '../../src/editor/saving/edit-storage.ts';
import type { OldEntry } from '../../src/editor/saving/old-queue.ts';

/** In-memory edit storage, which editors can share in sequence, as in a browser. */
export class MemoryQueue implements EditStorage {
  readonly #rows = new Map<string, string>();
  /** Rows of versions up to 0.9. */
  old: OldEntry[] = [];

  async load(): Promise<Left> {
    const rows = [...this.#rows.values()].map((text): StoredRow => JSON.parse(text));
    const old = this.old.splice(0);
    return { page: crypto.randomUUID(), rows: rows.toSorted((a, b) => a.number - b.number), old };
  }

  async write({ put = [], remove = [] }: Parameters<EditStorage['write']>[0]): Promise<void> {
    for (const row of put) this.#rows.set(`${row.kind} ${row.number}`, JSON.stringify(row));
    for (const row of remove) this.#rows.delete(`${row.kind} ${row.number}`);
  }

  close(): void {}

  /** Number of unsaved edits. */
  get size(): number {
    return [...this.#rows.keys()].filter((key) => key.startsWith('edit')).length;
  }
}
