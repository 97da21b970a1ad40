import type { DraftStorage, TypedFields } from '../../src/editor/edit-window/draft-storage.ts';

/** In-memory draft storage, which editors can share in sequence, as in a browser. */
export class MemoryDrafts implements DraftStorage {
  readonly #entries = new Map<number, string>();

  load(): TypedFields {
    return new Map([...this.#entries].map(([id, text]) => [id, JSON.parse(text)]));
  }

  write(put: TypedFields, remove: Iterable<number>): boolean {
    for (const id of remove) this.#entries.delete(id);
    for (const [id, fields] of put) this.#entries.set(id, JSON.stringify(fields));
    return true;
  }
}
