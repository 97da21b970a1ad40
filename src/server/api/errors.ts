import type { FastifyBaseLogger, FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { ZodError } from 'zod';
import { ApiError, type ErrorCode, type Messages } from '../../contract/errors.ts';
import { databaseFault, faultKindOf } from '../db/faults.ts';
import { StorageFault } from '../media/bucket.ts';
import type { Health, PartName } from '../operations/health.ts';
import { PlatformBusy } from '../outgoing/platform-errors.ts';

/** Seconds after which to try again when something is away, and when somebody asks too often. */
export const RETRY_AFTER = 5;
const WAIT_AFTER_MANY = 60;

/** Codes of Fastify and its multipart plugin that are the caller's fault, by our own code. */
const FOREIGN: Record<string, ErrorCode> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'too_large',
  FST_REQ_FILE_TOO_LARGE: 'too_large',
  FST_FILES_LIMIT: 'too_large',
  FST_FIELDS_LIMIT: 'too_large',
  FST_PARTS_LIMIT: 'too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'wrong_type',
  FST_INVALID_MULTIPART_CONTENT_TYPE: 'wrong_type',
};

/** Most fields and faults that are named: who sends thousands of them is not helped by a list of all. */
const MOST_NAMED = 100;

/** What zod found, as texts by field; fields that don't exist are told apart from fields that are wrong. */
export function fromZod(error: ZodError): ApiError {
  const texts = new Map<string, string[]>();
  const unknownOnly = error.issues.every(({ code }) => code === 'unrecognized_keys');
  for (const issue of error.issues.slice(0, MOST_NAMED)) {
    if (issue.code === 'unrecognized_keys') {
      for (const key of issue.keys.slice(0, MOST_NAMED))
        texts.set([...issue.path, key].join('.'), ['This field can not be set.']);
      continue;
    }
    const key = issue.path.join('.') || 'error';
    texts.set(key, [...(texts.get(key) ?? []), issue.message]);
  }
  // A field may be called like what every object has, such as `__proto__`.
  const msg: Messages = Object.fromEntries(texts);
  return new ApiError(unknownOnly ? 'unknown_field' : 'invalid', msg);
}

/** Any error as one of the table's; undefined for what is nobody's fault but ours. */
export function asApiError(error: unknown): ApiError | undefined {
  if (error instanceof ApiError) return error;
  if (error instanceof ZodError) return fromZod(error);
  const { code, statusCode } = error as Partial<FastifyError>;
  if (code && FOREIGN[code]) return new ApiError(FOREIGN[code]);
  if (statusCode === 404) return new ApiError('not_found');
  if (statusCode === 416) return new ApiError('out_of_range');
  if (statusCode && statusCode >= 400 && statusCode < 500) return new ApiError('bad_request');
  const fault = databaseFault(error);
  if (fault === 'unavailable' && faultKindOf(error) === 'full')
    return new ApiError(fault, 'There is no room left on the disk of the server.');
  return fault && new ApiError(fault);
}

/** What the server stands on that an error speaks of. */
function partOf(error: unknown): PartName | undefined {
  if (error instanceof StorageFault) return 's3';
  if (error instanceof ApiError) return undefined;
  switch (faultKindOf(error)) {
    case 'away':
      return 'database';
    case 'full':
      return (error as { code?: string }).code === '53100' ? 'database' : 'disk';
    default:
      return undefined;
  }
}

/** Logs what failed, with its cause. Of a part that is away the first failure is told; others say the same. */
export function logFailure(health: Health, log: FastifyBaseLogger, error: unknown): void {
  const part = partOf(error);
  const isNews = part === undefined || health.isNews(part);
  log[isNews ? 'error' : 'debug'](error);
}

/** Seconds after which an error asks to be tried again; undefined where it is none to wait for. */
export function waitOf({ code, wait }: ApiError): number | undefined {
  if (code === 'unavailable') return wait ?? RETRY_AFTER;
  return code === 'too_many' ? (wait ?? WAIT_AFTER_MANY) : wait;
}

/** Answers a failed request in the one form that errors have. */
export function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const known = asApiError(error);
  if (!known || known.status >= 500) logFailure(request.server.health, request.log, error);
  const answer = known ?? new ApiError('failed');
  const wait = waitOf(answer);
  if (answer instanceof PlatformBusy && answer.retryAfter) reply.header('retry-after', answer.retryAfter);
  if (wait !== undefined) reply.header('retry-after', wait);
  // A file that is not there may have been given its type already.
  return reply
    .code(answer.status)
    .type('application/json; charset=utf-8')
    .send({
      ...answer.body(request.id),
      ...(wait !== undefined && { retry_after: wait }),
    });
}
