import { CommanderError } from 'commander';
import { ForeignAnswer } from '../src/contract/client.ts';
import { ApiError, type ErrorCode } from '../src/contract/errors.ts';

/** What the command's exit code says. */
export const EXIT = {
  /** All went well. */
  done: 0,
  /** What was looked at, or given, is wrong. */
  wrong: 1,
  /** The command itself can not be understood. */
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

/** Errors of the API that are about what was sent; the others are about the server, or who may use it. */
const ABOUT_INPUT: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'bad_request',
  'invalid',
  'unknown_field',
  'wrong_login',
  'not_found',
  'stale',
  'in_use',
  'too_large',
  'wrong_type',
  'bad_file',
  'not_set_up',
  'key_reused',
]);

/** What to do next, where the server's own words are meant for people at a screen. */
const NEXT: Partial<Record<ErrorCode, string>> = {
  signed_out: 'Check ENFILADE_KEY, or run enfilade login.',
  not_found: 'Check the id; the list command shows what there is.',
};

function fromApi(error: ApiError): CliError {
  const texts = Object.entries(error.msg).flatMap(([field, list]) => list.map((text) => ({ field, text })));
  const problems =
    texts.length > 1
      ? texts.map(({ field, text }) => ({ ...(field !== 'error' && { column: field }), reason: text }))
      : [];
  const exit = ABOUT_INPUT.has(error.code) ? EXIT.wrong : EXIT.server;
  const [first] = texts;
  const named = first && first.field !== 'error' && texts.length === 1 ? `${first.field}: ` : '';
  const message = texts.length > 1 ? 'The server refused this.' : named + error.message;
  return new CliError(error.code, exit, { message, suggestion: NEXT[error.code] ?? error.suggestion, problems });
}

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

const NETWORK: Record<string, string> = {
  ECONNREFUSED: 'Nothing listens there.',
  ECONNRESET: 'The connection was cut off.',
  ENOTFOUND: 'This host is not known.',
  EAI_AGAIN: 'This host is not known.',
  ETIMEDOUT: 'It did not answer in time.',
  UND_ERR_SOCKET: 'The connection was cut off.',
  UND_ERR_CONNECT_TIMEOUT: 'It did not answer in time.',
  UND_ERR_HEADERS_TIMEOUT: 'It did not answer in time.',
  UND_ERR_BODY_TIMEOUT: 'It did not answer in time.',
};

interface Caused {
  name?: string;
  message?: string;
  code?: string;
  cause?: unknown;
}

/** The innermost cause of an error. */
function rootOf(error: unknown): Caused {
  let root = error as Caused;
  while (root.cause && root.cause !== root) root = root.cause as Caused;
  return root;
}

/** Any error as one that a person can act on; undefined for what is nobody's fault but ours. */
export function asCliError(error: unknown): CliError | undefined {
  if (error instanceof CliError) return error;
  if (error instanceof ApiError) return fromApi(error);
  if (error instanceof CommanderError) return fromParser(error);
  if (error instanceof ForeignAnswer)
    return new CliError('foreign_answer', EXIT.server, {
      message: `What answers there is no Enfilade server: it said ${error.status}.`,
      suggestion: 'Check ENFILADE_URL, and whether a proxy answers in the place of the server.',
    });
  const { name } = error as Caused;
  const root = rootOf(error);
  const isNetwork = name === 'FetchError' || (error instanceof TypeError && error.cause !== undefined);
  if (isNetwork || name === 'TimeoutError' || root.name === 'TimeoutError' || NETWORK[root.code ?? '']) {
    const why = root.name === 'TimeoutError' ? 'It did not answer in time.' : NETWORK[root.code ?? ''];
    return new CliError('unreachable', EXIT.server, {
      message: `The server can not be reached. ${why ?? root.message}`,
      suggestion: 'Check ENFILADE_URL and the network, then run the command again: nothing is done twice.',
    });
  }
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
const SHOWN = 50;

/** An error as people read it, or as JSON for machines. */
export function errorText(error: CliError, asJson: boolean): string {
  const { code, message, suggestion, problems } = error;
  if (asJson) return `${JSON.stringify({ error: { code, message, suggestion, problems } })}\n`;
  const lines = problems.slice(0, SHOWN).map((problem) => `  ${problemLine(problem)}`);
  if (problems.length > SHOWN) lines.push(`  and ${problems.length - SHOWN} more`);
  return [`enfilade: ${message} [${code}]`, ...lines, `  ${suggestion}`, ''].join('\n');
}
