import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request as it arrived. */
export interface Seen {
  method: string;
  path: string;
  query: Record<string, string>;
  headers: IncomingHttpHeaders;
  body: Buffer;
  // biome-ignore lint/suspicious/noExplicitAny: requests of every shape are looked into.
  json: any;
}

/** What is answered. */
export interface Reply {
  status?: number;
  headers?: Record<string, string>;
  /** Text and bytes are sent as they are. */
  json?: unknown;
  /** Ends the connection instead of answering. */
  cut?: boolean;
}

/** Ways in which a platform fails. */
export const FAILURES = ['unauthorized', 'forbidden', 'quota', 'busy', 'broken', 'cut', 'nonsense'] as const;
/** Besides, what is asked for may be gone in the very moment. */
export type Failure = (typeof FAILURES)[number] | 'gone';

/** The seconds that a busy platform asks for. */
export const RETRY_AFTER = '37';

/**
 * A platform on this machine that speaks the documented calls and refuses all others. What it refuses is kept in
 * `wrong`, so that a test fails by it although the server made an error of it.
 */
export abstract class StandIn {
  url = '';
  readonly seen: Seen[] = [];
  /** Requests that the documented platform would not understand. */
  wrong: string[] = [];
  /** Does something else before a request is answered, as others do at the same moment. */
  beforeAnswer: (seen: Seen) => unknown = () => {};
  readonly #failures: Failure[] = [];
  readonly #failuresOf: { end: string; failure: Failure }[] = [];
  #server!: Server;

  /** Makes the next requests fail, one after another. */
  failNext(...failures: Failure[]): void {
    this.#failures.push(...failures);
  }

  /** Makes the next request fail whose path ends so, whatever else is asked before it. */
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

  /** The requests since the last time, as `METHOD /path`. */
  takeSeen(): string[] {
    return this.seen.splice(0).map(({ method, path }) => `${method} ${path}`);
  }

  protected abstract answer(seen: Seen): Reply;
  /** The form that errors have on this platform. */
  protected abstract error(status: number, reason: string, words: string): Reply;

  /** Refuses a request that the platform would not understand. */
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
