/**
 * The longest run of values, in their order, of which each is larger than the one before: what may stay where it is when
 * a list is put into another order. Patience sorting, in n log n.
 * @param values numbers of which none is there twice
 * @returns the values of the run
 */
export function longestRising(values: readonly number[]): Set<number> {
  /** For each length, the index of the smallest value that a run of that length ends with. */
  const ends: number[] = [];
  const before: number[] = [];
  for (const [index, value] of values.entries()) {
    let low = 0;
    let high = ends.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (values[ends[middle]!]! < value) low = middle + 1;
      else high = middle;
    }
    before.push(low > 0 ? ends[low - 1]! : -1);
    ends[low] = index;
  }
  const run = new Set<number>();
  for (let index = ends.at(-1) ?? -1; index >= 0; index = before[index]!) run.add(values[index]!);
  return run;
}
