import { spawn } from 'node:child_process';
import { setPriority } from 'node:os';
import { LOOK_EVERY, processUse } from '../process-use.ts';
import { NICE, wrapping } from './decoder-process.ts';
import { DECODER_MEMORY } from './limits.ts';

/** Maximum output of a program in characters, for each of its streams. */
const MAX_OUTPUT = 10_000;

/** Arguments of `ffmpeg` and `ffprobe` that restrict input to local files, whatever a video refers to. */
export const LOCAL_ONLY = ['-protocol_whitelist', 'file'] as const;

/** How a program ended. */
export interface ProgramRun {
  /** Exit code; null if it isn't installed, was killed, or exceeded its time or memory. */
  code: number | null;
  /** The start of its output. */
  stdout: string;
  /** The end of its error output. */
  stderr: string;
}

/**
 * Runs a program that decodes an untrusted file: without a shell and the server's settings, and with limited memory.
 * @param options.time timeout in milliseconds
 * @param options.stopping kills it when aborted
 * @param options.isBackground whether it runs with a low priority, because no one waits for it
 */
export function runProgram(
  program: string,
  args: readonly string[],
  { time, stopping, isBackground = false }: { time: number; stopping?: AbortSignal; isBackground?: boolean },
): Promise<ProgramRun> {
  const { promise, resolve } = Promise.withResolvers<ProgramRun>();
  const [first, ...rest] = [...wrapping(), program, ...args];
  const env = { PATH: process.env.PATH, LANG: 'C.UTF-8' };
  const child = spawn(first!, rest, {
    ...{ stdio: ['ignore', 'pipe', 'pipe'], timeout: time, killSignal: 'SIGKILL', env },
    ...(stopping && { signal: stopping }),
  });
  if (isBackground && child.pid !== undefined) {
    try {
      setPriority(child.pid, NICE);
    } catch {
      // It has exited.
    }
  }
  const watching = setInterval(async () => {
    const use = child.pid === undefined ? null : await processUse(child.pid);
    if (use && use.memory > DECODER_MEMORY.user) child.kill('SIGKILL');
  }, LOOK_EVERY);
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => {
    if (stdout.length < MAX_OUTPUT) stdout += chunk.toString('utf8');
  });
  child.stderr.on('data', (chunk: Buffer) => {
    stderr = (stderr + chunk.toString('utf8')).slice(-MAX_OUTPUT);
  });
  const end = (code: number | null) => {
    clearInterval(watching);
    resolve({ code, stdout, stderr });
  };
  child.on('error', () => end(null));
  child.on('close', end);
  return promise;
}
