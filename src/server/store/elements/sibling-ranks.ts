/**
 * Ranks of siblings are whole numbers with room between them, so that what comes between two needs no other one to move. Where
 * there is no room, those around are spread.
 */

/** Distance of ranks where nothing stands in the way. */
const STEP = 1024;

/** Ranks stay within this, for columns hold 32 bits: beyond it all siblings are numbered anew. */
const FARTHEST = 2 ** 30;

/** Siblings that need a rank, in order, and those that stand before and behind them and stay. */
export interface Gap {
  before?: number;
  ids: number[];
  behind?: number;
}

/**
 * Places that can stay as they are, most of them: a longest row of them with rising values.
 * @param values of each place; undefined where nothing is known, which never stays
 * @see Fredman, "On computing the length of longest increasing subsequences", 1975
 */
export function longestRising(values: readonly (number | undefined)[]): number[] {
  /** Place of the least last value of a row of each length. */
  const lasts: number[] = [];
  const before = new Map<number, number | undefined>();
  for (const [place, value] of values.entries()) {
    if (value === undefined) continue;
    let [low, high] = [0, lasts.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (values[lasts[middle]!]! < value) low = middle + 1;
      else high = middle;
    }
    before.set(place, lasts[low - 1]);
    lasts[low] = place;
  }
  const found: number[] = [];
  for (let place = lasts.at(-1); place !== undefined; place = before.get(place)) found.push(place);
  return found.reverse();
}

/** What stands between those that stay. @param places of the order at which they do, rising */
function gapsIn(order: readonly number[], places: readonly number[]): Gap[] {
  return [...places, order.length].flatMap((place, at) => {
    const from = (places[at - 1] ?? -1) + 1;
    return from === place ? [] : [{ before: order[from - 1], ids: order.slice(from, place), behind: order[place] }];
  });
}

/**
 * What has to get a rank so that siblings stand in another order: as few as can be.
 * @param was ids in the order of their ranks
 * @param is ids in the order that they shall have, new ones among them
 */
export function gapsOf(was: readonly number[], is: readonly number[]): Gap[] {
  let first = 0;
  while (first < is.length && is[first] === was[first]) first++;
  let left = 0;
  while (left < Math.min(was.length, is.length) - first && is.at(-1 - left) === was.at(-1 - left)) left++;
  const places = new Map(was.slice(first, was.length - left).map((id, place) => [id, place]));
  const middle = is.slice(first, is.length - left);
  const gaps = gapsIn(middle, longestRising(middle.map((id) => places.get(id))));
  return gaps.map(({ before = is[first - 1], ids, behind = is[is.length - left] }) => ({ before, ids, behind }));
}

/** The ranks of `count` siblings between two; null where there is no room for them. */
function ranksBetween(low: number | undefined, high: number | undefined, count: number): number[] | null {
  const numbers = Array.from({ length: count }, (_, index) => index + 1);
  if (low === undefined && high === undefined) return numbers.map((number) => (number - 1) * STEP);
  if (high === undefined) return numbers.map((number) => low! + number * STEP);
  if (low === undefined) return numbers.map((number) => high - (count + 1 - number) * STEP);
  if (high - low <= count) return null;
  return numbers.map((number) => low + Math.floor((number * (high - low)) / (count + 1)));
}

/**
 * Ranks for what stands in gaps.
 * @param known ranks of those around them, by id
 * @returns ranks by id; null where there is no room
 */
export function ranksIn(gaps: readonly Gap[], known: ReadonlyMap<number, number>): Map<number, number> | null {
  const ranks = new Map<number, number>();
  for (const { before, ids, behind } of gaps) {
    const found = ranksBetween(known.get(before ?? Number.NaN), known.get(behind ?? Number.NaN), ids.length);
    if (!found || Math.max(Math.abs(found[0]!), Math.abs(found.at(-1)!)) > FARTHEST) return null;
    for (const [index, id] of ids.entries()) ranks.set(id, found[index]!);
  }
  return ranks;
}

/**
 * Ranks so that siblings stand in an order, where gaps alone had no room: some of those around get others, too.
 * @param known ranks of all siblings that have one, by id
 */
export function spreadRanks(order: readonly number[], known: ReadonlyMap<number, number>): Map<number, number> {
  const rankAt = (place: number) => known.get(order[place]!)!;
  let fixed = longestRising(order.map((id) => known.get(id)));
  for (let gap = 1; gap < fixed.length; gap++) {
    let [from, till] = [gap - 1, gap];
    const [low, high] = [fixed[from]!, fixed[till]!];
    if (rankAt(high) - rankAt(low) >= high - low) continue;
    // Ever more of those around, until there is room for as many again.
    for (let more = 1; from >= 0 && till < fixed.length; more *= 2) {
      if (rankAt(fixed[till]!) - rankAt(fixed[from]!) > 2 * (fixed[till]! - fixed[from]!)) break;
      from -= more;
      till += more;
    }
    fixed = [...fixed.slice(0, Math.max(0, from + 1)), ...fixed.slice(till)];
    gap = Math.max(0, from);
  }
  return ranksIn(gapsIn(order, fixed), known) ?? ranksIn([{ ids: [...order] }], known)!;
}
