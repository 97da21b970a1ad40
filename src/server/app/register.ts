import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { type Call, IDEMPOTENCY_KEY, scopeOf } from '../../contract/call.ts';
import { API_PREFIX, type Calls, calls } from '../../contract/calls.ts';
import type { Area, Right } from '../../contract/entities.ts';
import { ApiError } from '../../contract/errors.ts';
import { signInChangesOf } from '../core/db/database.ts';
import type { LastAnswers } from '../core/db/last-answers.ts';
import { listenForSignIns } from '../core/db/sign-in-notices.ts';
import { VersionedCache } from '../core/db/versioned-cache.ts';
import type { Upload } from '../core/files/upload.ts';
import { fromZod } from '../core/http/as-api-error.ts';
import { CachedResponse, sendParts } from '../core/http/cached-response.ts';
import { noteCaller } from '../core/http/caller.ts';
import { attachmentOf, Download } from '../core/http/download.ts';
import { withoutUnchanged } from '../core/http/edited.ts';
import type { Handler, HandlerInput, Handlers } from '../core/http/handler.ts';
import { readFields, readForm } from '../core/http/multipart.ts';
import type { PublicCalls } from '../core/http/public-calls.ts';
import { WaitingForms } from '../core/http/waiting-forms.ts';
import { addressSubject } from '../core/limits/attempts.ts';
import { AfterAnswer } from '../core/mail/after-answer.ts';
import type { Mailer } from '../core/mail/mailer.ts';
import type { OwnRights } from '../core/secrets/own-rights.ts';
import type { Services } from '../core/services.ts';
import { notifyModeratorsRegularly } from '../features/feeds/jobs.ts';
import { type ImportMeasures, importKindOf } from '../features/imports/import-measures.ts';
import { readDeliveryReports } from '../features/mailings/delivery-reports.ts';
import { sendMailings } from '../features/mailings/jobs.ts';
import { SESSION_COOKIE, setMediaCookie } from '../features/media/media-cookies.ts';
import type { RoomBytes, RoomCache } from '../features/rooms/room-cache.ts';
import { findKeySignIn, type Session } from '../features/users/api-keys.ts';
import { requireScope } from '../features/users/rights.ts';
import { findSignIn, SessionCache, takeExportTicket } from '../features/users/sessions.ts';
import { countForm } from '../features/visits/limits.ts';
import type { OpenEndpoint } from '../features/visits/public-endpoints.ts';
import { contextOf, isSecureRequest, type Tokens } from './context-of.ts';

/** Handlers of all areas. */
export type AllHandlers = { [A in keyof Calls]: Handlers<A> };

/** Maximum JSON body in bytes for unauthenticated calls. */
const PUBLIC_BODY = 256 * 1024;

/** Maximum file size in bytes for unauthenticated calls: a phone photo with room to spare. */
const PUBLIC_FILE = 20 * 1024 * 1024;

/** Maximum size in bytes of all cached responses. */
const MAX_RESPONSE_BYTES = 32 * 1024 * 1024;

/** Dependencies shared by all routes. */
interface Shared extends Services {
  sessions: SessionCache;
  roomCache: RoomCache;
  lastOpen: LastAnswers<OpenEndpoint<RoomBytes>>;
  mail: Mailer;
  ownRights: OwnRights;
  afterAnswer: AfterAnswer;
  /** Cached responses. */
  responses: VersionedCache<CachedResponse>;
  forms: WaitingForms;
  publicUrl(): string;
}

/** Dependencies that other parts of the server use, too. */
type Given = Services & Pick<Shared, 'roomCache' | 'lastOpen' | 'mail' | 'ownRights'>;

const bearer = (request: FastifyRequest): string | undefined =>
  /^Bearer ([\w-]{20,200})$/.exec(request.headers.authorization ?? '')?.[1];

/**
 * The request's idempotency key.
 * @throws ApiError bad_request if it is malformed
 */
function idempotencyKeyOf(request: FastifyRequest): string | null {
  const key = request.headers[IDEMPOTENCY_KEY];
  if (key === undefined) return null;
  if (typeof key === 'string' && /^[\w.:-]{8,200}$/.test(key)) return key;
  throw new ApiError('bad_request', { [IDEMPOTENCY_KEY]: ['Use 8 to 200 letters, digits, dots, colons and hyphens.'] });
}

/** The session of a one-time ticket in the query. HEAD requests, such as from link previews, don't consume it. */
async function ticketSession({ db, clock }: Services, request: FastifyRequest): Promise<Session | null> {
  const { token } = request.query as { token?: unknown };
  const { id } = request.params as { id?: string };
  if (request.method !== 'GET' || typeof token !== 'string' || !/^\d{1,15}$/.test(id ?? '')) return null;
  const family = await takeExportTicket(db, clock, token, Number(id));
  if (family === null) return null;
  return (await findKeySignIn(db, clock, family)) ?? findSignIn(db, clock, family);
}

