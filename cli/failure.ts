import { CommanderError } from 'commander';

/** What the command's exit code says. */
export const EXIT = {
  /** All went well. */
  done: 0,
  /** What was looked at, or given, is wrong. */
  wrong: 1,
  /** The command itself cannot be understood. */
  usage: 2,
  /** The network or the server failed. */
  server: 3,
  /** Stopped with Ctrl-C. */
  stopped: 130,
} as const;

/** One thing that is wrong, and where: in a file, at a line and column, or at a path in a document. */
export interface Problem {
  file?: string;
  line?: number;
  column?: string;
  reason: string;
}

/** Why a command ends without doing what it was told. */
export class CliError extends Error {
  readonly code: string;
  readonly exit: number;
  readonly suggestion: string;
  readonly problems: readonly Problem[];

  /**
   * @param code stable, for scripts
   * @param exit one of `EXIT`
   * @param suggestion what to do next, as a sentence
   * @param problems what is wrong one by one, where there are several
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

/** An error about how the command was called. */
export const usageError = (message: string, suggestion: string): CliError =>
  new CliError('usage', EXIT.usage, { message, suggestion });

/** An error about what a file or the server holds. */
export const wrongError = (message: string, suggestion: string, problems: readonly Problem[] = []): CliError =>
  new CliError('wrong', EXIT.wrong, { message, suggestion, problems });

/** An error of the parser of the command line, in the same words as all others. */
function fromParser({ message }: CommanderError): CliError {
  const [said = '', ...hints] = message.replace(/^error: /, '').split('\n');
  const sentence = said.charAt(0).toUpperCase() + said.slice(1).replace(/\.?$/, '.');
  const meant = hints.map((hint) => `${hint.replace(/^\((.*)\)$/, '$1')} `).join('');
  return usageError(sentence, `${meant}Add --help to see what can be done.`);
}

/** What a system call on files said that is about the machine, and not about what was named. */
const DISK: Record<string, string> = {
  ENOSPC: 'Make room there, or set TMPDIR to another disk, then run the command again.',
  EDQUOT: 'Make room there, or set TMPDIR to another disk, then run the command again.',
  EIO: 'Check the disk, then run the command again.',
  EROFS: 'Choose another place, or set TMPDIR to one that can be written.',
  EACCES: 'Check the rights of the place.',
  EPERM: 'Check the rights of the place.',
  EMFILE: 'Close other programs, or let this one open more files (ulimit -n).',
};

/** What the disk refused; undefined for anything else. */
export function diskError(error: unknown): CliError | undefined {
  const { code = '', message } = error as NodeJS.ErrnoException;
  const suggestion = DISK[code];
  if (!suggestion) return undefined;
  return new CliError('disk', EXIT.wrong, { message: `The disk refused this: ${message}.`, suggestion });
}

/** What went wrong on this side, as an error that a person can act on; undefined for what the server or the network said. */
export function ownError(error: unknown): CliError | undefined {
  if (error instanceof CliError) return error;
  if (error instanceof CommanderError) return fromParser(error);
  return diskError(error);
}

const place = ({ file, line, column }: Problem): string =>
  [file, line !== undefined && `line ${line}`, column].filter(Boolean).join(', ');

/** A problem as a line: where, and what. */
export const problemLine = (problem: Problem): string => {
  const where = place(problem);
  return where ? `${where}: ${problem.reason}` : problem.reason;
};

/** Problems that are printed one by one. */
const MAX_SHOWN_PROBLEMS = 50;

/** An error as people read it, or as JSON for machines. */
export function errorText(error: CliError, asJson: boolean): string {
  const { code, message, suggestion, problems } = error;
  if (asJson) return `${JSON.stringify({ error: { code, message, suggestion, problems } })}\n`;
  const lines = problems.slice(0, MAX_SHOWN_PROBLEMS).map((problem) => `  ${problemLine(problem)}`);
  if (problems.length > MAX_SHOWN_PROBLEMS) lines.push(`  and ${problems.length - MAX_SHOWN_PROBLEMS} more`);
  return [`enfilade: ${message} [${code}]`, ...lines, `  ${suggestion}`, ''].join('\n');
}
