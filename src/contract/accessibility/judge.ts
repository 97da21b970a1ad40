import { AFTER_WCAG, BEFORE_WCAG } from './clauses.ts';
import { MANUAL_CHECKS } from './manual-checks.ts';
import type { Chapter, Row, TestEvidence } from './row.ts';
import { WCAG } from './wcag.ts';

/** The whole table, in the order of EN 301 549. */
export const CHAPTERS: readonly Chapter[] = [...BEFORE_WCAG, ...WCAG, ...AFTER_WCAG];

/** Whether evidence held in a test run. */
export type Outcome = 'passed' | 'failed' | 'not run';

/** A test of a run. */
export interface TestResult {
  /** Path of its file, absolute or from the root of the repository. */
  file: string;
  /** Its full name; empty for a file that failed before its tests. */
  name: string;
  outcome: Outcome;
}

/** Evidence with its outcome. */
export interface JudgedEvidence {
  kind: 'test' | 'manual';
  /** File and part of the test's name, or the name of the manual check. */
  name: string;
  outcome: Outcome;
}

/** A row with what its evidence says. */
export interface JudgedRow extends Row {
  evidence: readonly JudgedEvidence[];
  /** `met` only if all its evidence passed; `not run` for a supported criterion without the results of a run. */
  verdict: 'met' | 'not met' | 'not run' | 'not applicable';
}

/** A chapter with judged rows. */
export interface JudgedChapter {
  title: string;
  rows: readonly JudgedRow[];
}

/** Results by the path of the file from the root. */
type ResultsByFile = ReadonlyMap<string, readonly TestResult[]>;

/** The part of a path below the root of the repository. */
const fromRoot = (file: string): string => file.replaceAll('\\', '/').replace(/^.*\/(?=tests\/)/, '');

function outcomeOf({ file, title = '' }: TestEvidence, results: ResultsByFile): Outcome {
  const ran = (results.get(file) ?? []).filter(({ name }) => name === '' || name.includes(title));
  const outcomes = ran.map(({ outcome }) => outcome).filter((outcome) => outcome !== 'not run');
  if (outcomes.length === 0) return 'not run';
  return outcomes.includes('failed') ? 'failed' : 'passed';
}

function judgeRow(row: Row, results: ResultsByFile, hasResults: boolean): JudgedRow {
  const tests = row.tests.map((test) => ({
    kind: 'test' as const,
    name: test.title ? `${test.file}: ${test.title}` : test.file,
    outcome: outcomeOf(test, results),
  }));
  const checks = MANUAL_CHECKS.filter(({ id }) => row.manual.includes(id)).map(({ name, passed_on }) => ({
    kind: 'manual' as const,
    name,
    outcome: passed_on === null ? ('not run' as const) : ('passed' as const),
  }));
  const evidence = [...tests, ...checks];
  const verdictOf = (): JudgedRow['verdict'] => {
    if (row.level === 'Not Applicable') return 'not applicable';
    if (row.level !== 'Supports' || evidence.length === 0) return 'not met';
    if (evidence.every(({ outcome }) => outcome === 'passed')) return 'met';
    return hasResults || checks.some(({ outcome }) => outcome !== 'passed') ? 'not met' : 'not run';
  };
  return { ...row, evidence, verdict: verdictOf() };
}

/**
 * Compares the table with the tests that ran.
 * @param results tests of a run; null without one: then nothing counts as passed
 */
export function judge(results: readonly TestResult[] | null): JudgedChapter[] {
  const byFile = Map.groupBy(results ?? [], ({ file }) => fromRoot(file));
  return CHAPTERS.map(({ title, rows }) => ({
    title,
    rows: rows.map((row) => judgeRow(row, byFile, results !== null)),
  }));
}

/** Rows that the product doesn't fully support, and those that weren't evaluated. */
export const unmetRows = (): Row[] =>
  CHAPTERS.flatMap(({ rows }) => rows).filter(({ level }) => level !== 'Supports' && level !== 'Not Applicable');
