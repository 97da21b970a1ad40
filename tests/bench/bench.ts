import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BenchName, ROWS } from './rows.ts';

/** A measured row. */
export interface Figure {
  /** In the row's unit. */
  value: number;
  /** What it was calculated from, as text. */
  detail?: string;
  /** Milliseconds of a minimal page in the same run. Comparisons with the baseline are scaled by it: machines differ. */
  beside?: number;
}

/** A figure, or the reason why this machine can't measure it. */
export type Outcome = Figure | { reason: string };

/** By id of the row. */
export type Outcomes = Record<string, Outcome>;

/** What a bench measures in a run. */
export interface Scope {
  rounds: number;
  /** Whether to use the reduced sizes. */
  isQuick: boolean;
  /** Whether a row is needed: only rows that are worse than the baseline are measured again. */
  wants(id: string): boolean;
}

export type Bench = (scope: Scope) => Outcomes | Promise<Outcomes>;

/** The same reason for several rows, or for all rows of a bench. */
export const without = (ids: readonly string[], reason: string): Outcomes =>
  Object.fromEntries(ids.map((id) => [id, { reason }]));

export const idsOf = (bench: BenchName): string[] => ROWS.filter((row) => row.bench === bench).map(({ id }) => id);

/** Reason why no browser can be measured on this machine; undefined if one can. */
export async function whyNoChromium(): Promise<string | undefined> {
  // Loaded on demand: processes that measure begin sooner without a browser's driver.
  const { findChromium } = await import('../harness/chromium.ts');
  try {
    findChromium();
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

/** Runs a function with a temporary folder. */
export async function inFolder<T>(run: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'enfilade-bench-'));
  try {
    return await run(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

export const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1]!;

/** Measures contestants in alternating order. @returns the results of each, one per round */
export async function alternate<T>(contestants: readonly (() => T | Promise<T>)[], rounds: number): Promise<T[][]> {
  const results = contestants.map((): T[] => []);
  for (let round = 0; round < rounds; round++)
    for (const place of contestants.keys()) {
      const index = (place + round) % contestants.length;
      results[index]!.push(await contestants[index]!());
    }
  return results;
}
