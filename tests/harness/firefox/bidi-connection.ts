import { WebSocket } from 'ws';

/** A message from the browser: a command's result, or an event. */
type Incoming =
  | { type: 'success'; id: number; result: unknown }
  | { type: 'error'; id: number | null; error: string; message: string }
  | { type: 'event'; method: string; params: Record<string, unknown> };

interface Waiting {
  resolve(result: never): void;
  reject(reason: Error): void;
}

/** Commands to a browser and its events over WebDriver BiDi: https://w3c.github.io/webdriver-bidi/ */
export class BidiConnection {
  readonly #socket: WebSocket;
  readonly #waiting = new Map<number, Waiting>();
  readonly #listeners = new Set<(method: string, params: Record<string, unknown>) => void>();
  #last = 0;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on('message', (data) => this.#take(JSON.parse(String(data))));
    socket.on('close', () => {
      for (const { reject } of this.#waiting.values()) reject(new Error('The browser has ended.'));
      this.#waiting.clear();
    });
  }

  /** Opens a connection. @param url of the browser, such as `ws://127.0.0.1:9222/session` */
  static async open(url: string): Promise<BidiConnection> {
    const socket = new WebSocket(url);
    await new Promise((resolve, reject) => {
      socket.once('open', resolve);
      socket.once('error', reject);
    });
    return new BidiConnection(socket);
  }

  #take(message: Incoming): void {
    if (message.type === 'event') {
      for (const listener of this.#listeners) listener(message.method, message.params);
      return;
    }
    const waiting = this.#waiting.get(message.id ?? -1);
    this.#waiting.delete(message.id ?? -1);
    if (message.type === 'success') waiting?.resolve(message.result as never);
    else waiting?.reject(new Error(`${message.error}: ${message.message}`));
  }

  /** Sends a command. @throws Error with the browser's error */
  send<R>(method: string, params: Record<string, unknown>): Promise<R> {
    const id = ++this.#last;
    return new Promise<R>((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#socket.send(JSON.stringify({ id, method, params }));
    });
  }

  /** Subscribes to all events of the session. @returns a function that unsubscribes */
  listen(listener: (method: string, params: Record<string, unknown>) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  close(): void {
    this.#socket.close();
  }
}