/**
 * Checks the caller's rights against what the call requires. The only place where rights are checked before a handler
 * runs.
 * @throws ApiError signed_out, second_factor_required or forbidden
 */
async function authorize(
  services: Shared,
  request: FastifyRequest,
  token: string | undefined,
  call: Call,
): Promise<Session | null> {
  const { access, ticket, withoutFactor } = call;
  if (access === 'public') return null;
  const byTicket = ticket && token === undefined ? ticketSession(services, request) : null;
  const session = token ? await services.sessions.find(token) : await byTicket;
  if (!session) throw new ApiError('signed_out');
  if (session.user.needsSecondFactor && !withoutFactor) throw new ApiError('second_factor_required');
  if (access !== 'session') {
    const [area, right] = access.split('.') as [Area, Right];
    if (!session.user.policies[area][right]) throw new ApiError('forbidden');
  }
  requireScope(session.user, scopeOf(call));
  return session;
}

/** Body of a request. */
interface ReadBody {
  body: unknown;
  file?: Upload | undefined;
  /** Deletes the files stored for it. */
  discard?: () => Promise<void>;
}

const noQuery = z.strictObject({});
const strict = (schema: z.ZodType): z.ZodType => (schema instanceof z.ZodObject ? schema.strict() : schema);

/** Maximum concurrent forms with a file on disk: per network for anonymous callers, and per user. */
const FORMS = { network: 10, user: 20 } as const;

/** Admits a form whose file is on disk. @throws ApiError too_many */
async function admitForm(services: Shared, address: string, userId: number | null): Promise<() => void> {
  if (userId !== null) return services.forms.enter(`user:${userId}`, FORMS.user);
  const leave = services.forms.enter(addressSubject(address), FORMS.network);
  try {
    await countForm(services, address);
  } catch (error) {
    leave();
    throw error;
  }
  return leave;
}

/**
 * Reads and validates a request body.
 * @param settle removes fields that have no effect
 * @param userId the sender; null for visitors
 */
async function readBody(
  services: Shared,
  call: Call,
  request: FastifyRequest,
  settle: (came: unknown) => Promise<unknown>,
  userId: number | null,
): Promise<ReadBody> {
  const { media } = services;
  if (call.files) {
    const schema = call.body ?? z.object({});
    const most = call.access === 'public' ? PUBLIC_FILE : Infinity;
    const { fields, file, discard } = await readForm(request, {
      names: call.files,
      schema,
      media,
      most,
      admit: () => admitForm(services, request.ip, userId),
    });
    try {
      const settled = (await settle(fields)) as typeof fields;
      return { body: strict(schema).parse(readFields(settled, schema)), file, discard };
    } catch (error) {
      await discard();
      throw error;
    }
  }
  if (!call.body) return { body: undefined };
  return { body: call.body.parse(await settle(request.body === undefined ? {} : request.body)) };
}

/**
 * The query string. Calls without a query schema reject any parameter, so that misspelled names don't pass unnoticed.
 */
function readQuery({ query }: Call, request: FastifyRequest): unknown {
  const result = (query ?? noQuery).safeParse(request.query);
  if (result.success) return query && result.data;
  const { code, msg } = fromZod(result.error);
  throw new ApiError(code === 'invalid' ? 'bad_request' : code, msg);
}

/** Streams a generated file. */
const sendFile = (reply: FastifyReply, { name, stream, type }: Download, usual: string): FastifyReply =>
  reply
    .header('content-disposition', attachmentOf(name))
    .header('x-content-type-options', 'nosniff')
    .type(type ?? usual)
    .send(stream);

/** Sends a cached response, or 304 if the caller already has it. */
function sendKept(request: FastifyRequest, reply: FastifyReply, answer: CachedResponse, token?: string): FastifyReply {
  reply.header('etag', answer.etag);
  if (request.method !== 'POST' && answer.matches(request.headers['if-none-match'])) return reply.code(304).send();
  const parts = answer.body(token);
  reply.headers({
    'content-type': 'application/json; charset=utf-8',
    'content-length': parts.reduce((sum, { length }) => sum + length, 0),
  });
  return sendParts(reply, parts);
}

/** Handler of a call, and the call that reads the same data if this one edits. */
interface Routed {
  handler: Handler<Call>;
  read: Handler<Call> | undefined;
}

