import type { Item } from '../io/read-items.ts';

/** Where a thing stands. */
export type Place = Omit<Item, 'value'>;

/** Remembers where each of many things stands, in a few bytes for each. */
export class Places {
  readonly #files: { name: string; isTable: boolean; first: number }[] = [];
  #lines = new Uint32Array(1024);
  #count = 0;

  /** Notes the next thing. */
  add({ file, line, isRow }: Item): void {
    if (this.#files.at(-1)?.name !== file) this.#files.push({ name: file, isTable: isRow, first: this.#count });
    if (this.#count === this.#lines.length) {
      const more = new Uint32Array(this.#count * 2);
      more.set(this.#lines);
      this.#lines = more;
    }
    this.#lines[this.#count++] = line;
  }

  /** How many there are. */
  get count(): number {
    return this.#count;
  }

  /** Where a thing stands: its file and line, and whether it is a row of a table. */
  at(index: number): Place | undefined {
    const file = this.#files.findLast(({ first }) => first <= index);
    return file && { file: file.name, line: this.#lines[index]!, isRow: file.isTable };
  }
}
