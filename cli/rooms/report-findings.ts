import { BUDGETS, DEVICES, type Device, type RoomBudget } from '../../engine/document/budget.ts';
import { MEASURES, type Measure } from '../../engine/document/costs.ts';
import { type Difference, sentenceOf } from '../../engine/document/difference.ts';
import { LINT_CODES } from '../../engine/document/lint/codes.ts';
import type { Finding } from '../../engine/document/lint/finding.ts';
import { elementPath, keysOf, type LineOf } from '../ci/problem-places.ts';
import { type CiProblem, type CiReport, reportText } from '../ci/problem-report.ts';
import { version } from '../version.ts';

type Format = Parameters<typeof reportText>[0];

/** A linted room, with its text if it is a file. */
export interface Linted {
  room: string;
  findings: readonly Finding[];
  text: string | null;
}

/** Locates values in a file; nothing has a line in a room on the server. */
async function linesOf(text: string | null): Promise<LineOf | null> {
  if (text === null) return null;
  const { linesIn } = await import('../ci/problem-places.ts');
  return linesIn(text);
}

/** The findings of linted rooms as a report. */
export async function lintReport(
  format: Format,
  linted: readonly Linted[],
  fails: (finding: Pick<Finding, 'severity'>) => boolean,
): Promise<string> {
  const problems: CiProblem[] = [];
  for (const { room, findings, text } of linted) {
    const lineOf = findings.length > 0 ? await linesOf(text) : null;
    for (const { severity, path, code, message, suggestion } of findings) {
      const place = { file: text === null ? undefined : room, line: lineOf?.(keysOf(path)) };
      problems.push({ ...place, subject: room, path, rule: code, severity, message, suggestion });
    }
  }
  const rules = new Map(Object.entries(LINT_CODES));
  const subjects = linted.map(({ room }) => room);
  return reportText(format, { tool: 'rooms lint', version, subjects, problems, rules, fails });
}

/** A compared room: the file's name, document and text. */
export interface Compared {
  name: string;
  document: unknown;
  text: string | null;
}

/** Keys of a difference's subject in the later room; a removed element has none. */
function keysOfDifference(difference: Difference, document: unknown): (string | number)[] {
  const element = difference.subject ? elementPath(document, difference.subject.id) : [];
  return difference.kind === 'changed' && (element.length > 0 || !difference.subject)
    ? [...element, ...keysOf(difference.path)]
    : element;
}

const DIFFERENCE_RULES: Record<Difference['kind'], string> = {
  added: 'An element was added.',
  removed: 'An element was removed.',
  put: 'An element has another parent.',
  ordered: 'An element has another position among its siblings.',
  moved: 'An element was moved.',
  turned: 'An element was rotated.',
  scaled: 'An element was scaled.',
  changed: 'A setting was changed.',
};

/** Rule of a room that only one side has. */
const ONE_SIDE = 'one-side-only';

/** The differences between two rooms: as texts, and by field if both exist; and the later room. */
export interface Comparison {
  found: string[];
  fields: Difference[] | null;
  current: Compared;
}

/** Differences between two rooms as a report; each makes the command fail. */
export async function diffReport(format: Format, { found: sentences, fields, current }: Comparison): Promise<string> {
  const { name, document, text } = current;
  const found = fields ?? [];
  const lineOf = found.length > 0 ? await linesOf(text) : null;
  const problems = found.map((difference): CiProblem => {
    const line = lineOf?.(keysOfDifference(difference, document));
    const path = difference.kind === 'changed' ? difference.path : '';
    const place = { file: text === null ? undefined : name, line, subject: name, path };
    return { ...place, rule: difference.kind, severity: 'warning', message: sentenceOf(difference) };
  });
  // A room that one side lacks has no differing fields.
  if (fields === null)
    for (const message of sentences)
      problems.push({ subject: name, path: '', rule: ONE_SIDE, severity: 'warning', message });
  const rules = new Map([...Object.entries(DIFFERENCE_RULES), [ONE_SIDE, 'The room is on one side only.']]);
  return reportText(format, { tool: 'rooms diff', version, subjects: [name], problems, rules, fails: () => true });
}

const RULE_OF: Record<Measure, string> = Object.fromEntries(
  MEASURES.map((measure) => [measure, `over-${measure.replaceAll('_', '-')}`]),
) as Record<Measure, string>;

/** What a room needs beyond the budgets as a report; for one device, or for all as information. */
export function budgetReport(
  format: Format,
  { totals, elements }: RoomBudget,
  room: {
    name: string;
    isOnDisk: boolean;
    device: Device | undefined;
    amount: (measure: Measure, value: number) => string;
  },
): string {
  const { name, isOnDisk, device, amount } = room;
  const problems = (device ? [device] : DEVICES).flatMap((each) =>
    MEASURES.filter((measure) => totals[measure] > BUDGETS[each][measure]).map((measure): CiProblem => {
      const heaviest = elements.toSorted((a, b) => b.costs[measure] - a.costs[measure])[0];
      const needs = `The room needs ${amount(measure, totals[measure])} ${measure.replaceAll('_', ' ')}; a ${each} has ${amount(measure, BUDGETS[each][measure])}.`;
      const place = { subject: name, path: each, ...(isOnDisk && { file: name, line: 1 }) };
      return {
        ...place,
        rule: RULE_OF[measure],
        severity: device ? 'error' : 'info',
        message: needs,
        ...(heaviest && { suggestion: `The heaviest is ${heaviest.name}.` }),
      };
    }),
  );
  const rules = new Map(MEASURES.map((measure) => [RULE_OF[measure], `Too much: ${measure.replaceAll('_', ' ')}.`]));
  const fails: CiReport['fails'] = ({ severity }) => severity === 'error';
  return reportText(format, { tool: 'rooms budget', version, subjects: [name], problems, rules, fails });
}
