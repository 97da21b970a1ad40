import type { FastifyError } from 'fastify';
import { ZodError } from 'zod';
import { ApiError, type ErrorCode, type Messages } from '../../../contract/errors.ts';
import { shortText } from '../../../contract/short-text.ts';
import { databaseFault, faultKindOf } from '../db/faults.ts';

/** Retry-After in seconds for unavailable dependencies and rate limits. */
export const RETRY_AFTER = 5;
const WAIT_AFTER_MANY = 60;

/** Client errors of Fastify and its multipart plugin, mapped to our codes. */
const FOREIGN: Record<string, ErrorCode> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'too_large',
  FST_REQ_FILE_TOO_LARGE: 'too_large',
  FST_FILES_LIMIT: 'too_large',
  FST_FIELDS_LIMIT: 'too_large',
  FST_PARTS_LIMIT: 'too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'wrong_type',
  FST_INVALID_MULTIPART_CONTENT_TYPE: 'wrong_type',
};

/** PostgreSQL's code for a parameter with a character that it can't store: NUL, in untyped input. */
const NOT_A_TEXT = '22021';

/** Maximum number of fields and messages in an error: a list of thousands helps no one. */
const MAX_NAMED = 100;

/** Converts a zod error to messages by field; unknown fields get a different code than invalid ones. */
export function fromZod(error: ZodError): ApiError {
  const texts = new Map<string, string[]>();
  const unknownOnly = error.issues.every(({ code }) => code === 'unrecognized_keys');
  for (const issue of error.issues.slice(0, MAX_NAMED)) {
    if (issue.code === 'unrecognized_keys') {
      for (const key of issue.keys.slice(0, MAX_NAMED))
        texts.set(shortText([...issue.path, key].join('.')), ["This field can't be set."]);
      continue;
    }
    const key = shortText(issue.path.join('.')) || 'error';
    texts.set(key, [...(texts.get(key) ?? []), issue.message]);
  }
  // A field may have the name of an object property, such as `__proto__`.
  const msg: Messages = Object.fromEntries(texts);
  return new ApiError(unknownOnly ? 'unknown_field' : 'invalid', msg);
}

/** Converts any error to an API error; undefined for bugs in the server. */
export function asApiError(error: unknown): ApiError | undefined {
  if (error instanceof ApiError) return error;
  if (error instanceof ZodError) return fromZod(error);
  const { code, statusCode } = error as Partial<FastifyError>;
  if (code && FOREIGN[code]) return new ApiError(FOREIGN[code]);
  if (statusCode === 404) return new ApiError('not_found');
  if (statusCode === 416) return new ApiError('out_of_range');
  if (statusCode && statusCode >= 400 && statusCode < 500) return new ApiError('bad_request');
  if (code === NOT_A_TEXT) return new ApiError('invalid', { error: ['Remove the NUL characters.'] });
  const fault = databaseFault(error);
  if (fault === 'unavailable' && faultKindOf(error) === 'full')
    return new ApiError(fault, "The server's disk is full.");
  return fault && new ApiError(fault);
}

/** Retry-After in seconds of an error; undefined if retrying is pointless. */
export function waitOf({ code, wait }: ApiError): number | undefined {
  if (code === 'unavailable') return wait ?? RETRY_AFTER;
  return code === 'too_many' ? (wait ?? WAIT_AFTER_MANY) : wait;
}
