import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Call } from '../src/contract/call.ts';
import { calls } from '../src/contract/calls.ts';
import { type Client, UnexpectedResponse } from '../src/contract/client.ts';
import type { Download } from '../src/contract/download.ts';
import { ApiError } from '../src/contract/errors.ts';
import { rootOf } from './as-cli-error.ts';
import { systemClock } from './clock.ts';
import { usageError } from './failure.ts';
import { notifyNotes } from './report/notes.ts';

/** Seconds to wait for an unavailable server: longer than a rolling restart takes. */
const WAIT = 75;
/** Backoff limits in milliseconds. */
const FIRST = 250;
const MAX_RETRY_DELAY = 8000;

/** State of a request without a response. */
type Outcome = 'not done' | 'unknown' | 'final';

const NOT_SENT = new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT']);
const CUT_OFF = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT']);

/** Whether the server processed a failed request, and whether a retry helps. */
function outcomeOf(error: unknown): Outcome {
  // The server's own 503 and 429 precede any processing; 502, 504 and those of a proxy prove nothing.
  if (error instanceof ApiError) return error.code === 'unavailable' || error.status === 429 ? 'not done' : 'final';
  if (error instanceof UnexpectedResponse) return [502, 503, 504].includes(error.status) ? 'unknown' : 'final';
  const { code = '' } = rootOf(error);
  return NOT_SENT.has(code) ? 'not done' : CUT_OFF.has(code) ? 'unknown' : 'final';
}

/** Idempotent calls besides reads. */
const SAME_TWICE: readonly Call[] = [calls.media.upload, calls.users.logout];

interface Input {
  body?: { dry_run?: boolean };
  idempotencyKey?: string;
}

const isRepeatable = (call: Call, { body, idempotencyKey }: Input): boolean =>
  call.method === 'GET' || idempotencyKey !== undefined || body?.dry_run === true || SAME_TWICE.includes(call);

/** Seconds to wait for a server, from `ENFILADE_WAIT`; 0 disables waiting. */
function waitOf(): number {
  const text = process.env.ENFILADE_WAIT;
  if (text === undefined || text === '') return WAIT;
  const seconds = Number(text);
  if (seconds >= 0 && seconds <= 86_400) return seconds;
  throw usageError(`Invalid ENFILADE_WAIT: ${text}.`, 'Use a number of seconds from 0 to 86400.');
}

/** Milliseconds until the next attempt: exponential backoff with 25% jitter, at least the requested delay. */
const pauseBefore = (attempt: number, asked = 0): number =>
  Math.max(asked * 1000, Math.min(MAX_RETRY_DELAY, FIRST * 2 ** attempt) * (randomInt(75, 125) / 100));

const REASONS: Record<Exclude<Outcome, 'final'>, string> = {
  'not done': 'The server is not ready',
  unknown: 'The connection was closed',
};

/**
 * Retries a request for as long as a server restart may take.
 * @param canRepeat whether to retry if the outcome is unknown
 */
async function persist<T>(canRepeat: boolean, request: () => Promise<T>): Promise<T> {
  const most = waitOf() * 1000;
  let began: number | undefined;
  for (let attempt = 0; ; attempt++) {
    try {
      return await request();
    } catch (error) {
      const outcome = outcomeOf(error);
      if (outcome === 'final' || (outcome === 'unknown' && !canRepeat)) throw error;
      const now = systemClock.now();
      const time = pauseBefore(attempt, error instanceof ApiError ? error.wait : 0);
      if (now - (began ?? now) + time > most) throw error;
      if (began === undefined) {
        const note = `${REASONS[outcome]}. Retrying for ${Math.round(most / 1000)} seconds. Press Ctrl-C to stop.`;
        notifyNotes([note], process.argv.includes('--json'));
      }
      began ??= now;
      await pause(time);
    }
  }
}

/** A client that waits for a restarting server. */
export function persistentClient(client: Client): Client {
  const areas = Object.entries(client).map(([area, methods]) => {
    const table = calls[area as keyof typeof calls] as Record<string, Call>;
    const wrapped = Object.entries(methods).map(([name, method]) => [
      name,
      (input: Input = {}) =>
        persist(isRepeatable(table[name]!, input), () => (method as (input: Input) => Promise<unknown>)(input)),
    ]);
    return [area, Object.fromEntries(wrapped)];
  });
  return Object.fromEntries(areas) as Client;
}

/** Retries downloads in the same way until the first byte arrives. */
export const persistentDownload =
  (download: Download): Download =>
  (...args) =>
    persist(true, () => download(...args));
