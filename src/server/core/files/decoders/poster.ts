import { randomUUID } from 'node:crypto';
import { rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Mutex } from 'async-mutex';
import { LOCAL_ONLY, runProgram } from './programs.ts';

/** Timeout of a program in milliseconds. */
const TIME = 20_000;
/** Name of a video's poster, in the video's folder. */
export const POSTER = 'poster.jpg';

/** Maximum number of queued programs; videos beyond that get no poster. */
const MAX_WAITING = 20;
/** Maximum pixels of a video for a poster: 4K. Decoding larger ones takes hundreds of megabytes. */
const MAX_PIXELS = 4096 * 2304;
/** Maximum size in bytes of a single allocation. */
const MAX_MEMORY = 128 * 1024 * 1024;

const turns = new Mutex();
let waiting = 0;

/**
 * Runs programs one at a time: each may take a lot of memory.
 * @returns its output; null if it isn't installed, fails, or times out
 */
async function runInTurn(program: string, args: readonly string[]): Promise<string | null> {
  if (waiting >= MAX_WAITING) return null;
  waiting++;
  try {
    const { code, stdout } = await turns.runExclusive(() => runProgram(program, args, { time: TIME }));
    return code === 0 ? stdout : null;
  } finally {
    waiting--;
  }
}

/** Pixels per frame, according to `ffprobe`; null if it isn't installed or can't tell. */
async function pixelsOf(film: string): Promise<number | null> {
  const shown = ['-select_streams', 'v:0', '-show_entries', 'stream=width,height', '-of', 'csv=p=0:s=x'];
  const said = await runInTurn('ffprobe', ['-v', 'error', ...LOCAL_ONLY, ...shown, film]);
  const [, width, height] = /^(\d{1,6})x(\d{1,6})/.exec(said ?? '') ?? [];
  return width && height ? Number(width) * Number(height) : null;
}

/**
 * Draws a poster of a video, a frame from its first second, if `ffmpeg` is installed.
 * @param folder folder of the video and its poster
 * @returns whether there is a poster; videos above 4K have none
 */
export async function drawPoster(folder: string, film: string): Promise<boolean> {
  const target = join(folder, POSTER);
  if (await stat(target).catch(() => null)) return true;
  const source = join(folder, film);
  const pixels = await pixelsOf(source);
  if (pixels !== null && pixels > MAX_PIXELS) return false;
  const half = join(folder, `.${randomUUID()}.jpg`);
  // Video metadata is untrusted, so the decoder enforces the limits, too. Frames are scaled down before many are
  // buffered.
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

/** Duration of a video in seconds, according to `ffprobe`; null if it isn't installed or can't tell. */
export async function measureFilm(folder: string, film: string): Promise<number | null> {
  const args = ['-v', 'error', ...LOCAL_ONLY, '-show_entries', 'format=duration', '-of', 'csv=p=0', join(folder, film)];
  const seconds = Number.parseFloat((await runInTurn('ffprobe', args)) ?? '');
  return Number.isFinite(seconds) && seconds > 0 ? seconds : null;
}
