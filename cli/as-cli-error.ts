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
      message: `Not an Enfilade server: it answered ${error.status}.`,
      suggestion: 'Check ENFILADE_URL, and whether a proxy answers instead of the server.',
    });
  const { name } = error as Caused;
  const root = rootOf(error);
  const isNetwork = name === 'FetchError' || (error instanceof TypeError && error.cause !== undefined);
  if (isNetwork || name === 'TimeoutError' || root.name === 'TimeoutError' || NETWORK[root.code ?? '']) {
    const why = root.name === 'TimeoutError' ? 'It did not answer in time.' : NETWORK[root.code ?? ''];
    return new CliError('unreachable', EXIT.server, {
      message: `The server can't be reached. ${why ?? root.message}`,
      suggestion: 'Check ENFILADE_URL and the network, then run the command again: nothing is done twice.',
    });
  }
  return undefined;
}
