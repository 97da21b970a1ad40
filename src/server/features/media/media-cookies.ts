import type { SerializeOptions } from '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { MEDIA_PREFIX } from '../../core/files/media-url.ts';

/** What the cookies are called that open protected files: a user's own, and one for each structure that is visited. */
export const SESSION_COOKIE = 'enfilade_session';
const VISIT_COOKIE = 'enfilade_visit_';
export const visitCookie = (endpointId: number): string => `${VISIT_COOKIE}${endpointId}`;

/** Seconds that browsers keep a cookie: as long as a visit at most. The token in it may end earlier. */
const COOKIE_LIFETIME = 3 * 24 * 60 * 60;

/** Sets a cookie that no script reads. It stands in the header at once: a room's bytes are sent past the hooks of Fastify. */
export function setCookie(reply: FastifyReply, name: string, value: string, options: SerializeOptions): void {
  reply.header('set-cookie', reply.server.serializeCookie(name, value, { httpOnly: true, ...options }));
}

/**
 * Sets a cookie that goes with requests for files only, so that pictures and films can be shown where no header can be set.
 * No call looks at it. Over https it also goes with a room that is embedded in another site, and with no other room there.
 * @param isSecure whether the page came over https
 * @param path where it goes instead: the text page of a structure
 */
export function setMediaCookie(
  reply: FastifyReply,
  { name, token, isSecure, path = MEDIA_PREFIX }: { name: string; token: string; isSecure: boolean; path?: string },
): void {
  const reach = isSecure
    ? ({ secure: true, sameSite: 'none', partitioned: true } as const)
    : { sameSite: 'lax' as const };
  setCookie(reply, name, token, { path, maxAge: COOKIE_LIFETIME, ...reach });
}

/** The tokens that come with a request for a file: of users and of visitors, by cookie or as a bearer's. */
export function mediaTokens({ headers }: FastifyRequest): { users: string[]; visitors: string[] } {
  const users: string[] = [];
  const visitors: string[] = [];
  const bearer = /^Bearer ([\w-]{20,200})$/.exec(headers.authorization ?? '')?.[1];
  if (bearer) {
    users.push(bearer);
    visitors.push(bearer);
  }
  // All cookies of a name count, which a browser sends where one is for this path and one for more: a parser gives the first.
  for (const pair of headers.cookie?.split(';') ?? []) {
    const [, name = '', token] = /^\s*(enfilade_\w+)=([\w-]{20,200})\s*$/.exec(pair) ?? [];
    if (token && name === SESSION_COOKIE) users.push(token);
    else if (token && name.startsWith(VISIT_COOKIE)) visitors.push(token);
  }
  return { users, visitors };
}
