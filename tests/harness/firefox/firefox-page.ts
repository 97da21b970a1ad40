import type { Page } from 'playwright';
import type { BidiConnection } from './bidi-connection.ts';

/** Codes of keys without a character: https://w3c.github.io/webdriver/#keyboard-actions */
const KEYS: Record<string, string> = { Enter: '\uE007' };

/** A position in the window, in pixels. */
interface Place {
  x: number;
  y: number;
}

/** Result of a script. */
type Evaluated =
  | { type: 'success'; result: { value?: string } }
  | { type: 'exception'; exceptionDetails: { text: string } };

interface Tree {
  contexts: { context: string; url: string; children: Tree['contexts'] | null }[];
}

/** A window of Firefox, or a frame in one. */
export class FirefoxPage {
  readonly #connection: BidiConnection;
  readonly #context: string;
  /** Script errors and console errors, as text. */
  readonly faults: string[] = [];
  readonly #unlisten: () => void;

  constructor(connection: BidiConnection, context: string) {
    this.#connection = connection;
    this.#context = context;
    this.#unlisten = connection.listen((method, params) => {
      const { level, text, source } = params as { level: string; text: string; source: { context?: string } };
      if (method === 'log.entryAdded' && level === 'error' && source.context === context) this.faults.push(text);
    });
  }

  resize = (width: number, height: number): Promise<unknown> =>
    this.#connection.send('browsingContext.setViewport', { context: this.#context, viewport: { width, height } });

  /** Navigates to a URL, and waits until the page has loaded. */
  goto = (url: string): Promise<unknown> =>
    this.#connection.send('browsingContext.navigate', { context: this.#context, url, wait: 'complete' });

  /** Calls a function in the page with serializable arguments and results. @throws Error with the function's error */
  readonly evaluate: Page['evaluate'] = async (call: unknown, argument?: unknown): Promise<never> => {
    const outcome = await this.#connection.send<Evaluated>('script.callFunction', {
      functionDeclaration: `async (json) => JSON.stringify([await (${call})(...JSON.parse(json))])`,
      arguments: [{ type: 'string', value: JSON.stringify([argument]) }],
      target: { context: this.#context },
      awaitPromise: true,
    });
    if (outcome.type === 'exception') throw new Error(outcome.exceptionDetails.text);
    return JSON.parse(outcome.result.value!)[0] as never;
  };

  /** A frame in the page. @param part of its URL @throws Error if there is none yet */
  async frame(part: string): Promise<FirefoxPage> {
    const { contexts } = await this.#connection.send<Tree>('browsingContext.getTree', { root: this.#context });
    const found = contexts[0]?.children?.find(({ url }) => url.includes(part));
    if (!found) throw new Error(`No frame of ${part}.`);
    return new FirefoxPage(this.#connection, found.context);
  }

  #act(source: Record<string, unknown>): Promise<unknown> {
    return this.#connection.send('input.performActions', { context: this.#context, actions: [source] });
  }

  /** Moves the mouse along positions. @param held whether its button is pressed meanwhile */
  mouse(places: readonly Place[], held: 'held' | 'free' = 'free'): Promise<unknown> {
    const moves = places.map(({ x, y }) => ({
      type: 'pointerMove',
      x: Math.round(x),
      y: Math.round(y),
      duration: 30,
    }));
    const [first, ...rest] = moves;
    const down = { type: 'pointerDown', button: 0 };
    const up = { type: 'pointerUp', button: 0 };
    return this.#act({
      type: 'pointer',
      id: 'mouse',
      parameters: { pointerType: 'mouse' },
      actions: held === 'held' ? [first, down, ...rest, up] : moves,
    });
  }

  /** Clicks at a position. */
  click = (place: Place): Promise<unknown> => this.mouse([place], 'held');

  /** Presses keys in sequence: named keys, or the characters of a text. */
  async press(...keys: readonly string[]): Promise<void> {
    const values = keys.flatMap((key) => KEYS[key] ?? [...key]);
    const actions = values.flatMap((value) => [
      { type: 'keyDown', value },
      { type: 'keyUp', value },
    ]);
    await this.#act({ type: 'key', id: 'keyboard', actions });
  }

  /** Holds a letter key until a condition is met. */
  async hold(value: string, until: () => Promise<unknown>): Promise<void> {
    await this.#act({ type: 'key', id: 'keyboard', actions: [{ type: 'keyDown', value }] });
    await until();
    await this.#act({ type: 'key', id: 'keyboard', actions: [{ type: 'keyUp', value }] });
  }

  async close(): Promise<void> {
    this.#unlisten();
    await this.#connection.send('browsingContext.close', { context: this.#context });
  }
}
