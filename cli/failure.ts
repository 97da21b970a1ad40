import { CommanderError } from 'commander';

/** Exit codes. */
export const EXIT = {
  /** All went well. */
  done: 0,
  /** The input, or the checked content, is invalid. */
  wrong: 1,
  /** The command line is invalid. */
  usage: 2,
  /** The network or the server failed. */
  server: 3,
  /** Stopped with Ctrl-C. */
  stopped: 130,
} as const;

/** A problem and its location: in a file, at a line and column, or at a path in a document. */
export interface Problem {
  file?: string;
  line?: number;
  column?: string;
  reason: string;
}

/** The reason why a command failed. */
export class CliError extends Error {
  readonly code: string;
  readonly exit: number;
  readonly suggestion: string;
  readonly problems: readonly Problem[];

  /**
   * @param code stable identifier for scripts
   * @param exit one of `EXIT`
   * @param suggestion the next step
   * @param problems individual problems, if there are several
   */
  constructor(
    code: string,
    exit: number,
    { message, suggestion, problems = [] }: { message: string; suggestion: string; problems?: readonly Problem[] },
  ) {
    super(message);
    this.code = code;
    this.exit = exit;
    this.suggestion = suggestion;
    this.problems = problems;
  }
}

/** An error in the command's usage. */
export const usageError = (message: string, suggestion: string): CliError =>
  new CliError('usage', EXIT.usage, { message, suggestion });

/** An error in the content of a file or of the server. */
export const wrongError = (message: string, suggestion: string, problems: readonly Problem[] = []): CliError =>
  new CliError('wrong', EXIT.wrong, { message, suggestion, problems });

/** Converts a parser error. */
function fromParser({ message }: CommanderError): CliError {
  const [said = '', ...hints] = message.replace(/^error: /, '').split('\n');
  const sentence = said.charAt(0).toUpperCase() + said.slice(1).replace(/\.?$/, '.');
  const meant = hints.map((hint) => `${hint.replace(/^\((.*)\)$/, '$1')} `).join('');
  return usageError(sentence, `${meant}Run the command with --help to see its usage.`);
}

/** File system errors of the machine, as opposed to errors in the given path. */
const DISK: Record<string, string> = {
  ENOSPC: 'Free disk space, or set TMPDIR to another disk, then run the command again.',
  EDQUOT: 'Free disk space, or set TMPDIR to another disk, then run the command again.',
  EIO: 'Check the disk, then run the command again.',
  EROFS: 'Choose a writable location, or set TMPDIR to one.',
  EACCES: 'Check the permissions of the file or folder.',
  EPERM: 'Check the permissions of the file or folder.',
  EMFILE: 'Close other programs, or raise the limit of open files (ulimit -n).',
};

/** Converts a file system error; undefined for anything else. */
export function diskError(error: unknown): CliError | undefined {
  const { code = '', message } = error as NodeJS.ErrnoException;
  const suggestion = DISK[code];
  if (!suggestion) return undefined;
  return new CliError('disk', EXIT.wrong, { message: `Disk error: ${message}.`, suggestion });
}

/** Converts a local error into an actionable one; undefined for server and network errors. */
export function ownError(error: unknown): CliError | undefined {
  if (error instanceof CliError) return error;
  if (error instanceof CommanderError) return fromParser(error);
  return diskError(error);
}

const place = ({ file, line, column }: Problem): string =>
  [file, line !== undefined && `line ${line}`, column].filter(Boolean).join(', ');

/** A problem as a line: location and message. */
export const problemLine = (problem: Problem): string => {
  const where = place(problem);
  return where ? `${where}: ${problem.reason}` : problem.reason;
};

/** Limit on problems printed individually. */
const MAX_SHOWN_PROBLEMS = 50;

/** An error as text or JSON. */
export function errorText(error: CliError, asJson: boolean): string {
  const { code, message, suggestion, problems } = error;
  if (asJson) return `${JSON.stringify({ error: { code, message, suggestion, problems } })}\n`;
  const lines = problems.slice(0, MAX_SHOWN_PROBLEMS).map((problem) => `  ${problemLine(problem)}`);
  if (problems.length > MAX_SHOWN_PROBLEMS) lines.push(`  and ${problems.length - MAX_SHOWN_PROBLEMS} more`);
  return [`enfilade: ${message} [${code}]`, ...lines, `  ${suggestion}`, ''].join('\n');
}
