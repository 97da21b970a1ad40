import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { API_KEY_PREFIX } from '../../../contract/entities.ts';
import { ApiError } from '../../../contract/errors.ts';
import { logFailure } from '../../core/files/log-failure.ts';
import { WaitingForms } from '../../core/http/waiting-forms.ts';
import { countAgainst } from '../../core/limits/attempts.ts';
import type { Services } from '../../core/services.ts';
import { drawNow } from '../../features/poster-drawing/draw-now.ts';
import { innerClient } from './inner-client.ts';
import type { McpHandler, Served } from './mcp-handler.ts';
import type { ToolContext } from './tool.ts';
import { serveUploads, uploadPath } from './uploads.ts';

/** Path of the endpoint for agents (Model Context Protocol, Streamable HTTP). */
export const AGENTS_PATH = '/api/mcp';

/** Maximum requests of a key per minute. */
const PER_MINUTE = 120;
const MINUTE = 60_000;
/** Maximum milliseconds of a request. */
const MAX_TIME = 5 * MINUTE;
/** Maximum concurrent requests of a key. */
const AT_ONCE = 4;

const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16);

const keyOf = ({ headers }: FastifyRequest): string | null =>
  new RegExp(`^Bearer (${API_KEY_PREFIX}[\\w-]{20,200})$`).exec(headers.authorization ?? '')?.[1] ?? null;

/** The request for the protocol's handler; its body has been read. */
function webRequest({ method, url, headers, host, protocol }: FastifyRequest, signal: AbortSignal): Request {
  const given = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, String(value)]],
  );
  return new Request(new URL(url, `${protocol}://${host}`), { method, headers: given, signal });
}

/** Serves agents: each request acts with the rights and scopes of its API key. */
export function serveAgents(app: FastifyInstance, services: Services): void {
  const { db, clock } = services;
  const waiting = new WaitingForms();
  /** The tools take ten megabytes of memory, and few organizations have agents: they load with the first request. */
  let loading: Promise<McpHandler> | null = null;
  const handlerNow = () => {
    loading ??= import('./mcp-handler.ts').then(({ mcpHandler }) =>
      mcpHandler((error) => app.log.warn({ err: error }, 'A request of an agent failed.')),
    );
    return loading;
  };
  app.addHook('onClose', async () => (await loading)?.close());
  serveUploads(app, services);

  /** @throws ApiError signed_out if the key is invalid, expired or revoked */
  const contextOf = async ({ host, ip }: FastifyRequest, token: string, signal: AbortSignal): Promise<ToolContext> => {
    const client = innerClient(app, { token, host, address: ip });
    const { id: userId, organization } = await client.users.active();
    return {
      client,
      userId,
      agentIn: (spaceId) => `agent-${digest(`${token} ${spaceId}`)}`,
      now: clock.now(),
      uploadUrl: async (name, folderId) => {
        const { path, expires_at } = await uploadPath(services, { token, name, folderId });
        return { url: organization.origin + path, expires_at };
      },
      drawNow: (spaceId) => drawNow(services, spaceId, signal),
      readFile: async (url) => {
        const { pathname } = new URL(url, organization.origin);
        const answer = await app.inject({ method: 'GET', url: pathname, headers: { host } });
        if (answer.statusCode !== 200) return null;
        return { data: answer.rawPayload, type: String(answer.headers['content-type']) };
      },
    };
  };

  app.route({
    method: ['GET', 'POST', 'DELETE'],
    url: AGENTS_PATH,
    handler: async (request, reply) => {
      const token = keyOf(request);
      reply.header('cache-control', 'no-store');
      if (!token) {
        reply.header('www-authenticate', 'Bearer');
        throw new ApiError('signed_out', 'Send an API key as a bearer token.');
      }
      // Each message counts toward the limits.
      if (Array.isArray(request.body)) throw new ApiError('bad_request', 'Send one message per request.');
      const closed = new AbortController();
      reply.raw.once('close', () => closed.abort());
      const leave = waiting.enter(token, AT_ONCE);
      try {
        const signal = AbortSignal.any([closed.signal, AbortSignal.timeout(MAX_TIME)]);
        const context = await contextOf(request, token, signal);
        const subject = `agent:${digest(token)}`;
        await countAgainst(db, clock, [{ subject, most: PER_MINUTE, window: MINUTE }]);
        const report = (error: unknown) => logFailure(app.health, request.log, error);
        const served: Served = { context, report };
        const authInfo = { token, clientId: subject, scopes: [], extra: { served } };
        const handler = await handlerNow();
        const answer = await handler.fetch(webRequest(request, signal), { parsedBody: request.body, authInfo });
        const text = await answer.text();
        for (const [name, value] of answer.headers) if (name !== 'content-length') reply.header(name, value);
        return reply.code(answer.status).send(text);
      } finally {
        leave();
      }
    },
  });
}
