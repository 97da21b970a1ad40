import { Option } from 'commander';

/** Formats of the reports of checks. */
const REPORT_FORMATS = ['text', 'json', 'junit', 'sarif', 'github'] as const;
export type ReportFormat = (typeof REPORT_FORMATS)[number];

/** A problem for a CI system. */
export interface CiProblem {
  /** The file as it was named; undefined for a room on the server. */
  file?: string | undefined;
  /** Line in the file, from 1. */
  line?: number | undefined;
  /** What was checked: the file, room or structure. */
  subject: string;
  /** Path in the document or another place in the subject; empty for all of it. */
  path: string;
  /** Stable code. */
  rule: string;
  severity: 'error' | 'warning' | 'info';
  message: string;
  suggestion?: string;
}

/** The result of a check. */
export interface CiReport {
  /** Name of the command. */
  tool: string;
  /** Version of the program. */
  version: string;
  /** Everything that was checked, with or without problems. */
  subjects: readonly string[];
  problems: readonly CiProblem[];
  /** Meaning of each rule. */
  rules: ReadonlyMap<string, string>;
  /** Whether a problem makes the command fail. */
  fails(problem: CiProblem): boolean;
}

/** Options of a command with reports. */
export interface FormatOptions {
  format?: ReportFormat;
  json?: boolean;
}

/** The options `--format` and `--json`. */
export const formatOptions = (): Option[] => [
  new Option('--format <format>', 'format of the report: JUnit for GitLab, SARIF and annotations for GitHub').choices(
    REPORT_FORMATS,
  ),
  new Option('--json', 'the same as --format json').default(false).conflicts('format'),
];

/** The requested format. */
export const formatOf = ({ format, json }: FormatOptions): ReportFormat => format ?? (json ? 'json' : 'text');

/** Whether a format is made from a report instead of the command's own output. */
export const isReported = (format: ReportFormat): format is 'junit' | 'sarif' | 'github' =>
  format !== 'text' && format !== 'json';

/** Control characters, which XML forbids. */
const CONTROL = /[^\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

const xml = (text: string): string =>
  text
    .replace(CONTROL, '\ufffd')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll('\n', '&#10;')
    .replaceAll('\r', '&#13;');

const attributes = (values: Record<string, string | number | undefined>): string =>
  Object.entries(values)
    .map(([name, value]) => (value === undefined ? '' : ` ${name}="${xml(String(value))}"`))
    .join('');

const textOf = ({ message, suggestion }: CiProblem): string => [message, suggestion].filter(Boolean).join(' ');

const placeOf = ({ file, line, path }: CiProblem): string =>
  [file && line ? `${file}:${line}` : file, path].filter(Boolean).join(' ');

/** JUnit XML as GitLab reads it: a case per problem, and one for each subject without. */
function junitText({ tool, subjects, problems, fails }: CiReport): string {
  const cases = problems.map((problem) => {
    const { subject, path, rule, file, severity } = problem;
    const head = attributes({ classname: subject, name: path ? `${rule}: ${path}` : rule, file });
    const text = xml([textOf(problem), placeOf(problem)].filter(Boolean).join('\n'));
    const body = fails(problem)
      ? `<failure${attributes({ message: problem.message, type: severity })}>${text}</failure>`
      : `<system-out>${text}</system-out>`;
    return `    <testcase${head}>${body}</testcase>`;
  });
  const troubled = new Set(problems.map(({ subject }) => subject));
  const clean = subjects
    .filter((subject) => !troubled.has(subject))
    .map((subject) => `    <testcase${attributes({ classname: subject, name: tool })}/>`);
  const all = [...cases, ...clean];
  const counts = attributes({ name: tool, tests: all.length, failures: problems.filter(fails).length, errors: 0 });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites${counts}>\n  <testsuite${counts}>\n${all.join('\n')}\n  </testsuite>\n</testsuites>\n`;
}

const LEVELS = { error: 'error', warning: 'warning', info: 'note' } as const;

/** SARIF 2.1.0: https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html */
function sarifText({ tool, version, problems, rules, fails }: CiReport): string {
  const ids = [...rules.keys()];
  const results = problems.map((problem) => {
    const { rule, file, line, path, subject, severity } = problem;
    const region = line === undefined ? {} : { region: { startLine: line } };
    const uri = file && encodeURI(file.replaceAll('\\', '/'));
    return {
      ruleId: rule,
      ruleIndex: ids.indexOf(rule),
      level: fails(problem) ? 'error' : LEVELS[severity],
      message: { text: textOf(problem) },
      locations: [
        {
          ...(uri && { physicalLocation: { artifactLocation: { uri }, ...region } }),
          logicalLocations: [{ fullyQualifiedName: [subject, path].filter(Boolean).join(' ') }],
        },
      ],
    };
  });
  const described = ids.map((id) => ({ id, shortDescription: { text: rules.get(id)! } }));
  const driver = { name: `enfilade ${tool}`, version, rules: described };
  const log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [{ tool: { driver }, columnKind: 'utf16CodeUnits', results }],
  };
  return `${JSON.stringify(log, null, 2)}\n`;
}

const commandText = (text: string): string =>
  text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
const commandProperty = (text: string): string => commandText(text).replaceAll(':', '%3A').replaceAll(',', '%2C');

/** Workflow commands of GitHub Actions, which become annotations. */
const githubText = ({ problems, fails }: CiReport): string =>
  problems
    .map((problem) => {
      const { file, line, rule, severity, subject, path } = problem;
      const command = fails(problem) ? 'error' : severity === 'info' ? 'notice' : severity;
      const given = { file, line: line === undefined ? undefined : String(line), title: rule };
      const properties = Object.entries(given)
        .filter(([, value]) => value !== undefined)
        .map(([name, value]) => `${name}=${commandProperty(value!)}`);
      const place = file ? path : [subject, path].filter(Boolean).join(' ');
      return `::${command} ${properties.join(',')}::${commandText(place ? `${place}: ${textOf(problem)}` : textOf(problem))}\n`;
    })
    .join('');

const FORMATS = { junit: junitText, sarif: sarifText, github: githubText };

/** A report in a format of CI systems. */
export const reportText = (format: keyof typeof FORMATS, report: CiReport): string => FORMATS[format](report);
