import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Access, Call } from '../../contract/call.ts';
import { API_PREFIX, type Calls, calls } from '../../contract/calls.ts';
import type { Area, Right } from '../../contract/entities.ts';
import { ApiError } from '../../contract/errors.ts';
import { organizationOf } from '../organizations/organizations.ts';
import type { Services } from '../services.ts';
import { findSession, type Session } from '../sessions/sessions.ts';
import { fromZod } from './errors.ts';
import type { Handler, HandlerInput, Handlers, Upload } from './handler.ts';
import { readFields, readForm } from './multipart.ts';

/** Handlers of every area. */
export type AllHandlers = { [A in keyof Calls]: Handlers<A> };

const bearer = (request: FastifyRequest): string | undefined =>
  /^Bearer ([\w-]{20,200})$/.exec(request.headers.authorization ?? '')?.[1];

/**
 * Who asks, held against what the call asks for. The one place where rights are checked before a handler runs.
 * @throws ApiError signed_out or forbidden
 */
async function authorize(services: Services, request: FastifyRequest, access: Access): Promise<Session | null> {
  if (access === 'public') return null;
  const token = bearer(request);
  const session = token ? await findSession(services.db, services.clock, token) : null;
  if (!session) throw new ApiError('signed_out');
  if (access !== 'session') {
    const [area, right] = access.split('.') as [Area, Right];
    if (!session.user.policies[area][right]) throw new ApiError('forbidden');
  }
  return session;
}

const noQuery = z.strictObject({});
const strict = (schema: z.ZodType): z.ZodType => (schema instanceof z.ZodObject ? schema.strict() : schema);

async function readBody(call: Call, request: FastifyRequest): Promise<{ body: unknown; file: Upload | undefined }> {
  if (call.files) {
    const { fields, file } = await readForm(request, call.files);
    const schema = call.body ?? z.object({});
    return { body: strict(schema).parse(readFields(fields, schema)), file };
  }
  if (!call.body) return { body: undefined, file: undefined };
  return { body: call.body.parse(request.body === undefined ? {} : request.body), file: undefined };
}

/** What stands behind the question mark. Calls without a query take none, so that a misspelt name is not lost. */
function readQuery({ query }: Call, request: FastifyRequest): unknown {
  const result = (query ?? noQuery).safeParse(request.query);
  if (result.success) return query && result.data;
  const { code, msg } = fromZod(result.error);
  throw new ApiError(code === 'invalid' ? 'bad_request' : code, msg);
}

function isPage(call: Call, result: unknown): result is { data: unknown; meta: unknown } {
  return call.paged === true && typeof result === 'object' && result !== null && 'meta' in result;
}

function route(services: Services, call: Call, handler: Handler<Call>) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const session = await authorize(services, request, call.access);
    reply.header('cache-control', 'no-store');
    if (session?.renewed) reply.header('authorization', `Bearer ${session.renewed}`);
    let params: unknown;
    try {
      params = call.params?.parse(request.params);
    } catch {
      // A path whose parameters can't be is a path that leads nowhere.
      throw new ApiError('not_found');
    }
    const query = readQuery(call, request);
    const { body, file } = await readBody(call, request);
    let issued: string | undefined;
    const context = {
      ...services,
      user: session?.user ?? null,
      organizationId: session?.organizationId ?? (await organizationOf(services.db, request.hostname)),
      address: request.ip,
      issueToken: (token: string) => {
        issued = token;
        reply.header('authorization', `Bearer ${token}`);
      },
    };
    const result: unknown = await handler(context, { params, query, body, file } as HandlerInput<Call>);
    const answer = isPage(call, result) ? result : { data: result };
    return reply.code(call.status ?? 200).send(issued ? { token: issued, ...answer } : answer);
  };
}

/** Makes a route of every call in the table. */
export function registerCalls(app: FastifyInstance, services: Services, handlers: AllHandlers): void {
  for (const [area, table] of Object.entries(calls)) {
    for (const [name, call] of Object.entries(table) as [string, Call][]) {
      const handler = (handlers as unknown as Record<string, Record<string, Handler<Call>>>)[area]?.[name];
      if (!handler) throw new Error(`The call ${area}.${name} has no handler.`);
      app.route({ method: call.method, url: API_PREFIX + call.path, handler: route(services, call, handler) });
    }
  }
}
