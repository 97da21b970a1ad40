import type { SerializeOptions } from '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { MEDIA_PREFIX } from '../../core/files/media-url.ts';

/** Names of the cookies that open protected files: a user's own, and one for each visited structure. */
export const SESSION_COOKIE = 'enfilade_session';
const VISIT_COOKIE = 'enfilade_visit_';
export const visitCookie = (endpointId: number): string => `${VISIT_COOKIE}${endpointId}`;

/** Cookie lifetime in seconds: the maximum duration of a visit. The token in it may expire earlier. */
const COOKIE_LIFETIME = 3 * 24 * 60 * 60;

/**
 * Sets an HttpOnly cookie. It is written to the header immediately, because rooms are sent bypassing Fastify's hooks.
 */
export function setCookie(reply: FastifyReply, name: string, value: string, options: SerializeOptions): void {
  reply.header('set-cookie', reply.server.serializeCookie(name, value, { httpOnly: true, ...options }));
}

/**
 * Sets a cookie that is sent only with file requests, for images and videos, whose requests can't have headers. No API
 * call reads it. Over https it is partitioned, so that it also works for a room embedded in another site, and for no
 * other room there.
 * @param isSecure whether the page was loaded over https
 * @param path its path, if not that of files: the text page of a structure
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

/** User and visitor tokens of a file request, from cookies or the Authorization header. */
export function mediaTokens({ headers }: FastifyRequest): { users: string[]; visitors: string[] } {
  const users: string[] = [];
  const visitors: string[] = [];
  const bearer = /^Bearer ([\w-]{20,200})$/.exec(headers.authorization ?? '')?.[1];
  if (bearer) {
    users.push(bearer);
    visitors.push(bearer);
  }
  // All cookies with the same name count: browsers send several if they differ in path, and a parser would return only
  // the first.
  for (const pair of headers.cookie?.split(';') ?? []) {
    const [, name = '', token] = /^\s*(enfilade_\w+)=([\w-]{20,200})\s*$/.exec(pair) ?? [];
    if (token && name === SESSION_COOKIE) users.push(token);
    else if (token && name.startsWith(VISIT_COOKIE)) visitors.push(token);
  }
  return { users, visitors };
}
