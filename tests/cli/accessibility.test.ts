import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CHAPTERS } from '../../src/contract/accessibility/judge.ts';
import type { ConformanceReport } from '../../src/contract/accessibility/report.ts';
import { ApiApp } from '../harness/api-app.ts';
import { CommandLine } from '../harness/command-line.ts';

/** All evidence, as vitest reports tests that ran. */
const EVIDENCE = CHAPTERS.flatMap(({ rows }) => rows).flatMap(({ tests }) => tests);
const resultsOf = (status: (title: string) => string | null) => ({
  testResults: [...Map.groupBy(EVIDENCE, ({ file }) => file)].map(([file, tests]) => ({
    name: `/builds/project/${file}`,
    status: 'passed',
    assertionResults: tests.flatMap(({ title = '' }) => {
      const found = status(title);
      return found === null ? [] : [{ fullName: `a suite ${title} in dark colors`, title, status: found }];
    }),
  })),
});

describe('accessibility from the command line', () => {
  let api: ApiApp;
  let line: CommandLine;
  beforeAll(async () => {
    api = await ApiApp.start('sqlite');
    line = await CommandLine.here({ ENFILADE_URL: api.origin, ENFILADE_KEY: api.one.admin.token });
  });
  afterAll(async () => {
    await line.close();
    await api.close();
  });

  const report = async (results?: unknown): Promise<ConformanceReport> => {
    if (results) await line.file('results.json', JSON.stringify(results));
    const given = results ? ['--results', 'results.json'] : [];
    return JSON.parse(await line.done('accessibility', 'report', '--format', 'json', ...given));
  };
  const rowOf = ({ chapters }: ConformanceReport, id: string) =>
    chapters.flatMap(({ rows }) => rows).find((row) => row.id === id)!;
  const SUBTITLES = 'shows its subtitles’ lines';

  it('the report without results says so, and nothing is met', async () => {
    const found = await report();
    expect([found.has_results, found.counts.met]).toEqual([false, 0]);
    expect(rowOf(found, '9.1.2.2').verdict).toBe('not run');
    expect(await line.done('accessibility', 'report')).toContain('No results of a test run were given');
  });

  it('a supported row is met if all its tests passed; others stay unmet', async () => {
    const found = await report(resultsOf(() => 'passed'));
    expect(found.has_results).toBe(true);
    expect(found.counts.met).toBeGreaterThan(20);
    expect(found.counts['not run']).toBe(0);
    expect(rowOf(found, '9.1.2.2')).toMatchObject({ level: 'Supports', verdict: 'met' });
    expect(rowOf(found, '9.2.1.4')).toMatchObject({ level: 'Does Not Support', verdict: 'not met' });
    expect(rowOf(found, '9.1.4.12')).toMatchObject({
      level: 'Not Evaluated',
      verdict: 'not met',
      evidence: [{ kind: 'manual', outcome: 'not run' }],
    });
    expect(rowOf(found, '8').verdict).toBe('not applicable');
  });

  it.each([
    ['failed', 'failed'],
    ['pending', 'not run'],
    [null, 'not run'],
  ])('a test that is %s makes its rows unmet', async (status, outcome) => {
    const found = await report(resultsOf((title) => (title.includes(SUBTITLES) ? status : 'passed')));
    const row = rowOf(found, '9.1.2.2');
    expect(row.verdict).toBe('not met');
    expect(row.evidence.find(({ name }) => name.includes(SUBTITLES))!.outcome).toBe(outcome);
    expect(rowOf(found, '9.1.3.2').verdict).toBe('met');
  });

  it('a file that failed before its tests is failed evidence', async () => {
    const results = resultsOf(() => 'passed');
    const broken = results.testResults.find(({ name }) => name.endsWith('tests/web/elements-media.test.ts'))!;
    Object.assign(broken, { status: 'failed', assertionResults: [] });
    expect(rowOf(await report(results), '9.1.2.2')).toMatchObject({
      verdict: 'not met',
      evidence: [{ outcome: 'failed' }, {}, {}],
    });
  });

  it('several results are one run, and the report is written as Markdown or HTML', async () => {
    const all = resultsOf(() => 'passed').testResults;
    await line.file('a.json', JSON.stringify({ testResults: all.slice(0, 5) }));
    await line.file('b.json', JSON.stringify({ testResults: all.slice(5) }));
    await line.done('accessibility', 'report', '--results', 'a.json', 'b.json', '--output', 'report.md');
    const text = await readFile(join(line.folder, 'report.md'), 'utf8');
    expect(text).toContain('| 9.1.2.2 Captions (Prerecorded) (A) | Supports | met |');
    expect(text).toContain('The evidence was compared with the results of a test run.');
    await line.done(
      'accessibility',
      'report',
      '--results',
      'a.json',
      'b.json',
      '--format',
      'html',
      '--output',
      'r.html',
    );
    expect(await readFile(join(line.folder, 'r.html'), 'utf8')).toContain('<td>Supports</td><td>met</td>');
  });

  it('says what is wrong with results', async () => {
    for (const [name, text] of [
      ['no.json', '{"a":1}'],
      ['cut.json', '{"testResults":['],
      ['list.json', '[]'],
    ] as const) {
      await line.file(name, text);
      const { code, error } = await line.run(['accessibility', 'report', '--results', name]);
      expect([code, error]).toEqual([1, expect.stringContaining(`${name} doesn't contain the results of a test run.`)]);
    }
    const missing = await line.run(['accessibility', 'report', '--results', 'gone.json']);
    expect([missing.code, missing.error]).toEqual([2, expect.stringContaining('File not found: gone.json.')]);
    expect((await line.run(['accessibility', 'report', '--format', 'pdf'])).code).toBe(2);
  });

  it('findings are listed, and fail on request', async () => {
    expect(await line.json('accessibility', 'findings', '--fail')).toEqual([]);
    const { id } = await api.client().rooms.create({ body: { title: 'Hall' } });
    const body = { element: 'image' as const, config: { file_url: '/media/a.png' } };
    await api.client().rooms.addElement({ params: { id }, body });
    expect(await line.json('accessibility', 'findings')).toEqual([
      { code: 'image-without-alternative', room_id: id, space: 'Hall', count: 1, meaning: expect.any(String) },
    ]);
    expect(await line.done('accessibility', 'findings')).toMatch(/image-without-alternative\s+Hall\s+1/);
    const failed = await line.run(['accessibility', 'findings', '--csv', '--fail']);
    expect([failed.code, failed.out]).toEqual([1, expect.stringMatching(/^"code","space","count","meaning"\r?\n/)]);
  });
});
