/**
 * Every error that the API gives: a stable code, the status it travels with, what a person reads and what to do next.
 * The wire form is `{ code, msg: { key: [text, ...] }, suggestion, request_id }`; `key` is the field at fault, or `error`.
 */
export const errors = {
  bad_request: {
    status: 400,
    message: 'The request could not be read.',
    suggestion: 'Check the address and the format of what was sent.',
  },
  invalid: {
    status: 422,
    message: 'Some fields are invalid.',
    suggestion: 'Correct the named fields and send again.',
  },
  unknown_field: {
    status: 400,
    message: "This field can't be set.",
    suggestion: 'Leave out the named fields.',
  },
  wrong_login: {
    status: 422,
    message: 'The e-mail address or the password is wrong.',
    suggestion: 'Check both, or reset your password.',
  },
  signed_out: {
    status: 401,
    message: 'You are not signed in, or your session has ended.',
    suggestion: 'Sign in again.',
  },
  second_factor_required: {
    status: 403,
    message: 'Your organization asks for a second factor.',
    suggestion: 'Set one up in your account, then try again.',
  },
  forbidden: {
    status: 403,
    message: "You don't have permission to do this.",
    suggestion: 'Ask an administrator for the right to do it.',
  },
  foreign_site: {
    status: 403,
    message: 'This was sent by a page of another site.',
    suggestion: 'Open the room or the back-office by its own address and try again there.',
  },
  not_found: {
    status: 404,
    message: 'Not found; it may have been deleted.',
    suggestion: 'Check the address, or go back to the list.',
  },
  misdirected: {
    status: 421,
    message: 'Nothing is served under this host name.',
    suggestion: 'Check the address; whoever runs the server gives each organization its host name.',
  },
  code_required: {
    status: 400,
    message: 'This room requires an access token.',
    suggestion: 'Enter the access token that you were given.',
  },
  stale: {
    status: 409,
    message: 'Somebody else changed this in the meantime.',
    suggestion: 'Load it again and repeat your change.',
  },
  in_use: {
    status: 409,
    message: 'This is still in use.',
    suggestion: 'Remove it from where it is used, or force the removal.',
  },
  quota: {
    status: 409,
    message: 'This organization has used up what it may have.',
    suggestion: 'Remove what is no longer needed, or ask whoever runs the server for more.',
  },
  key_reused: {
    status: 409,
    message: 'This Idempotency-Key came with another request before.',
    suggestion: 'Use a new key for a new request.',
  },
  too_large: { status: 413, message: 'This is too large.', suggestion: 'Send a smaller one.' },
  wrong_type: {
    status: 415,
    message: "This kind of file can't be used here.",
    suggestion: 'Send one of the named types.',
  },
  bad_file: {
    status: 422,
    message: 'The file is damaged or incomplete.',
    suggestion: 'Export or download it again and retry.',
  },
  out_of_range: {
    status: 416,
    message: 'This part of the file does not exist.',
    suggestion: 'Ask for a part that begins before its end.',
  },
  not_set_up: {
    status: 409,
    message: 'This service is not set up.',
    suggestion: 'Enter its key under Settings, Platforms, then try again.',
  },
  provider_failed: {
    status: 502,
    message: 'The service did not answer as it should.',
    suggestion: 'Try again in a moment; if it stays so, check the key and the state of the service.',
  },
  provider_busy: {
    status: 503,
    message: 'The service takes no more requests for now.',
    suggestion: 'Wait a few minutes and try again.',
  },
  too_many: { status: 429, message: 'Too many attempts.', suggestion: 'Wait for as long as it says, then try again.' },
  timeout: { status: 408, message: 'It took too long to arrive.', suggestion: 'Check the connection and try again.' },
  failed: {
    status: 500,
    message: 'Something went wrong on our side.',
    suggestion: 'Try again; the administrator finds the cause in the log.',
  },
  unavailable: { status: 503, message: 'The service is not ready.', suggestion: 'Try again in a moment.' },
} as const;

export type ErrorCode = keyof typeof errors;

/** Why an access token that exists opens nothing at this moment. */
export const CODE_REASONS = ['expired', 'not_yet_valid'] as const;
export type CodeReason = (typeof CODE_REASONS)[number];

/** Texts by the field they are about; `error` where no field is. */
export type Messages = Record<string, string[]>;

/** What an error answer carries. */
export interface ErrorBody {
  code: ErrorCode;
  msg: Messages;
  suggestion: string;
  /**
   * With `code_required`: what is the matter with the code that was sent. Left out where no code was sent, and where
   * the structure has no such code; who sent one knows which of the two it is.
   */
  reason?: CodeReason;
  /** With `too_many` and `unavailable`: seconds after which to try again, as in the `Retry-After` header. */
  retry_after?: number;
  /** Names the request in the server's log, as the `X-Request-Id` header does. */
  request_id?: string;
}

/** An error of the API: thrown by the server's handlers and, read back from the wire, by the client. */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly msg: Messages;
  readonly suggestion: string;
  readonly reason: CodeReason | undefined;
  /** Seconds after which it is worth trying again. */
  readonly wait: number | undefined;

  /**
   * @param code row of the error table
   * @param msg texts by field; a string stands for the key `error`; the table's own message when left out
   * @param reason why an access token opens nothing
   * @param wait seconds after which it is worth trying again
   */
  constructor(code: ErrorCode, msg?: Messages | string, reason?: CodeReason, wait?: number) {
    const { status, message, suggestion } = errors[code];
    const messages = msg === undefined ? { error: [message] } : typeof msg === 'string' ? { error: [msg] } : msg;
    super(Object.values(messages).flat()[0] ?? message);
    this.name = 'ApiError';
    this.code = code;
    this.status = status;
    this.msg = messages;
    this.suggestion = suggestion;
    this.reason = reason;
    this.wait = wait;
  }

  /**
   * The form in which it travels.
   * @param requestId what the log calls the request
   */
  body(requestId?: string): ErrorBody {
    const { code, msg, suggestion, reason, wait } = this;
    return {
      code,
      msg,
      suggestion,
      ...(reason && { reason }),
      ...(wait !== undefined && { retry_after: wait }),
      ...(requestId !== undefined && { request_id: requestId }),
    };
  }
}
