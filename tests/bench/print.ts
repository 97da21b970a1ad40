import type { Outcomes } from './bench.ts';
import type { Run } from './results.ts';
import { ROWS, type Row } from './rows.ts';
import type { Verdict } from './verdict.ts';

/** A number with about three digits. */
export function short(value: number | undefined): string {
  if (value === undefined) return '';
  if (Math.abs(value) >= 100 || Number.isInteger(value)) return value.toFixed(0);
  return value.toFixed(Math.abs(value) >= 10 ? 1 : 2);
}

/** A limit with its direction. */
const bound = ({ isMoreBetter }: Row, value: number | undefined): string =>
  value === undefined ? '' : `${isMoreBetter ? '≥' : '≤'} ${short(value)}`;

function wordOf({ row, outcome, fault, reachesTarget, reachesMoonshot }: Verdict): string {
  if (fault) return `FAILS: ${fault}`;
  if (!outcome) return `later: ${row.later}`;
  if (!('value' in outcome)) return `not measured: ${outcome.reason}`;
  if (reachesMoonshot) return 'moonshot';
  if (reachesTarget) return 'ok';
  if (reachesTarget === undefined) return '';
  return row.later ? `misses its target; later: ${row.later}` : 'misses its target';
}

const WIDTHS = [18, 58, 9, 9, 10, 10, 9] as const;
const line = (cells: readonly string[]) =>
  cells
    .map((cell, index) => {
      const width = WIDTHS[index];
      if (width === undefined) return cell;
      return index < 2 || index === 6 ? cell.padEnd(width) : cell.padStart(width);
    })
    .join('  ')
    .trimEnd();

/** The table of a run: ours, target and moonshot beside each other. */
export function tableOf(verdicts: readonly Verdict[]): string {
  const rows = verdicts.map((verdict) => {
    const { row, outcome, baseline } = verdict;
    const value = outcome && 'value' in outcome ? short(outcome.value) : '';
    const marks = [bound(row, row.target), bound(row, row.moonshot)];
    const detail = outcome && 'value' in outcome ? outcome.detail : undefined;
    const end = [wordOf(verdict), detail && `(${detail})`].filter(Boolean).join('  ');
    return line([row.id, row.job, value, short(baseline), ...marks, row.unit, end]);
  });
  return [line(['row', 'job', 'ours', 'baseline', 'target', 'moonshot', 'unit']), ...rows].join('\n');
}

/** Why a baseline guards less than it should; empty if it guards every row. */
export function weaknessesOf(verdicts: readonly Verdict[], processor: string, baseline: Run): string[] {
  const old = verdicts.filter(({ hasOldBaseline }) => hasOldBaseline).map(({ row }) => row.id);
  const advice = 'Replace it with --quick --write-baseline.';
  return [
    ...(processor === baseline.processor
      ? []
      : [`The baseline is from another processor, ${baseline.processor}. ${advice}`]),
    ...(old.length === 0
      ? []
      : [`Far better than the baseline, which guards them no longer: ${old.join(', ')}. ${advice}`]),
  ];
}

const titleOf = ({ commit, date, isQuick, processor }: Run) =>
  `${isQuick ? 'quick' : 'full'} run of ${commit}, ${date.slice(0, 10)}, ${processor}`;

const figureIn = (outcomes: Outcomes, { id }: Row) => {
  const outcome = outcomes[id];
  return outcome && 'value' in outcome ? outcome.value : undefined;
};

/** Two runs beside each other, with the change in per cent. */
export function comparisonOf(first: Run, second: Run): string {
  const rows = ROWS.flatMap((row) => {
    const [before, after] = [figureIn(first.outcomes, row), figureIn(second.outcomes, row)];
    if (before === undefined && after === undefined) return [];
    const change = before && after !== undefined ? ((after - before) / before) * 100 : undefined;
    const isBetter = change !== undefined && (row.isMoreBetter ? change > 0 : change < 0);
    const percent = change === undefined ? '' : `${change > 0 ? '+' : ''}${change.toFixed(0)} %`;
    const word = change === undefined || Math.abs(change) < 1 ? '' : isBetter ? 'better' : 'worse';
    return [line([row.id, row.job, short(before), short(after), percent, word, row.unit])];
  });
  const head = line(['row', 'job', 'first', 'second', 'change', '', 'unit']);
  const differs = first.processor !== second.processor && '\nThe processors differ: only compare within one machine.';
  const sizes = first.isQuick !== second.isQuick && '\nThe sizes differ: one run is quick, the other is full.';
  return [`first:  ${titleOf(first)}\nsecond: ${titleOf(second)}${differs || ''}${sizes || ''}\n`, head, ...rows].join(
    '\n',
  );
}

const BEGIN = '<!-- results: npm run bench -- --write-readme -->';
const END = '<!-- end of results -->';

/** Replaces the table of results in the README. @throws Error if it has no place for it */
export function withResults(readme: string, run: Run): string {
  const [begin, end] = [readme.indexOf(BEGIN), readme.indexOf(END)];
  if (begin < 0 || end < begin) throw new Error('The README has no place for results.');
  const rows = ROWS.map((row) => {
    const outcome = run.outcomes[row.id];
    const ours =
      outcome && 'value' in outcome
        ? `${short(outcome.value)} ${row.unit}`.trim()
        : `– (${outcome?.reason ?? row.later ?? 'not measured'})`;
    return `| ${[row.id, row.job, ours, bound(row, row.target), bound(row, row.moonshot)].join(' | ')} |`;
  });
  const table = ['| row | job | ours | target | moonshot |', '| --- | --- | --- | --- | --- |', ...rows].join('\n');
  const rounds = Math.max(...Object.values(run.rounds));
  const medians = rounds === 1 ? 'one round' : `medians of up to ${rounds} rounds`;
  const about = `Measured by a ${titleOf(run)}, Node ${run.node}; ${medians}.`;
  return `${readme.slice(0, begin)}${BEGIN}\n\n${about}\n\n${table}\n\n${readme.slice(end)}`;
}
