import type { Readable, Writable } from 'node:stream';
import { z } from 'zod';

const messageSchema = z.object({
  id: z.number().optional(),
  method: z.string().optional(),
  params: z.record(z.string(), z.unknown()).optional(),
  result: z.record(z.string(), z.unknown()).optional(),
  error: z.object({ message: z.string() }).optional(),
});

/** Most bytes of one message: a poster has less than a tenth of that. */
const LARGEST_MESSAGE = 24 * 1024 * 1024;

/** Speaks the DevTools protocol over a pair of pipes: JSON with a zero byte behind each message. */
export class DevtoolsPipe {
  readonly #commands: Writable;
  readonly #waiting = new Map<number, PromiseWithResolvers<Record<string, unknown>>>();
  readonly #heard: (method: string, params: Record<string, unknown>) => void;
  #sent = 0;
  #parts: Buffer[] = [];
  #length = 0;

  /** @param heard is told each event */
  constructor(commands: Writable, answers: Readable, heard: (method: string, params: Record<string, unknown>) => void) {
    this.#commands = commands;
    this.#heard = heard;
    // What is written to a browser that has ended says nothing that its end does not.
    commands.on('error', () => {});
    answers.on('error', () => {});
    answers.on('data', (chunk: Buffer) => this.#take(chunk));
  }

  /**
   * Sends a command.
   * @param sessionId of the page that it is for; the browser itself without it
   * @returns what comes back
   */
  send(method: string, params: Record<string, unknown> = {}, sessionId?: string): Promise<Record<string, unknown>> {
    const id = ++this.#sent;
    const answer = Promise.withResolvers<Record<string, unknown>>();
    this.#waiting.set(id, answer);
    this.#commands.write(`${JSON.stringify({ id, method, params, ...(sessionId && { sessionId }) })}\0`);
    return answer.promise;
  }

  #take(chunk: Buffer): void {
    let rest = chunk;
    for (let end = rest.indexOf(0); end !== -1; end = rest.indexOf(0)) {
      const text = Buffer.concat([...this.#parts, rest.subarray(0, end)]).toString('utf8');
      this.#parts = [];
      this.#length = 0;
      rest = rest.subarray(end + 1);
      this.#read(text);
    }
    this.#length += rest.length;
    if (this.#length <= LARGEST_MESSAGE) this.#parts.push(rest);
  }

  #read(text: string): void {
    let parsed: ReturnType<typeof messageSchema.safeParse>;
    try {
      parsed = messageSchema.safeParse(JSON.parse(text));
    } catch {
      return;
    }
    if (!parsed.success) return;
    const { id, method, params = {}, result = {}, error } = parsed.data;
    if (method !== undefined) this.#heard(method, params);
    const answer = id === undefined ? undefined : this.#waiting.get(id);
    if (id === undefined || !answer) return;
    this.#waiting.delete(id);
    if (error) answer.reject(new Error(`Chromium refused: ${error.message}`));
    else answer.resolve(result);
  }
}
