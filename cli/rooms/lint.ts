import type { LintCode } from '../../engine/document/lint/codes.ts';
import type { Finding } from '../../engine/document/lint/finding.ts';
import { type FormatOptions, formatOf, formatOptions, isReported } from '../ci/problem-report.ts';
import { systemClock } from '../clock.ts';
import { type AddCommand, examples } from '../command.ts';
import { EXIT, usageError } from '../failure.ts';
import { fileNameOf, filesOf } from '../io/read-file.ts';
import { jsonText } from '../io/write-output.ts';
import type { Linted } from './report-findings.ts';

interface Options extends FormatOptions {
  codes: boolean;
  strict: boolean;
}

const findingText = ({ severity, path, code, message, suggestion }: Finding): string =>
  `  ${severity.padEnd(7)}  ${message} [${code}]\n           ${path || 'the room'}\n           ${suggestion}\n`;

function report(name: string, findings: readonly Finding[]): string {
  if (findings.length === 0) return `${name}: nothing found\n`;
  return `${name}: ${findings.length} found\n${findings.map(findingText).join('')}`;
}

async function printCodes(asJson: boolean): Promise<void> {
  const { LINT_CODES, severityOf } = await import('../../engine/document/lint/codes.ts');
  const codes = Object.entries(LINT_CODES).map(([code, meaning]) => ({
    code,
    severity: severityOf(code as LintCode),
    meaning,
  }));
  const lines = codes.map(({ code, severity, meaning }) => `${severity.padEnd(7)}  ${code.padEnd(28)}  ${meaning}\n`);
  process.stdout.write(asJson ? jsonText(codes) : lines.join(''));
}

export const lint: AddCommand = (rooms) => {
  const command = rooms
    .command('lint')
    .description('look for what is broken in rooms, or probably not meant; ends with 1 when there are errors')
    .argument('[rooms...]', 'files, patterns, - for standard input, or rooms on the server by id, public path or name')
    .option('--codes', 'print what can be found, and what each code means', false)
    .option('--strict', 'end with 1 for warnings as well', false)
    .addHelpText(
      'after',
      examples(
        "enfilade rooms lint 'rooms/*.json'",
        'enfilade rooms lint gallery --json',
        "enfilade rooms lint 'rooms/*.json' --format sarif > rooms.sarif",
        'enfilade rooms lint --strict - < room.json',
        'enfilade rooms lint --codes',
      ),
    )
    .action(async (given: string[], { codes, strict, ...options }: Options) => {
      const format = formatOf(options);
      if (codes) return printCodes(format === 'json');
      if (given.length === 0) throw usageError('No room specified.', 'Name files or rooms, or use --codes.');
      const { lintRoom } = await import('../../engine/document/lint/lint-room.ts');
      const now = systemClock.now() / 1000;
      const { isFile, readSource } = await import('./room-argument.ts');
      const linted: Linted[] = [];
      for (const each of given)
        for (const room of isFile(each) || /[*?]/.test(each) ? await filesOf([each]) : [each]) {
          const { document, text } = await readSource(room);
          linted.push({ room: fileNameOf(room), findings: lintRoom(document, now), text });
        }
      const fails = ({ severity }: Pick<Finding, 'severity'>) =>
        severity === 'error' || (strict && severity === 'warning');
      if (isReported(format)) {
        const { lintReport } = await import('./report-findings.ts');
        process.stdout.write(await lintReport(format, linted, fails));
      } else if (format === 'json')
        process.stdout.write(jsonText(linted.map(({ room, findings }) => ({ room, findings }))));
      else process.stdout.write(linted.map((one) => report(one.room, one.findings)).join(''));
      if (linted.some(({ findings }) => findings.some(fails))) process.exitCode = EXIT.wrong;
    });
  for (const option of formatOptions()) command.addOption(option);
};
