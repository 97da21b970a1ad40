import type { ImportTable } from './entities/import-table.ts';

/**
 * All errors of the API: a stable code, the HTTP status, the message and what to do next.
 * The JSON form is `{ code, msg: { key: [text, ...] }, suggestion, request_id }`; `key` is the field at fault, or `error`.
 */
export const errors = {
  bad_request: {
    status: 400,
    message: "The request couldn't be parsed.",
    suggestion: 'Check the URL and the format of the request.',
  },
  invalid: {
    status: 422,
    message: 'Some fields are invalid.',
    suggestion: 'Correct the listed fields and try again.',
  },
  unknown_field: {
    status: 400,
    message: "This field can't be set.",
    suggestion: 'Omit the listed fields.',
  },
  wrong_login: {
    status: 422,
    message: 'The e-mail address or the password is wrong.',
    suggestion: 'Check both, or reset your password.',
  },
  signed_out: {
    status: 401,
    message: 'You are not signed in, or your session has expired.',
    suggestion: 'Sign in again.',
  },
  second_factor_required: {
    status: 403,
    message: 'Your organization requires a second factor.',
    suggestion: 'Set one up in your account and try again.',
  },
  forbidden: {
    status: 403,
    message: "You don't have permission to do this.",
    suggestion: 'Ask an administrator for access.',
  },
  foreign_site: {
    status: 403,
    message: 'This request came from another site.',
    suggestion: 'Open the room or the back-office at its own URL and try again there.',
  },
  not_found: {
    status: 404,
    message: 'Not found; it may have been deleted.',
    suggestion: 'Check the URL, or go back to the list.',
  },
  misdirected: {
    status: 421,
    message: 'No organization uses this host name.',
    suggestion: 'Check the URL, or ask the operator which host names are configured.',
  },
  suspended: {
    status: 503,
    message: 'This organization is suspended.',
    suggestion: 'Contact the operator of the server.',
  },
  code_required: {
    status: 400,
    message: 'This room requires an access token.',
    suggestion: 'Enter your access token.',
  },
  stale: {
    status: 409,
    message: 'Somebody else changed this in the meantime.',
    suggestion: 'Reload it and repeat your change.',
  },
  in_use: {
    status: 409,
    message: 'This is still in use.',
    suggestion: 'Remove it where it is used, or force the removal.',
  },
  quota: {
    status: 409,
    message: 'This organization has reached its quota.',
    suggestion: 'Remove something you no longer need, or ask the operator for more.',
  },
  key_reused: {
    status: 409,
    message: 'This Idempotency-Key was used for another request.',
    suggestion: 'Use a new key for a new request.',
  },
  client_taken: {
    status: 409,
    message: 'This client name belongs to another user.',
    suggestion: 'Use another client name, such as a random string, and try again.',
  },
  too_large: { status: 413, message: 'The request is too large.', suggestion: 'Send a smaller file or fewer items.' },
  wrong_type: {
    status: 415,
    message: "This file type isn't supported here.",
    suggestion: 'Use one of the listed types.',
  },
  bad_file: {
    status: 422,
    message: 'The file is damaged or incomplete.',
    suggestion: 'Export or download it again, then upload the new copy.',
  },
  unclear_table: {
    status: 422,
    message: "The column of the access tokens, or whether the first line is a heading, can't be determined.",
    suggestion: 'Check the first rows, then send `column` and `heading` with the file.',
  },
  out_of_range: {
    status: 416,
    message: 'The requested range is outside the file.',
    suggestion: 'Request a range that starts before the end of the file.',
  },
  not_set_up: {
    status: 409,
    message: 'This service is not set up.',
    suggestion: 'Set it up in the settings and try again.',
  },
  provider_failed: {
    status: 502,
    message: 'The service returned an unexpected response.',
    suggestion: 'Try again in a moment. If it persists, check the key and the status of the service.',
  },
  provider_busy: {
    status: 503,
    message: 'The service is limiting requests.',
    suggestion: 'Wait a few minutes and try again.',
  },
  too_many: {
    status: 429,
    message: 'Too many attempts.',
    suggestion: 'Wait for the time in `retry_after` and try again.',
  },
  timeout: {
    status: 408,
    message: 'The request took too long to arrive.',
    suggestion: 'Check the connection and try again.',
  },
  failed: {
    status: 500,
    message: 'Something went wrong on our side.',
    suggestion:
      'Try again. If it persists, send the request ID to the operator, who finds the cause in the server log.',
  },
  unavailable: { status: 503, message: 'The service is not ready.', suggestion: 'Try again in a moment.' },
} as const;

export type ErrorCode = keyof typeof errors;

/** Why an existing access token doesn't grant access now. */
export const TOKEN_REASONS = ['expired', 'not_yet_valid'] as const;
export type TokenReason = (typeof TOKEN_REASONS)[number];

/** Texts by field; `error` if no field is at fault. */
export type Messages = Record<string, string[]>;

/** The JSON body of an error response. */
export interface ErrorBody {
  code: ErrorCode;
  msg: Messages;
  suggestion: string;
  /**
   * With `code_required`: why the access token was rejected. Omitted if none was sent or the structure doesn't have it; the
   * client knows which.
   */
  reason?: TokenReason;
  /** With `too_many` and `unavailable`: seconds to wait before a retry, as in the `Retry-After` header. */
  retry_after?: number;
  /** With `unclear_table`: the first rows of the file, and what was detected. */
  table?: ImportTable;
  /** Identifies the request in the server's log, like the `X-Request-Id` header. */
  request_id?: string;
}

/** The texts of errors; a page may replace it to translate them. */
export const errorTexts = { textOf: (text: string): string => text };

/** An error of the API, thrown by the server's handlers and by the client when it parses an error response. */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly msg: Messages;
  readonly suggestion: string;
  readonly reason: TokenReason | undefined;
  /** Seconds to wait before a retry. */
  readonly wait: number | undefined;
  /** The first rows of an ambiguous table. */
  readonly table: ImportTable | undefined;

  /**
   * @param code code in the error table
   * @param msg texts by field; a string is short for the key `error`; defaults to the table's message
   * @param reason why an access token was rejected
   * @param wait seconds to wait before a retry
   * @param table first rows of an ambiguous table
   */
  constructor(code: ErrorCode, msg?: Messages | string, reason?: TokenReason, wait?: number, table?: ImportTable) {
    const { status, message, suggestion } = errors[code];
    const given = msg === undefined ? { error: [message] } : typeof msg === 'string' ? { error: [msg] } : msg;
    const messages = Object.fromEntries(
      Object.entries(given).map(([field, texts]) => [field, texts.map(errorTexts.textOf)]),
    );
    super(Object.values(messages).flat()[0] ?? errorTexts.textOf(message));
    this.name = 'ApiError';
    this.code = code;
    this.status = status;
    this.msg = messages;
    this.suggestion = errorTexts.textOf(suggestion);
    this.reason = reason;
    this.wait = wait;
    this.table = table;
  }

  /**
   * The JSON body of the error response.
   * @param requestId the request's id in the log
   */
  body(requestId?: string): ErrorBody {
    const { code, msg, suggestion, reason, wait, table } = this;
    return {
      code,
      msg,
      suggestion,
      ...(reason && { reason }),
      ...(wait !== undefined && { retry_after: wait }),
      ...(table && { table }),
      ...(requestId !== undefined && { request_id: requestId }),
    };
  }
}
