import type { Item } from '../io/read-items.ts';

/** The location of an item. */
export type Place = Omit<Item, 'value'>;

/** Stores the locations of many items, in a few bytes each. */
export class Places {
  readonly #files: { name: string; isTable: boolean; first: number }[] = [];
  #lines = new Uint32Array(1024);
  #count = 0;
  add({ file, line, isRow }: Item): void {
    if (this.#files.at(-1)?.name !== file) this.#files.push({ name: file, isTable: isRow, first: this.#count });
    if (this.#count === this.#lines.length) {
      const more = new Uint32Array(this.#count * 2);
      more.set(this.#lines);
      this.#lines = more;
    }
    this.#lines[this.#count++] = line;
  }

  get count(): number {
    return this.#count;
  }

  /** The location of an item: its file and line, and whether it is a table row. */
  at(index: number): Place | undefined {
    const file = this.#files.findLast(({ first }) => first <= index);
    return file && { file: file.name, line: this.#lines[index]!, isRow: file.isTable };
  }
}