function route(services: Shared, call: Call, { handler, read }: Routed) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const token = bearer(request);
    const session = await authorize(services, request, token, call);
    if (session) noteCaller(request, { userId: session.user.userId, organizationId: session.organizationId });
    reply.header('cache-control', 'no-store');
    const isSecure = isSecureRequest(services, request);
    if (session?.renewed) {
      reply.header('authorization', `Bearer ${session.renewed}`);
      setMediaCookie(reply, { name: SESSION_COOKIE, token: session.renewed, isSecure });
    }
    const tokens: Tokens = { sent: token ?? null, renewed: session?.renewed ?? undefined };
    if (call.cached && session) {
      const { session: signIn, apiKey } = session.user;
      const key = `${signIn} ${apiKey ?? ''} ${request.url}`;
      const respond = async () => CachedResponse.whole((await run()) as object);
      return sendKept(request, reply, await services.responses.find(key, respond));
    }
    const result = await run();
    if (result instanceof Download) return sendFile(reply, result, call.download!);
    if (result instanceof CachedResponse) return sendKept(request, reply, result, tokens.issued);
    const answer = call.paged || call.report ? (result as object) : { data: result };
    const said = call.done && { msg: { success: [call.done] } };
    return reply.code(call.status ?? 200).send({ ...(tokens.issued && { token: tokens.issued }), ...answer, ...said });

    async function run(): Promise<unknown> {
      let params: unknown;
      try {
        params = call.params?.parse(request.params);
      } catch {
        // An invalid parameter means that the path doesn't exist.
        throw new ApiError('not_found');
      }
      const query = readQuery(call, request);
      const idempotencyKey = call.idempotent ? idempotencyKeyOf(request) : null;
      const context = contextOf(services, request, reply, { session, idempotencyKey, isSecure, tokens });
      const { body, file, discard } = await readBody(
        services,
        call,
        request,
        async (came) =>
          read
            ? withoutUnchanged({ call, read, context, params: (params ?? {}) as Record<string, unknown> }, came)
            : came,
        session?.user.userId ?? null,
      );
      const input = { params, query, body, file } as HandlerInput<Call>;
      return handler(context, input).finally(discard);
    }
  };
}

/** The server's public address: the setting, or the address it listens on; never taken from a request. */
function publicUrlOf(app: FastifyInstance, { PUBLIC_URL, PORT }: Services['settings']): string {
  if (PUBLIC_URL) return PUBLIC_URL;
  const address = app.server.address();
  return `http://localhost:${typeof address === 'object' && address ? address.port : PORT}`;
}

/** Builds the dependencies shared by all routes for the lifetime of the server. */
function share(app: FastifyInstance, services: Given): Shared {
  const { db, clock, settings, mail } = services;
  const afterAnswer = new AfterAnswer();
  let stopListening = async () => {};
  app.addHook('onReady', async () => {
    if (settings.DATABASE_URL) stopListening = listenForSignIns(settings.DATABASE_URL, signInChangesOf(db));
  });
  app.addHook('onClose', async () => {
    await afterAnswer.settle();
    mail.close();
    await stopListening();
  });
  const publicUrl = () => publicUrlOf(app, settings);
  notifyModeratorsRegularly(app, { db, clock, mail, publicUrl });
  sendMailings(app, { ...services, publicUrl });
  readDeliveryReports(app, services);
  return {
    ...services,
    sessions: new SessionCache(db, clock),
    responses: new VersionedCache(db, clock, { maxBytes: MAX_RESPONSE_BYTES, sizeOf: ({ size }) => size }),
    forms: new WaitingForms(),
    afterAnswer,
    publicUrl,
  };
}

/** Whether a call is a dry run. */
const isDryRun = (body: unknown): boolean => (body as { dry_run?: unknown } | undefined)?.dry_run === true;

/** The handler of a call, by area and name. */
export function handlerOf(handlers: AllHandlers, area: string, name: string): Handler<Call> {
  const byArea: Record<string, Record<string, unknown>> = handlers;
  const handler = byArea[area]?.[name];
  if (typeof handler !== 'function') throw new Error(`The call ${area}.${name} has no handler.`);
  return handler as Handler<Call>;
}

/** Registers a route for every call in the table. @returns what pages without scripts need to run public calls themselves */
export function registerCalls(
  app: FastifyInstance,
  services: Given,
  handlers: AllHandlers,
  imports: ImportMeasures,
): PublicCalls {
  const shared = share(app, services);
  for (const [area, table] of Object.entries(calls)) {
    for (const [name, call] of Object.entries(table) as [string, Call][]) {
      const handler = handlerOf(handlers, area, name);
      const [readArea, readName] = call.edits?.read.split('.') ?? [];
      const read = readArea && readName ? handlerOf(handlers, readArea, readName) : undefined;
      const bodyLimit = call.access === 'public' ? PUBLIC_BODY : undefined;
      const kind = importKindOf(call);
      const measured: Handler<Call> =
        kind === null
          ? handler
          : (context, input) => imports.follow(kind, isDryRun(input.body), () => handler(context, input));
      const routed = route(shared, call, { handler: measured, read });
      app.route({ method: call.method, url: API_PREFIX + call.path, bodyLimit, handler: routed });
    }
  }
  return {
    contextOf: (request, reply, token) =>
      contextOf(shared, request, reply, {
        session: null,
        idempotencyKey: null,
        isSecure: isSecureRequest(shared, request),
        tokens: { sent: token },
      }),
    readForm: (request, names, schema) =>
      readForm(request, {
        ...{ names, schema, media: shared.media, most: PUBLIC_FILE },
        admit: () => admitForm(shared, request.ip, null),
      }),
  };
}
