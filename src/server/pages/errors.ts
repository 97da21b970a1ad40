import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../../contract/errors.ts';
import { logFailure } from '../core/files/log-failure.ts';
import { asApiError, waitOf } from '../core/http/as-api-error.ts';
import { PlatformBusy } from '../providers/platform-errors.ts';

/** Answers a failed request in the standard error format. */
export function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const known = asApiError(error);
  if (!known || known.status >= 500) logFailure(request.server.health, request.log, error);
  const answer = known ?? new ApiError('failed');
  const wait = waitOf(answer);
  if (answer instanceof PlatformBusy && answer.retryAfter) reply.header('retry-after', answer.retryAfter);
  if (wait !== undefined) reply.header('retry-after', wait);
  // The content type of a missing file may have been set already.
  return reply
    .code(answer.status)
    .type('application/json; charset=utf-8')
    .send({
      ...answer.body(request.id),
      ...(wait !== undefined && { retry_after: wait }),
    });
}
