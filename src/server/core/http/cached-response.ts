import { createHash } from 'node:crypto';
import type { OutgoingHttpHeaders } from 'node:http';
import type { FastifyReply } from 'fastify';

/** Fields as JSON without braces. */
const openJson = (fields: object): string => JSON.stringify(fields).slice(1, -1);

/** A response whose larger part is cached as bytes; request-specific fields are prepended. */
export class CachedResponse {
  /**
   * Identifies the state in the response. The room's clock is not part of it, which is why browsers never store
   * responses; clients that send `If-None-Match` read the time from `Date`.
   */
  readonly etag: string;
  readonly #front: string;
  readonly #bytes: Buffer;
  /** Text after the cached bytes; null if they are the whole body. */
  readonly #back: string | null;

  private constructor(tag: string, front: string, bytes: Buffer, back: string | null) {
    this.etag = `"${tag}"`;
    this.#front = front;
    this.#bytes = bytes;
    this.#back = back;
  }

  /**
   * An object whose last fields are cached.
   * @param fields the fields before them
   * @param bytes the cached fields as JSON, with the closing brace
   */
  static of(tag: string, fields: object, bytes: Buffer): CachedResponse {
    return new CachedResponse(tag, `{${openJson(fields)},`, bytes, '');
  }

  /** An object that contains an object whose last fields are cached. */
  static within(tag: string, outer: object, name: string, inner: object, bytes: Buffer): CachedResponse {
    return new CachedResponse(tag, `{${openJson(outer)},"${name}":{${openJson(inner)},`, bytes, '}');
  }

  /** A whole response body, such as that of a list. */
  static whole(body: object): CachedResponse {
    const bytes = Buffer.from(JSON.stringify(body));
    const tag = createHash('sha256').update(bytes).digest('base64url').slice(0, 22);
    return new CachedResponse(tag, '', bytes, null);
  }

  /** Size of the cached part in bytes. */
  get size(): number {
    return this.#bytes.length;
  }

  /** The body in parts; cached bytes are not copied. */
  body(token: string | undefined): Buffer[] {
    if (this.#back === null) return [this.#bytes];
    const opening = token === undefined ? '{"data":' : `{"token":${JSON.stringify(token)},"data":`;
    return [Buffer.from(opening + this.#front), this.#bytes, Buffer.from(`${this.#back}}`)];
  }

  /** Whether an `If-None-Match` header matches this response. */
  matches(header: string | undefined): boolean {
    return header?.split(',').some((tag) => [this.etag, '*'].includes(tag.trim().replace(/^W\//, ''))) ?? false;
  }
}

/**
 * Sends a body in parts. Fastify sends a single buffer, and joining the parts would copy cached bytes for each
 * response. While a request body is still arriving, Fastify sends the response, because a hook discards that body.
 */
export function sendParts(reply: FastifyReply, parts: readonly Buffer[]): FastifyReply {
  if (!reply.request.raw.complete) return reply.send(Buffer.concat(parts));
  reply.hijack();
  const { raw } = reply;
  raw.writeHead(reply.statusCode, reply.getHeaders() as OutgoingHttpHeaders);
  raw.cork();
  for (const part of parts) raw.write(part);
  raw.end();
  raw.uncork();
  return reply;
}
