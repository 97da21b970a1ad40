import { Option } from 'commander';
import type { ConformanceReport } from '../../src/contract/accessibility/report.ts';
import { type AddCommand, examples } from '../command.ts';
import { jsonText, writeOutput } from '../io/write-output.ts';
import { version } from '../version.ts';

const FORMATS = ['md', 'html', 'json'] as const;
type Format = (typeof FORMATS)[number];

interface Options {
  results?: string[];
  format: Format;
  output?: string;
}

async function textOf(report: ConformanceReport, format: Format): Promise<string> {
  if (format === 'json') return jsonText(report);
  if (format === 'html') {
    const { reportHtml } = await import('../../src/contract/accessibility/report-html.ts');
    return reportHtml(report);
  }
  const { reportMarkdown } = await import('../../src/contract/accessibility/report.ts');
  return reportMarkdown(report);
}

export const reportConformance: AddCommand = (accessibility) => {
  accessibility
    .command('report')
    .description("print the product's conformance report for EN 301 549 and WCAG 2.2")
    .option(
      '--results <files...>',
      'results of test runs, written by vitest --reporter=json; without them nothing counts as passed',
    )
    .addOption(new Option('--format <format>', 'format of the report').choices(FORMATS).default('md'))
    .addOption(new Option('--out, --output <file>', 'write to a file instead of standard output'))
    .addHelpText(
      'after',
      examples(
        'enfilade accessibility report',
        'enfilade accessibility report --results results.json --format html --output report.html',
      ),
    )
    .action(async ({ results, format, output }: Options) => {
      const [{ conformanceReport }, { readResults }] = await Promise.all([
        import('../../src/contract/accessibility/report.ts'),
        import('./read-results.ts'),
      ]);
      const ran = results ? (await Promise.all(results.map(readResults))).flat() : null;
      await writeOutput(output, await textOf(conformanceReport(version, ran), format));
    });
};
