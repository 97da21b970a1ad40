import { z } from 'zod';
import type { TestResult } from '../../src/contract/accessibility/judge.ts';
import { wrongError } from '../failure.ts';
import { readText } from '../io/read-file.ts';

/** The part of a `vitest --reporter=json` report that is used here. */
const resultsSchema = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      assertionResults: z.array(z.object({ fullName: z.string(), status: z.string() })),
    }),
  ),
});

const OUTCOMES: Readonly<Record<string, TestResult['outcome']>> = { passed: 'passed', failed: 'failed' };

function parseResults(file: string, text: string): z.output<typeof resultsSchema> {
  try {
    const read = resultsSchema.safeParse(JSON.parse(text));
    if (read.success) return read.data;
  } catch {
    // The same error as for other JSON.
  }
  throw wrongError(
    `${file} doesn't contain the results of a test run.`,
    'Write it with: npx vitest run --reporter=json --outputFile=results.json',
  );
}

/**
 * Reads the results of a test run.
 * @param file a report of `vitest --reporter=json`
 * @throws CliError if it is missing or something else
 */
export async function readResults(file: string): Promise<TestResult[]> {
  const { testResults } = parseResults(file, await readText(file));
  return testResults.flatMap(({ name, status, assertionResults }): TestResult[] =>
    assertionResults.length === 0 && status === 'failed'
      ? [{ file: name, name: '', outcome: 'failed' }]
      : assertionResults.map((test) => ({
          file: name,
          name: test.fullName,
          outcome: OUTCOMES[test.status] ?? 'not run',
        })),
  );
}
