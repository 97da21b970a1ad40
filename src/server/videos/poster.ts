import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Milliseconds that a program may take. */
const TIME = 20_000;
/** Most characters that are read of what a program says. */
const MOST_TEXT = 10_000;
/** Name of a film's picture, beside the film. */
export const POSTER = 'poster.jpg';

/**
 * Runs a program without a shell.
 * @returns what it says; null where it is not on this machine, fails, or takes too long
 */
function run(program: string, args: readonly string[]): Promise<string | null> {
  const { promise, resolve } = Promise.withResolvers<string | null>();
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'ignore'], timeout: TIME, killSignal: 'SIGKILL' });
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => {
    if (said.length < MOST_TEXT) said += chunk.toString('utf8');
  });
  child.on('error', () => resolve(null));
  child.on('close', (code) => resolve(code === 0 ? said : null));
  return promise;
}

/** Only files are opened, whatever a film says that it consists of. */
const LOCAL_ONLY = ['-protocol_whitelist', 'file'] as const;

/**
 * Draws the picture of a film where `ffmpeg` is on this machine: a frame of its first second.
 * @param folder of the film; the picture comes to stand in it
 * @returns whether there is a picture now
 */
export async function drawPoster(folder: string, film: string): Promise<boolean> {
  const target = join(folder, POSTER);
  if (await stat(target).catch(() => null)) return true;
  const half = join(folder, `.${randomUUID()}.jpg`);
  const args = ['-v', 'error', ...LOCAL_ONLY, '-i', join(folder, film), '-frames:v', '1', '-vf', 'thumbnail=25'];
  const done = await run('ffmpeg', [...args, '-f', 'image2', '-y', half]);
  const made = done !== null && (await stat(half).catch(() => null));
  if (made) await rename(half, target);
  else await rm(half, { force: true });
  return Boolean(made);
}

/** Seconds that a film plays, as `ffprobe` tells; null where it is not on this machine or does not know. */
export async function measureFilm(folder: string, film: string): Promise<number | null> {
  const args = ['-v', 'error', ...LOCAL_ONLY, '-show_entries', 'format=duration', '-of', 'csv=p=0', join(folder, film)];
  const seconds = Number.parseFloat((await run('ffprobe', args)) ?? '');
  return Number.isFinite(seconds) && seconds > 0 ? seconds : null;
}
