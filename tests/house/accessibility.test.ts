import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CHAPTERS, judge } from '../../src/contract/accessibility/judge.ts';
import { MANUAL_CHECKS } from '../../src/contract/accessibility/manual-checks.ts';
import { LEVELS } from '../../src/contract/accessibility/row.ts';
import { WCAG } from '../../src/contract/accessibility/wcag.ts';

const ROOT = join(import.meta.dirname, '../..');
const rows = CHAPTERS.flatMap((chapter) => chapter.rows);

/** Success criteria of WCAG 2.2: https://www.w3.org/TR/WCAG22/, without the obsolete 4.1.1. */
const A = [
  ...['1.1.1', '1.2.1', '1.2.2', '1.2.3', '1.3.1', '1.3.2', '1.3.3', '1.4.1', '1.4.2'],
  ...['2.1.1', '2.1.2', '2.1.4', '2.2.1', '2.2.2', '2.3.1', '2.4.1', '2.4.2', '2.4.3', '2.4.4'],
  ...['2.5.1', '2.5.2', '2.5.3', '2.5.4', '3.1.1', '3.2.1', '3.2.2', '3.2.6', '3.3.1', '3.3.2', '3.3.7', '4.1.2'],
];
const AA = [
  ...['1.2.4', '1.2.5', '1.3.4', '1.3.5', '1.4.3', '1.4.4', '1.4.5', '1.4.10', '1.4.11', '1.4.12', '1.4.13'],
  ...['2.4.5', '2.4.6', '2.4.7', '2.4.11', '2.5.7', '2.5.8'],
  ...['3.1.2', '3.2.3', '3.2.4', '3.3.3', '3.3.4', '3.3.8', '4.1.3'],
];

test('the conformance table has every criterion of WCAG 2.2 at levels A and AA, once', () => {
  const found = (level: string) =>
    WCAG.flatMap((chapter) => chapter.rows)
      .filter(({ wcag }) => wcag === level)
      .map(({ id }) => id.slice(2));
  expect(found('A').sort()).toEqual(A.sort());
  expect(found('AA').sort()).toEqual(AA.sort());
  expect(A.length + AA.length).toBe(55);
  const ids = rows.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  for (const chapter of ['4.', '5.', '7.', '11.8.', '12.'])
    expect(ids.filter((id) => id.startsWith(chapter)).length, chapter).toBeGreaterThan(2);
});

test('its evidence exists: test files with these titles, and manual checks', () => {
  const checks = new Set(MANUAL_CHECKS.map(({ id }) => id));
  const named = rows.flatMap(({ tests }) => tests);
  expect(named.length).toBeGreaterThan(50);
  for (const { file, title = '' } of named) expect(readFileSync(join(ROOT, file), 'utf8'), file).toContain(title);
  expect(rows.flatMap(({ manual }) => manual).filter((id) => !checks.has(id))).toEqual([]);
  const used = new Set(rows.flatMap(({ manual }) => manual));
  expect([...checks].filter((id) => !used.has(id))).toEqual([]);
});

test('nothing is supported without a test or a manual check that was done, and the rest says why', () => {
  for (const { id, level, tests, manual, remarks } of rows) {
    expect(LEVELS).toContain(level);
    const done = MANUAL_CHECKS.filter((check) => manual.includes(check.id) && check.passed_on !== null);
    if (level === 'Supports') expect(tests.length + done.length, id).toBeGreaterThan(0);
    else expect(Object.values(remarks).join(''), id).not.toBe('');
  }
});

test('without results, nothing counts as passed', () => {
  const judged = judge(null).flatMap((chapter) => chapter.rows);
  expect(judged.filter(({ verdict }) => verdict === 'met')).toEqual([]);
  const outcomes = judged.flatMap(({ evidence }) => evidence.filter(({ kind }) => kind === 'test'));
  expect(new Set(outcomes.map(({ outcome }) => outcome))).toEqual(new Set(['not run']));
});
