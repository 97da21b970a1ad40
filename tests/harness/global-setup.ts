import { mkdtemp, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { type Drawing, findChromium, findDrawing, findShell, versionOf } from './chromium.ts';
import { type FirefoxPrograms, findFirefox } from './firefox/find-firefox.ts';
import { freshPages } from './fresh-pages.ts';
import { createTemplate, findPostgres, type Template } from './postgres.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Path of a whole Chromium, for what needs one. */
    chromium: string;
    /** Path of the browser that the web tests drive: one without windows where the machine has it. */
    shell: string;
    /** What that browser draws rooms with. */
    drawing: Drawing;
    /** What the tests in Firefox start; null where something of it is missing. */
    firefox: FirefoxPrograms | null;
    /** PostgreSQL that the API tests use besides SQLite; null where none answers. */
    postgres: string | null;
    /** Name of a database there that has gone through all migrations; null where there is none. */
    migrated: string | null;
  }
}

/** Folder of files in memory, where the machine has one, and the bytes that must be free in it. */
const MEMORY = '/dev/shm';
const ROOM_ENOUGH = 4 * 2 ** 30;

/**
 * Has everything that is only for a while, data folders of servers above all, kept in memory: tests don't ask what a power cut leaves, and
 * waiting for the disk takes a fifth of their time.
 * @returns what removes it; on a machine without room for it, the usual folder stays
 */
async function keepInMemory(): Promise<() => Promise<void>> {
  const { bavail, bsize } = await statfs(MEMORY).catch(() => ({ bavail: 0, bsize: 0 }));
  if (process.env.TMPDIR || bavail * bsize < ROOM_ENOUGH) return async () => {};
  const folder = await mkdtemp(join(MEMORY, 'enfilade-tests-'));
  process.env.TMPDIR = folder;
  return () => rm(folder, { recursive: true, force: true, maxRetries: 5 });
}

/** The PostgreSQL that answers, and what the databases of tests are copies of; neither where none does. */
async function findDatabase(): Promise<{ postgres: string | null; template: Template | null }> {
  const postgres = await findPostgres();
  return { postgres, template: postgres ? await createTemplate(postgres) : null };
}

/** Runs once before all tests: finds the browser and the databases, builds the pages. Gives what runs after them. */
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
