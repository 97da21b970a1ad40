import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Mutex } from 'async-mutex';
import { LOOK_EVERY, processUse } from '../process-use.ts';
import { wrapping } from './decoder-process.ts';
import { DECODER_MEMORY } from './limits.ts';

/** Milliseconds that a program may take. */
const TIME = 20_000;
/** Most characters that are read of what a program says. */
const MAX_FFMPEG_OUTPUT = 10_000;
/** Name of a film's picture, beside the film. */
export const POSTER = 'poster.jpg';

/**
 * Runs a program without a shell.
 * @returns what it says; null where it is not on this machine, fails, or takes too long
 */
function run(program: string, args: readonly string[]): Promise<string | null> {
  const { promise, resolve } = Promise.withResolvers<string | null>();
  const [first, ...rest] = [...wrapping(), program, ...args];
  const env = { PATH: process.env.PATH, LANG: 'C.UTF-8' };
  const child = spawn(first!, rest, { stdio: ['ignore', 'pipe', 'ignore'], timeout: TIME, killSignal: 'SIGKILL', env });
  const watching = setInterval(async () => {
    const use = child.pid === undefined ? null : await processUse(child.pid);
    if (use && use.memory > DECODER_MEMORY.user) child.kill('SIGKILL');
  }, LOOK_EVERY);
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => {
    if (said.length < MAX_FFMPEG_OUTPUT) said += chunk.toString('utf8');
  });
  const end = (result: string | null) => {
    clearInterval(watching);
    resolve(result);
  };
  child.on('error', () => end(null));
  child.on('close', (code) => end(code === 0 ? said : null));
  return promise;
}

/** Programs that wait for their turn; a film that comes when there are more does without. */
const MAX_WAITING = 20;
/** Most pixels of a film of which a picture is drawn: those of 4K. What decodes larger ones takes hundreds of megabytes. */
const MAX_PIXELS = 4096 * 2304;
/** Most bytes of one piece of memory. */
const MAX_MEMORY = 128 * 1024 * 1024;

const turns = new Mutex();
let waiting = 0;

/** Runs a program when those before it have ended: each takes as much as a film wants. */
async function runInTurn(program: string, args: readonly string[]): Promise<string | null> {
  if (waiting >= MAX_WAITING) return null;
  waiting++;
  try {
    return await turns.runExclusive(() => run(program, args));
  } finally {
    waiting--;
  }
}

/** Only files are opened, whatever a film says that it consists of. */
const LOCAL_ONLY = ['-protocol_whitelist', 'file'] as const;

/** Pixels of a film's pictures, as `ffprobe` tells; null where it is not on this machine or does not know. */
async function pixelsOf(film: string): Promise<number | null> {
  const shown = ['-select_streams', 'v:0', '-show_entries', 'stream=width,height', '-of', 'csv=p=0:s=x'];
  const said = await runInTurn('ffprobe', ['-v', 'error', ...LOCAL_ONLY, ...shown, film]);
  const [, width, height] = /^(\d{1,6})x(\d{1,6})/.exec(said ?? '') ?? [];
  return width && height ? Number(width) * Number(height) : null;
}

/**
 * Draws the picture of a film where `ffmpeg` is on this machine: a frame of its first second.
 * @param folder of the film; the picture comes to stand in it
 * @returns whether there is a picture now; there is none of a film with more pixels than 4K
 */
export async function drawPoster(folder: string, film: string): Promise<boolean> {
  const target = join(folder, POSTER);
  if (await stat(target).catch(() => null)) return true;
  const source = join(folder, film);
  const pixels = await pixelsOf(source);
  if (pixels !== null && pixels > MAX_PIXELS) return false;
  const half = join(folder, `.${randomUUID()}.jpg`);
  // What a film says about itself need not be so: the decoder counts as well. Pictures are made smaller before many are held.
  const bounds = ['-max_alloc', String(MAX_MEMORY), '-threads', '1', '-max_pixels', String(MAX_PIXELS)];
  const picture = ['-frames:v', '1', '-vf', "scale='min(1280,iw)':-2,thumbnail=25", '-threads', '1', '-f', 'image2'];
  const done = await runInTurn('ffmpeg', [
    '-v',
    'error',
    ...LOCAL_ONLY,
    ...bounds,
    '-i',
    source,
    ...picture,
    '-y',
    half,
  ]);
  const made = done !== null && (await stat(half).catch(() => null));
  if (made) await rename(half, target);
  else await rm(half, { force: true });
  return Boolean(made);
}

/** Seconds that a film plays, as `ffprobe` tells; null where it is not on this machine or does not know. */
export async function measureFilm(folder: string, film: string): Promise<number | null> {
  const args = ['-v', 'error', ...LOCAL_ONLY, '-show_entries', 'format=duration', '-of', 'csv=p=0', join(folder, film)];
  const seconds = Number.parseFloat((await runInTurn('ffprobe', args)) ?? '');
  return Number.isFinite(seconds) && seconds > 0 ? seconds : null;
}
