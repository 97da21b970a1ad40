import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../../..');
/** Sources of the built pages. The server's own files are not among them. */
export const SOURCES = [
  'engine',
  'src',
  'vite.config.ts',
  'vite.chart-tables.ts',
  'vite.first-picture.ts',
  'vite.chunks.ts',
  'vite.element-traits.ts',
  'vite.retried-imports.ts',
  'vite.sdk-package.ts',
  'vite.source-texts.ts',
  'vite.three.ts',
  'vite.translated-texts.ts',
  'tsconfig.json',
  'fixtures/embed/package',
  'package-lock.json',
];
const NOT_BUILT = join(ROOT, 'src/server');
/** File in the output folder that records the state of the sources. */
const STAMP = '.sources';

/** Modification time of a file, or of the newest file in a folder: milliseconds since 1970. */
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

const VITE = join(ROOT, 'node_modules/vite/bin/vite.js');

/** Whether the packages that build pages are installed; `npm ci --omit=dev` leaves them out. */
export const canBuildPages = (): boolean => existsSync(VITE);

const vite = (args: string[]) =>
  spawn(process.execPath, [VITE, 'build', ...args], {
    cwd: ROOT,
    // Always a production build, whoever starts it.
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });

/** Makes a folder of pages world-readable: files of the server are owner-only by default. */
export async function makeReadable(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }))
    await chmod(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o755 : 0o644);
}

/**
 * Builds the pages next to the served ones and swaps them in when complete: a failed build, or two at once, never leave
 * a partial one.
 * @returns null on success, otherwise the build's output
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
    return said.trim() || 'The build exited without an error message.';
  }
  await writeFile(join(fresh, STAMP), state);
  await makeReadable(fresh);
  const old = `${fresh}-old`;
  await rename(dist, old).catch(() => undefined);
  // A concurrent build of the same sources may have been first.
  await rename(fresh, dist).catch(() => rm(fresh, { recursive: true, force: true }));
  await rm(old, { recursive: true, force: true });
  return null;
}

/** Rebuilds the pages on source changes until the returned function is called. */
export function watchPages(onOutput: (text: string) => void): () => void {
  const child = vite(['--watch', '--logLevel', 'warn']);
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text: Buffer) => onOutput(text.toString().trimEnd()));
  return () => child.kill();
}
