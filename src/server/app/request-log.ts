import { type FastifyReply, type FastifyRequest, LogController } from 'fastify';
import { callerOf } from '../core/http/caller.ts';

/** File names are hashes and grant no access. */
const FILES = /^\/(?:media|assets)\//;
/** A path segment long enough to be a token. */
const TOKEN = /[^/]{20,}/g;

/** A URL with secrets removed: tokens in the path and query values. */
function addressOf(url: string): string {
  const [path = '', ...query] = url.split('?');
  const shown = FILES.test(path) ? path : path.replace(TOKEN, '…');
  if (query.length === 0) return shown;
  const names = query
    .join('?')
    .split('&')
    .map((field) => field.split('=', 1)[0]!.replace(TOKEN, '…'));
  return `${shown}?${names.join('&')}`;
}

/** Request fields in the log at every level, without secrets from the URL. */
export const loggedRequest = ({ method, url, host, ip }: FastifyRequest): Record<string, string> => ({
  method,
  url: addressOf(url),
  host,
  remoteAddress: ip,
});

/** Logs each completed request in one line that says what it was and who made it. */
export class RequestLog extends LogController {
  constructor() {
    super({ requestIdLogLabel: 'request_id' });
  }

  override requestCompleted(error: Error | null | undefined, request: FastifyRequest, reply: FastifyReply): void {
    const { userId, organizationId } = callerOf(request);
    const line = {
      req: request,
      res: reply,
      responseTime: reply.elapsedTime,
      user_id: userId,
      organization_id: organizationId,
    };
    if (error) request.log.error({ ...line, err: error }, 'request errored');
    else request.log.info(line, 'request completed');
  }
}
