import { UnexpectedResponse } from '../src/contract/client.ts';
import { ApiError, type ErrorCode } from '../src/contract/errors.ts';
import { CliError, EXIT, ownError } from './failure.ts';

/** API errors caused by the input; the others concern the server or permissions. */
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
  'client_taken',
]);

/** The next step, where the server's own message is written for the back-office. */
const NEXT: Partial<Record<ErrorCode, string>> = {
  signed_out: 'Check ENFILADE_KEY, or run enfilade login.',
  not_found: 'Check the ID. The list command shows the available ones.',
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
  const message = texts.length > 1 ? 'The server rejected the request.' : named + error.message;
  return new CliError(error.code, exit, { message, suggestion: NEXT[error.code] ?? error.suggestion, problems });
}

const NETWORK: Record<string, string> = {
  ECONNREFUSED: 'The connection was refused.',
  ECONNRESET: 'The connection was reset.',
  ENOTFOUND: "The host name can't be resolved.",
  EAI_AGAIN: "The host name can't be resolved.",
  ETIMEDOUT: 'The connection timed out.',
  UND_ERR_SOCKET: 'The connection was closed.',
  UND_ERR_CONNECT_TIMEOUT: 'The connection timed out.',
  UND_ERR_HEADERS_TIMEOUT: 'The response timed out.',
  UND_ERR_BODY_TIMEOUT: 'The response timed out.',
};

interface Caused {
  name?: string;
  message?: string;
  code?: string;
  cause?: unknown;
}

/** The innermost cause of an error. */
export function rootOf(error: unknown): Caused {
  let root = error as Caused;
  while (root.cause && root.cause !== root) root = root.cause as Caused;
  return root;
}

/** Converts an error into an actionable one; undefined for internal errors. */
export function asCliError(error: unknown): CliError | undefined {
  const own = ownError(error);
  if (own) return own;
  if (error instanceof ApiError) return fromApi(error);
  if (error instanceof UnexpectedResponse)
    return new CliError('foreign_answer', EXIT.server, {
      message: `Not an Enfilade server: unexpected response with status ${error.status}.`,
      suggestion: 'Check ENFILADE_URL, and whether a proxy responds instead of the server.',
    });
  const { name } = error as Caused;
  const root = rootOf(error);
  const isNetwork = name === 'FetchError' || (error instanceof TypeError && error.cause !== undefined);
  if (isNetwork || name === 'TimeoutError' || root.name === 'TimeoutError' || NETWORK[root.code ?? '']) {
    const why = root.name === 'TimeoutError' ? 'The request timed out.' : NETWORK[root.code ?? ''];
    return new CliError('unreachable', EXIT.server, {
      message: `The server can't be reached. ${why ?? root.message}`,
      suggestion: "Check ENFILADE_URL and the network, then run the command again. Completed steps aren't repeated.",
    });
  }
  return undefined;
}
