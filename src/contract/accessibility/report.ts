import { type JudgedChapter, type JudgedRow, judge, type TestResult } from './judge.ts';
import { MANUAL_CHECKS } from './manual-checks.ts';
import { type ManualCheck, PARTS, type Part } from './row.ts';

/** The conformance report. */
export interface ConformanceReport {
  title: string;
  /** Version of the product. */
  version: string;
  /** Subject of the report, and source of its numbers. */
  notes: readonly string[];
  /** Whether it was compared with a test run. */
  has_results: boolean;
  /** Number of rows by verdict. */
  counts: Readonly<Record<JudgedRow['verdict'], number>>;
  chapters: readonly JudgedChapter[];
  manual_checks: readonly ManualCheck[];
}

const NOTES = [
  'This report rates the product against EN 301 549 and the success criteria of WCAG 2.2 at levels A and AA, in the terms of the VPAT 2.5. It is a self-assessment by the project. No independent audit has taken place.',
  'Clause numbers are those of EN 301 549 V3.2.1. Clauses of chapter 9 have the numbers of WCAG 2.2, including the criteria that V4.1.1 adds; 4.1.1 Parsing is obsolete. Other numbers and names may differ in V4.1.1, and clauses that are new there outside of chapter 9 are not listed: compare them with the published text before you rely on them.',
  'A row is met if it is rated “Supports” and all its evidence passed. All other rows are not met, including those not evaluated.',
  'Remarks are by part of the product: Web (rooms, text pages, back-office), Authoring tool (editor), Documentation. Content that organizations publish is not rated; each organization’s accessibility statement covers it.',
];

/** The report. @param results tests of a run; null without one */
export function conformanceReport(version: string, results: readonly TestResult[] | null): ConformanceReport {
  const chapters = judge(results);
  const rows = chapters.flatMap((chapter) => chapter.rows);
  const count = (verdict: JudgedRow['verdict']) => rows.filter((row) => row.verdict === verdict).length;
  return {
    title: 'Accessibility conformance report: Enfilade',
    version,
    notes: [
      ...NOTES,
      results === null
        ? 'No results of a test run were given: evidence is listed as “not run”.'
        : 'The evidence was compared with the results of a test run.',
    ],
    has_results: results !== null,
    counts: {
      met: count('met'),
      'not met': count('not met'),
      'not run': count('not run'),
      'not applicable': count('not applicable'),
    },
    chapters,
    manual_checks: MANUAL_CHECKS,
  };
}

/** Number and name of a row, with its level in WCAG. */
export const headingOf = ({ id, name, wcag }: JudgedRow): string => `${id} ${name}${wcag ? ` (${wcag})` : ''}`;

/** Remarks of a row, each with the part of the product. */
export const remarksOf = ({ remarks }: Pick<JudgedRow, 'remarks'>): [part: string, remark: string][] =>
  Object.entries(remarks).map(([part, remark]) => [PARTS[part as Part], remark]);

const cell = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('|', '\\|').replaceAll('\n', ' ');

const rowMarkdown = (row: JudgedRow): string => {
  const remarks = remarksOf(row).map(([part, remark]) => `${part}: ${remark}`);
  const evidence = row.evidence.map(({ name, outcome }) => `${name} – **${outcome}**`);
  const cells = [
    headingOf(row),
    row.level,
    row.verdict,
    remarks.map(cell).join('<br>'),
    evidence.map(cell).join('<br>'),
  ];
  return `| ${cells.join(' | ')} |`;
};

/** The report as Markdown. */
export function reportMarkdown({ title, version, notes, counts, chapters, manual_checks }: ConformanceReport): string {
  const tables = chapters.flatMap((chapter) => [
    `## ${chapter.title}`,
    '',
    '| Criterion | Conformance level | Check | Remarks | Evidence |',
    '| --- | --- | --- | --- | --- |',
    ...chapter.rows.map(rowMarkdown),
    '',
  ]);
  const checks = manual_checks.flatMap(({ name, steps, passed_on }) => [
    `### ${name} (${passed_on ? `passed on ${passed_on}` : 'not run'})`,
    '',
    ...steps.map((step, index) => `${index + 1}. ${step}`),
    '',
  ]);
  return [
    `# ${title}`,
    '',
    `Version ${version}`,
    '',
    ...notes.flatMap((note) => [note, '']),
    `${countsText(counts)}`,
    '',
    ...tables,
    '## Manual checks',
    '',
    ...checks,
  ].join('\n');
}

/** Numbers of rows, in one line. */
export const countsText = (counts: ConformanceReport['counts']): string =>
  Object.entries(counts)
    .map(([verdict, count]) => `${count} ${verdict}`)
    .join(', ');
