import type { FastifyReply, FastifyRequest } from 'fastify';
import { markAge } from '../core/db/last-answers.ts';
import { logFailure } from '../core/files/log-failure.ts';
import type { CallContext } from '../core/http/call-context.ts';
import type { AfterAnswer } from '../core/mail/after-answer.ts';
import type { OwnRights } from '../core/secrets/own-rights.ts';
import type { Services } from '../core/services.ts';
import { setCookie, setMediaCookie } from '../features/media/media-cookies.ts';
import { organizationOfHost } from '../features/organizations/hosts.ts';
import { hostOf, siteForRequest, siteOf } from '../features/organizations/site-of.ts';
import type { Session } from '../features/users/api-keys.ts';
import { databaseFor } from '../features/users/limits.ts';
import { openHere } from './open-here.ts';

/** Whether a request came over https, perhaps to a proxy. */
export const isSecureRequest = ({ settings }: Services, request: FastifyRequest): boolean =>
  request.protocol === 'https' || settings.PUBLIC_URL?.startsWith('https:') === true;

/** Tokens of a request. */
export interface Tokens {
  sent: string | null;
  /** Of the renewed session. */
  renewed?: string | undefined;
  /** Issued by the handler. */
  issued?: string;
}

/** Fields that a context adds to the services. */
type RequestContext = Pick<
  CallContext,
  | 'db'
  | 'user'
  | 'organizationId'
  | 'token'
  | 'idempotencyKey'
  | 'host'
  | 'address'
  | 'userAgent'
  | 'acceptLanguage'
  | 'markLanguage'
  | 'isGone'
  | 'shownSite'
  | 'later'
  | 'openMedia'
  | 'cookie'
  | 'keepCookie'
  | 'markAge'
  | 'issueToken'
  | 'openHere'
>;

/** The context of a request's handler. */
export function contextOf<
  S extends Services & Pick<CallContext, 'publicUrl'> & { afterAnswer: AfterAnswer; ownRights: OwnRights },
>(
  services: S,
  request: FastifyRequest,
  reply: FastifyReply,
  {
    session,
    idempotencyKey,
    isSecure,
    tokens,
  }: { session: Session | null; idempotencyKey: string | null; isSecure: boolean; tokens: Tokens },
): S & RequestContext {
  return {
    ...services,
    db: session ? databaseFor(services.db, session.user) : services.db,
    user: session?.user ?? null,
    organizationId: session?.organizationId ?? organizationOfHost(request),
    token: tokens.sent,
    idempotencyKey,
    host: request.hostname.toLowerCase(),
    address: request.ip,
    userAgent: request.headers['user-agent'] ?? '',
    acceptLanguage: request.headers['accept-language'],
    markLanguage: (language, depends) => {
      if (language !== undefined) reply.header('content-language', language);
      if (depends) reply.header('vary', 'accept-language');
    },
    isGone: () => reply.raw.destroyed,
    shownSite: async (id) =>
      siteForRequest(services, request, { id, host: await hostOf(services.db, id) }) ?? siteOf(services, id),
    later: (work) =>
      services.afterAnswer.add(reply.raw, work, (error) => logFailure(request.server.health, request.log, error)),
    openMedia: (name) => {
      const token = tokens.issued ?? tokens.renewed ?? tokens.sent;
      if (token) setMediaCookie(reply, { name, token, isSecure });
    },
    cookie: (name) => request.cookies[name] ?? null,
    keepCookie: ({ name, value, path, seconds }) => {
      setCookie(reply, name, value, { path, maxAge: seconds, sameSite: 'lax', secure: isSecure });
    },
    markAge: (age) => markAge(reply, age),
    openHere: (right) => openHere(request, services.ownRights, right),
    issueToken: (token) => {
      tokens.issued = token;
      reply.header('authorization', `Bearer ${token}`);
    },
  };
}
