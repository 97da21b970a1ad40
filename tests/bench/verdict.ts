import type { Figure, Outcome, Outcomes } from './bench.ts';
import { JOBS, jobOf, type Row } from './rows.ts';

/** Factor by which a row may be worse than the baseline: machines are noisy. */
export const TOLERANCE = 1.5;

/** Whether a value is at least as good as another. */
const isAsGood = ({ isMoreBetter }: Row, value: number, mark: number): boolean =>
  isMoreBetter ? value >= mark : value <= mark;

/** Whether a value is worse than the baseline by more than noise. */
export function isWorse(row: Row, value: number, baseline: number): boolean {
  // A heap that shrank was lucky: nothing is better than no growth.
  const mark = row.isMoreBetter ? baseline : Math.max(baseline, 0);
  if (isAsGood(row, value, mark)) return false;
  const isBeyondRatio = row.isMoreBetter ? value * TOLERANCE < mark : value > mark * TOLERANCE;
  return isBeyondRatio && Math.abs(value - mark) > (row.slack ?? 0);
}

/** Whether a value is so much better than the baseline that the gate would let half of the gain go again. */
export const isOutgrown = (row: Row, value: number, baseline: number): boolean => isWorse(row, baseline, value);

/** The better one of two outcomes of a row. */
export function betterOf(row: Row, one: Outcome, other: Outcome): Outcome {
  if (!('value' in one) || Number.isNaN(one.value)) return other;
  return 'value' in other && isAsGood(row, other.value, one.value) ? other : one;
}

/** How a row did. */
export interface Verdict {
  row: Row;
  outcome?: Outcome;
  baseline?: number;
  /** Undefined if it was not measured or has no target. */
  reachesTarget?: boolean;
  reachesMoonshot?: boolean;
  /** Whether the baseline is far worse, so that it no longer guards the row. */
  hasOldBaseline?: boolean;
  /** Why the run fails because of it. */
  fault?: string;
  /** Whether another try may help. */
  isRetried?: boolean;
}

/** What a run is judged by. */
interface Rules {
  /** Outcomes of the baseline: only quick runs are compared with it. */
  baseline?: Outcomes;
  /** Whether every missed target is a fault, as in full runs. */
  needsTargets: boolean;
}

/** The baseline's value on a machine as fast as that of the run. */
function markOf(before: Outcome | undefined, { beside }: Figure): number | undefined {
  if (!before || !('value' in before)) return undefined;
  return before.value * (beside && before.beside ? beside / before.beside : 1);
}

function judgeRow(row: Row, outcome: Outcome | undefined, { baseline, needsTargets }: Rules): Verdict {
  if (!row.bench) return row.later ? { row } : { row, fault: 'has neither a bench nor a reason' };
  if (!outcome) return { row, fault: `was not measured by ${row.bench}` };
  if (!('value' in outcome)) return { row, outcome };
  const { value } = outcome;
  const { target, moonshot } = row;
  const mark = markOf(baseline?.[row.id], outcome);
  const verdict: Verdict = {
    row,
    outcome,
    ...(mark !== undefined && { baseline: mark }),
    ...(mark !== undefined && isOutgrown(row, value, mark) && { hasOldBaseline: true }),
    ...(target !== undefined && { reachesTarget: isAsGood(row, value, target) }),
    ...(moonshot !== undefined && { reachesMoonshot: isAsGood(row, value, moonshot) }),
  };
  if (Number.isNaN(value)) return { ...verdict, fault: 'is not a number', isRetried: true };
  if (verdict.reachesTarget === false && (row.isRequired || (needsTargets && !row.later)))
    return { ...verdict, fault: 'misses its target', isRetried: true };
  if (mark !== undefined && isWorse(row, value, mark))
    return { ...verdict, fault: 'is worse than the baseline', isRetried: true };
  return verdict;
}

/** Judges the rows of a run, each by its target, its baseline, and whether it was measured at all. */
export const judge = (rows: readonly Row[], outcomes: Outcomes, rules: Rules): Verdict[] =>
  rows.map((row) => judgeRow(row, outcomes[row.id], rules));

/** Jobs without a row, and outcomes that belong to none. */
export function strays(rows: readonly Row[], outcomes: Outcomes): string[] {
  const jobs = new Set(rows.map(jobOf));
  const ids = new Set(rows.map(({ id }) => id));
  return [
    ...JOBS.filter((job) => !jobs.has(job)).map((job) => `Job ${job} has no row.`),
    ...Object.keys(outcomes)
      .filter((id) => !ids.has(id))
      .map((id) => `${id} was measured, but has no row.`),
  ];
}
