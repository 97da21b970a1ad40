import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A received request. */
export interface Seen {
  method: string;
  path: string;
  query: Record<string, string>;
  headers: IncomingHttpHeaders;
  body: Buffer;
  // biome-ignore lint/suspicious/noExplicitAny: tests read requests of every shape.
  json: any;
}

/** A response. */
export interface Reply {
  status?: number;
  headers?: Record<string, string>;
  /** Text and bytes are sent unchanged. */
  json?: unknown;
  /** Closes the connection instead of responding. */
  cut?: boolean;
}

/** Failure modes of a platform. */
export const FAILURES = ['unauthorized', 'forbidden', 'quota', 'busy', 'broken', 'cut', 'nonsense'] as const;
/** In addition, the requested resource may disappear during the request. */
export type Failure = (typeof FAILURES)[number] | 'gone';

/** Retry-After seconds of a busy platform. */
export const RETRY_AFTER = '37';

/**
 * A platform on this machine that implements the documented calls and rejects all others. Rejections are recorded in
 * `wrong`, so that a test fails even if the server handles them as errors.
 */
export abstract class StandIn {
  url = '';
  readonly seen: Seen[] = [];
  /** Requests that violate the platform's documentation. */
  wrong: string[] = [];
  /** Runs before a response, to simulate concurrent changes. */
  beforeAnswer: (seen: Seen) => unknown = () => {};
  readonly #failures: Failure[] = [];
  readonly #failuresOf: { end: string; failure: Failure }[] = [];
  #server!: Server;

  /** Makes the next requests fail, in sequence. */
  failNext(...failures: Failure[]): void {
    this.#failures.push(...failures);
  }

  /** Makes the next request with this path suffix fail, regardless of other requests before it. */
  failNextOf(end: string, failure: Failure): void {
    this.#failuresOf.push({ end, failure });
  }

  #failureOf(path: string): Failure | undefined {
    const at = this.#failuresOf.findIndex(({ end }) => path.endsWith(end));
    return at < 0 ? this.#failures.shift() : this.#failuresOf.splice(at, 1)[0]!.failure;
  }

  async start(): Promise<this> {
    this.#server = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const url = new URL(request.url!, this.url);
      const body = Buffer.concat(chunks);
      const isJson = request.headers['content-type']?.startsWith('application/json');
      const seen: Seen = {
        method: request.method!,
        path: url.pathname,
        query: Object.fromEntries(url.searchParams),
        headers: request.headers,
        body,
        json: isJson && body.length > 0 ? JSON.parse(body.toString()) : null,
      };
      this.seen.push(seen);
      await this.beforeAnswer(seen);
      const failure = this.#failureOf(url.pathname);
      const { status = 200, headers = {}, json, cut } = failure ? this.fail(failure) : this.answer(seen);
      if (cut) return request.socket.destroy();
      response.writeHead(status, { 'content-type': 'application/json', ...headers });
      const isPlain = typeof json === 'string' || Buffer.isBuffer(json);
      response.end(isPlain ? json : json === undefined ? '' : JSON.stringify(json));
    });
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    this.url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
    return this;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** Requests since the last call, as `METHOD /path`. */
  takeSeen(): string[] {
    return this.seen.splice(0).map(({ method, path }) => `${method} ${path}`);
  }

  protected abstract answer(seen: Seen): Reply;
  /** Formats an error of this platform. */
  protected abstract error(status: number, reason: string, words: string): Reply;

  /** Rejects a request that violates the platform's documentation. */
  protected refuse(sentence: string): Reply {
    this.wrong.push(sentence);
    return this.error(400, 'badRequest', sentence);
  }

  protected fail(failure: Failure): Reply {
    switch (failure) {
      case 'unauthorized':
        return this.error(401, 'authError', 'Invalid credentials');
      case 'forbidden':
        return this.error(403, 'forbidden', 'This account may not do this');
      case 'quota':
        return this.error(403, 'quotaExceeded', 'The quota is used up');
      case 'busy':
        return { ...this.error(429, 'tooMany', 'Slow down'), headers: { 'retry-after': RETRY_AFTER } };
      case 'broken':
        return { status: 500, headers: { 'content-type': 'text/html' }, json: '<h1>Oops</h1>' };
      case 'nonsense':
        return { json: { surprise: true } };
      case 'gone':
        return this.error(404, 'notFound', 'This is not here');
      case 'cut':
        return { cut: true };
    }
  }
}
