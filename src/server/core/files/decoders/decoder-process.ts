import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { setPriority } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as passed } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { ApiError } from '../../../../contract/errors.ts';
import { LOOK_EVERY, processUse } from '../process-use.ts';
import type { DecoderMessage, DecoderOrder } from './decoder.ts';
import type { DecoderLimits, Spent } from './limits.ts';
import { unpackError } from './packed-error.ts';

const FILE = fileURLToPath(new URL('./decoder.ts', import.meta.url));

/** Startup timeout of a decoder in milliseconds. */
const START_TIME = 30_000;
/** JavaScript heap limit of a decoder in megabytes. */
const HEAP = 512;
/**
 * Data segment limit of a decoder in bytes: a backstop behind the watchdog. Node and its libraries map 660 MB, and the
 * largest WebP with transparency another 1.6 GB, half of which is used.
 */
const DATA = 2.5 * 1024 * 1024 * 1024;
/** Niceness of decoders relative to the server process. */
export const NICE = 10;
/** Environment variables passed to decoders: none of the server's settings, which contain secrets. */
const ENVIRONMENT = ['PATH', 'TMPDIR', 'TEMP', 'SYSTEMROOT'];

/** Resource limits of a job. */
export interface Allowance extends Pick<DecoderLimits, 'seconds' | 'patience' | 'refuse'> {
  /** Bytes in memory. */
  memory: number;
}

/** Whether this machine has a program. */
export const isInstalled = (program: string) =>
  (process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, program)));

/** Wrapper programs that limit a decoder's memory and end it with the server, if this machine has them. */
export function wrapping(): string[] {
  if (process.platform !== 'linux') return [];
  return [
    ...(isInstalled('prlimit') ? ['prlimit', `--data=${DATA}`] : []),
    ...(isInstalled('setpriv') ? ['setpriv', '--pdeathsig', 'KILL'] : []),
  ];
}

/** A decoder: a process that runs one job after another. */
export class DecoderProcess {
  readonly #process: ChildProcess;
  /** Handles its messages. */
  #hear: (message: DecoderMessage) => unknown = () => {};
  /** Why it was killed. */
  #spent: Spent | undefined;
  readonly ended: Promise<void>;
  hasEnded = false;
  /** Number of times it became idle. */
  rests = 0;

  private constructor(wrapped: readonly string[]) {
    const flags = [`--max-old-space-size=${HEAP}`, '--disable-wasm-trap-handler', '--no-warnings'];
    const [program, ...parameters] = [...wrapped, process.execPath, ...flags, FILE];
    const env = Object.fromEntries(
      ENVIRONMENT.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])),
    );
    this.#process = spawn(program!, parameters, {
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      serialization: 'advanced',
      env: { ...env, MALLOC_ARENA_MAX: '2' },
    });
    (this.#process.channel as { unref(): void } | undefined)?.unref();
    this.#process.on('message', (message: DecoderMessage) => this.#hear(message));
    const { promise, resolve } = Promise.withResolvers<void>();
    this.ended = promise;
    const end = () => {
      this.hasEnded = true;
      resolve();
    };
    this.#process.on('exit', end).on('error', end);
  }

  /**
   * Starts a decoder; falls back to running it without the wrapper programs. @throws ApiError unavailable if it doesn't
   * start
   */
  static async start(wrapped: readonly string[]): Promise<DecoderProcess> {
    const decoder = new DecoderProcess(wrapped);
    const ready = new Promise<boolean>((resolve) => {
      decoder.#hear = (message) => resolve(message === 'ready');
    });
    const isReady = await Promise.race([
      ready,
      decoder.ended.then(() => false),
      passed(START_TIME, false, { ref: false }),
    ]);
    // Idle decoders don't prevent the program from exiting.
    decoder.#process.unref();
    if (isReady) {
      try {
        setPriority(decoder.#process.pid!, NICE);
      } catch {
        // It has exited; its first job reports that.
      }
      return decoder;
    }
    decoder.end();
    if (wrapped.length > 0) return DecoderProcess.start([]);
    throw new ApiError('unavailable');
  }

  /** Kills it, whatever its state. */
  end(spent?: Spent): void {
    this.#spent ??= spent;
    this.#process.ref();
    this.#process.kill('SIGKILL');
  }

  /** Resident memory in bytes. */
  async memory(): Promise<number> {
    return (await processUse(this.#process.pid!))?.memory ?? 0;
  }

  /**
   * Runs a job.
   * @returns how it ended, and a function that returns the result or throws the job's error
   */
  async do(
    order: DecoderOrder,
    allowance: Allowance,
  ): Promise<{ ending: 'done' | Spent; hasBegun: boolean; outcome(): unknown }> {
    const said = Promise.withResolvers<Exclude<DecoderMessage, string>>();
    // Its time starts once it has loaded the job's dependencies.
    let begun: { computed: number; at: number } | undefined;
    this.#hear = async (message) => {
      if (typeof message === 'object') return said.resolve(message);
      const use = await processUse(this.#process.pid!);
      begun = { computed: use?.computed ?? 0, at: performance.now() };
    };
    const watching = setInterval(async () => {
      const use = await processUse(this.#process.pid!);
      if (!use) return;
      if (use.memory > allowance.memory) this.end('memory');
      if (!begun) return;
      const isLate = performance.now() - begun.at > allowance.patience * 1000;
      if (isLate || use.computed - begun.computed > allowance.seconds) this.end('time');
    }, LOOK_EVERY);
    try {
      this.#process.send(order, () => {});
      const found = await Promise.race([said.promise, this.ended]);
      const spent = this.#spent ?? 'crash';
      const outcome = () => {
        if (!found) throw allowance.refuse(spent);
        if ('error' in found) throw unpackError(found.error);
        return found.result;
      };
      return { ending: found ? 'done' : spent, hasBegun: begun !== undefined, outcome };
    } finally {
      clearInterval(watching);
    }
  }
}
