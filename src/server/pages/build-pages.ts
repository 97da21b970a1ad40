import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chmod, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../../..');
/** What the built pages are made of. The server's own files are not part of them. */
export const SOURCES = [
  'engine',
  'src',
  'vite.config.ts',
  'vite.chart-tables.ts',
  'vite.first-picture.ts',
  'vite.chunks.ts',
  'vite.element-traits.ts',
  'vite.three.ts',
  'package-lock.json',
];
const NOT_BUILT = join(ROOT, 'src/server');
/** File in the built folder that says of which state of the sources it was made. */
const STAMP = '.sources';

/** When a file, or the newest file of a folder, was changed: milliseconds since 1970. */
async function newest(path: string): Promise<number> {
  if (path === NOT_BUILT) return 0;
  const found = await stat(path).catch(() => null);
  if (!found) return 0;
  if (!found.isDirectory()) return found.mtimeMs;
  const names = await readdir(path);
  const times = await Promise.all(names.map((name) => newest(join(path, name))));
  return Math.max(found.mtimeMs, ...times);
}

const stateOfSources = async () =>
  String(Math.max(...(await Promise.all(SOURCES.map((name) => newest(join(ROOT, name)))))));

/** Whether the built pages are missing or older than their sources. */
export async function pagesAreStale(dist: string): Promise<boolean> {
  const stamp = await readFile(join(dist, STAMP), 'utf8').catch(() => null);
  return stamp !== (await stateOfSources());
}

const vite = (args: string[]) =>
  spawn(process.execPath, [join(ROOT, 'node_modules/vite/bin/vite.js'), 'build', ...args], {
    cwd: ROOT,
    // Whoever asks for the build, it is the one for visitors.
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });

/** Lets every user of the machine read a folder of pages: what the server writes is its own otherwise. */
export async function makeReadable(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }))
    await chmod(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o755 : 0o644);
}

/**
 * Builds the pages beside the ones that are served, and puts them in their place when they are whole: a build that
 * fails, or two at once, never leave half of one.
 * @returns null when all went well, otherwise what the build said
 */
export async function buildPages(dist: string): Promise<string | null> {
  // Read before the build, so that a change during it makes the pages stale again.
  const state = await stateOfSources();
  const fresh = `${dist}-${randomUUID()}`;
  const child = vite(['--logLevel', 'error', '--outDir', fresh]);
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => (said += text));
  const code = await new Promise<number | null>((resolve) => {
    child.on('error', (error) => {
      said += error.message;
      resolve(null);
    });
    child.on('close', resolve);
  });
  if (code !== 0) {
    await rm(fresh, { recursive: true, force: true });
    return said.trim() || 'The build ended without a word.';
  }
  await writeFile(join(fresh, STAMP), state);
  await makeReadable(fresh);
  const old = `${fresh}-old`;
  await rename(dist, old).catch(() => undefined);
  // Another build may have taken the place meanwhile; it is of the same sources.
  await rename(fresh, dist).catch(() => rm(fresh, { recursive: true, force: true }));
  await rm(old, { recursive: true, force: true });
  return null;
}

/** Builds the pages again whenever a source changes, until the returned function is called. */
export function watchPages(onOutput: (text: string) => void): () => void {
  const child = vite(['--watch', '--logLevel', 'warn']);
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text: Buffer) => onOutput(text.toString().trimEnd()));
  return () => child.kill();
}
