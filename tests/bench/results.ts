import { execFileSync } from 'node:child_process';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { dirname, join } from 'node:path';
import type { Outcomes } from './bench.ts';

/** Everything that one run measured. */
export interface Run {
  commit: string;
  processor: string;
  node: string;
  /** ISO 8601. */
  date: string;
  isQuick: boolean;
  /** Rounds by bench. */
  rounds: Record<string, number>;
  outcomes: Outcomes;
}

const ROOT = join(import.meta.dirname, '../..');
/** Folder of the results, which isn't committed. */
export const RESULTS = join(ROOT, '.cache/bench');
/** A quick run with which later ones are compared. */
export const BASELINE = join(import.meta.dirname, 'baseline.json');

function commitOf(): string {
  try {
    const git = (...words: string[]) => execFileSync('git', words, { cwd: ROOT, encoding: 'utf8' }).trim();
    return git('rev-parse', '--short', 'HEAD') + (git('status', '--porcelain') === '' ? '' : ' with changes');
  } catch {
    return 'unknown';
  }
}

/** An empty run on this machine. */
export const beginRun = (isQuick: boolean): Run => ({
  commit: commitOf(),
  processor: cpus()[0]?.model.trim() ?? 'unknown',
  node: process.versions.node,
  date: new Date().toISOString(),
  isQuick,
  rounds: {},
  outcomes: {},
});

/** Numbers with four significant digits: more is noise. */
const rounded = (_: string, value: unknown) => (typeof value === 'number' ? Number(value.toPrecision(4)) : value);

export async function writeRun(run: Run, file: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, `${JSON.stringify(run, rounded, 2)}\n`);
}

/** Stores a run in the folder of the results. @returns its path */
export async function storeRun(run: Run): Promise<string> {
  const file = join(RESULTS, `${run.date.replaceAll(':', '-').slice(0, 19)}-${run.isQuick ? 'quick' : 'full'}.json`);
  await writeRun(run, file);
  return file;
}

/** @throws Error naming the file, if it holds no run */
export async function readRun(file: string): Promise<Run> {
  const text = await readFile(file, 'utf8').catch(() => {
    throw new Error(`${file} can't be read.`);
  });
  const run = JSON.parse(text) as Run;
  if (typeof run.outcomes !== 'object') throw new Error(`${file} holds no results of a benchmark.`);
  return run;
}

/** Path of the newest stored run. @throws Error if there is none */
export async function newestRun(): Promise<string> {
  const names = (await readdir(RESULTS).catch(() => [])).filter((name) => name.endsWith('.json'));
  const newest = names.toSorted().at(-1);
  if (!newest) throw new Error(`There are no results in ${RESULTS}. Run the benchmarks first.`);
  return join(RESULTS, newest);
}
