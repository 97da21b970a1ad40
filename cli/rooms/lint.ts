import type { LintCode } from '../../engine/document/lint/codes.ts';
import type { Finding } from '../../engine/document/lint/finding.ts';
import { systemClock } from '../clock.ts';
import { type AddCommand, examples } from '../command.ts';
import { EXIT, usageError } from '../failure.ts';
import { fileNameOf, filesOf } from '../io/read-file.ts';
import { jsonText } from '../io/write-output.ts';

interface Options {
  codes: boolean;
  json: boolean;
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
  rooms
    .command('lint')
    .description('look for what is broken in rooms, or probably not meant; ends with 1 when there are errors')
    .argument('[rooms...]', 'files, patterns, - for standard input, or rooms on the server by id, public path or name')
    .option('--codes', 'print what can be found, and what each code means', false)
    .option('--strict', 'end with 1 for warnings as well', false)
    .option('--json', 'print JSON', false)
    .addHelpText(
      'after',
      examples(
        "enfilade rooms lint 'rooms/*.json'",
        'enfilade rooms lint gallery --json',
        'enfilade rooms lint --strict - < room.json',
        'enfilade rooms lint --codes',
      ),
    )
    .action(async (given: string[], { codes, json, strict }: Options) => {
      if (codes) return printCodes(json);
      if (given.length === 0) throw usageError('No room specified.', 'Name files or rooms, or use --codes.');
      const { lintRoom } = await import('../../engine/document/lint/lint-room.ts');
      const now = systemClock.now() / 1000;
      const { documentOf, isFile } = await import('./room-argument.ts');
      const reports: { room: string; findings: Finding[] }[] = [];
      for (const each of given)
        for (const room of isFile(each) || /[*?]/.test(each) ? await filesOf([each]) : [each])
          reports.push({ room: fileNameOf(room), findings: lintRoom(await documentOf(room), now) });
      process.stdout.write(json ? jsonText(reports) : reports.map((one) => report(one.room, one.findings)).join(''));
      const wrong = reports
        .flatMap(({ findings }) => findings)
        .some(({ severity }) => severity === 'error' || (strict && severity === 'warning'));
      if (wrong) process.exitCode = EXIT.wrong;
    });
};
