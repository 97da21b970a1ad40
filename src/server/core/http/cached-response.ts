import { createHash } from 'node:crypto';
import type { OutgoingHttpHeaders } from 'node:http';
import type { FastifyReply } from 'fastify';

/** Fields as JSON without braces. */
const openJson = (fields: object): string => JSON.stringify(fields).slice(1, -1);

/** An answer whose larger part is kept as bytes: what differs from request to request is put in front of it. */
export class CachedResponse {
  /**
   * Names the state that is answered: the same name, the same answer. The clock that travels with a room is not part of
   * it, which is why answers are never stored by browsers; who asks with `If-None-Match` reads the time from `Date`.
   */
  readonly etag: string;
  readonly #front: string;
  readonly #bytes: Buffer;
  /** What follows the cached bytes; null where they are the whole body. */
  readonly #back: string | null;

  private constructor(tag: string, front: string, bytes: Buffer, back: string | null) {
    this.etag = `"${tag}"`;
    this.#front = front;
    this.#bytes = bytes;
    this.#back = back;
  }

  /**
   * An object whose last fields are kept.
   * @param fields those in front of them
   * @param bytes the kept ones as JSON, with the brace that closes the object
   */
  static of(tag: string, fields: object, bytes: Buffer): CachedResponse {
    return new CachedResponse(tag, `{${openJson(fields)},`, bytes, '');
  }

  /** An object that holds one of which the last fields are kept. */
  static within(tag: string, outer: object, name: string, inner: object, bytes: Buffer): CachedResponse {
    return new CachedResponse(tag, `{${openJson(outer)},"${name}":{${openJson(inner)},`, bytes, '}');
  }

  /** A whole response body, such as that of a list. */
  static whole(body: object): CachedResponse {
    const bytes = Buffer.from(JSON.stringify(body));
    const tag = createHash('sha256').update(bytes).digest('base64url').slice(0, 22);
    return new CachedResponse(tag, '', bytes, null);
  }

  /** Size in bytes of the part that is cached. */
  get size(): number {
    return this.#bytes.length;
  }

  /** The answer's body in parts: the kept bytes are not copied. */
  body(token: string | undefined): Buffer[] {
    if (this.#back === null) return [this.#bytes];
    const opening = token === undefined ? '{"data":' : `{"token":${JSON.stringify(token)},"data":`;
    return [Buffer.from(opening + this.#front), this.#bytes, Buffer.from(`${this.#back}}`)];
  }

  /** Whether an `If-None-Match` header names this answer. */
  matches(header: string | undefined): boolean {
    return header?.split(',').some((tag) => [this.etag, '*'].includes(tag.trim().replace(/^W\//, ''))) ?? false;
  }
}

/** Sends a body in parts. Fastify sends one piece, and joining these would copy cached bytes for each response. */
export function sendParts(reply: FastifyReply, parts: readonly Buffer[]): FastifyReply {
  reply.hijack();
  const { raw } = reply;
  raw.writeHead(reply.statusCode, reply.getHeaders() as OutgoingHttpHeaders);
  raw.cork();
  for (const part of parts) raw.write(part);
  raw.end();
  raw.uncork();
  return reply;
}
