import { mkdtemp, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { type Drawing, findChromium, findDrawing, findShell, versionOf } from './chromium.ts';
import { type FirefoxPrograms, findFirefox } from './firefox/find-firefox.ts';
import { freshPages } from './fresh-pages.ts';
import { createTemplate, findPostgres, type Template } from './postgres.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Path of full Chromium, for tests that need it. */
    chromium: string;
    /** Path of the browser for web tests: the headless shell, if this machine has it. */
    shell: string;
    /** WebGL backend of that browser. */
    drawing: Drawing;
    /** Programs for the tests in Firefox; null if one is missing. */
    firefox: FirefoxPrograms | null;
    /** URL of PostgreSQL, which the API tests use besides SQLite; null if it is unavailable. */
    postgres: string | null;
    /** Name of a migrated database there; null if there is none. */
    migrated: string | null;
  }
}

/** In-memory file system, if the machine has one, and the free bytes it needs. */
const MEMORY = '/dev/shm';
const ROOM_ENOUGH = 4 * 2 ** 30;

/**
 * Moves temporary files, mainly the servers' data folders, to memory: tests don't simulate power failures, and waiting
 * for the disk takes a fifth of their time.
 * @returns a function that removes them; without enough memory, the usual folder stays in use
 */
async function keepInMemory(): Promise<() => Promise<void>> {
  const { bavail, bsize } = await statfs(MEMORY).catch(() => ({ bavail: 0, bsize: 0 }));
  if (process.env.TMPDIR || bavail * bsize < ROOM_ENOUGH) return async () => {};
  const folder = await mkdtemp(join(MEMORY, 'enfilade-tests-'));
  process.env.TMPDIR = folder;
  return () => rm(folder, { recursive: true, force: true, maxRetries: 5 });
}

/** The available PostgreSQL, and the template of the test databases; null without a PostgreSQL. */
async function findDatabase(): Promise<{ postgres: string | null; template: Template | null }> {
  const postgres = await findPostgres();
  return { postgres, template: postgres ? await createTemplate(postgres) : null };
}

/** Runs once before all tests: finds the browser and the databases, builds the pages. @returns the teardown */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const emptyMemory = await keepInMemory();
  const chromium = findChromium();
  const shell = findShell(chromium);
  const [drawing, database] = await Promise.all([findDrawing(shell), findDatabase(), freshPages()]);
  console.log(`Browser: ${versionOf(chromium)} (${chromium}), drawing with ${drawing}`);
  if (shell !== chromium) console.log(`Most pages: ${versionOf(shell)} (${shell})`);
  const firefox = findFirefox();
  console.log(
    `Firefox: ${typeof firefox === 'string' ? firefox : `${versionOf(firefox.firefox)} (${firefox.firefox})`}`,
  );
  const { postgres, template } = database;
  console.log(postgres ? `PostgreSQL: ${postgres}` : 'PostgreSQL: none answers; the API tests run on SQLite only.');
  project.provide('chromium', chromium);
  project.provide('shell', shell);
  project.provide('drawing', drawing);
  project.provide('firefox', typeof firefox === 'string' ? null : firefox);
  project.provide('postgres', postgres);
  project.provide('migrated', template?.name ?? null);
  return async () => {
    await template?.drop();
    await emptyMemory();
  };
}
