import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { freshPages } from '../harness/fresh-pages.ts';
import type { Bench, Scope } from './bench.ts';
import { compareEditing } from './editing/compare.ts';
import { compareFirstLoad } from './first-load/compare.ts';
import { measureGrowth } from './growth/compare.ts';
import { compareHttp } from './http-api/compare.ts';
import { measureMemory } from './memory/compare.ts';
import { comparePresence } from './presence/compare.ts';
import { comparisonOf, tableOf, weaknessesOf, withResults } from './print.ts';
import { BASELINE, beginRun, newestRun, type Run, readRun, storeRun, writeRun } from './results.ts';
import { type BenchName, ROWS, type Row } from './rows.ts';
import { compareScenes } from './scene-tick/compare.ts';
import { compareScreens } from './screens/compare.ts';
import { compareStage } from './stage/compare.ts';
import { compareStatistics } from './statistics/compare.ts';
import { compareImports } from './token-import/compare.ts';
import { compareSearches } from './token-search/compare.ts';
import { compareTours } from './tours/compare.ts';
import { measureUploads } from './uploads/compare.ts';
import { betterOf, judge, strays, type Verdict } from './verdict.ts';
import { compareVisits } from './visits/compare.ts';

/** The benchmarks, with their number of rounds in a full run. */
const BENCHES: Record<BenchName, { rounds: number; measure: Bench }> = {
  scene: { rounds: 5, measure: compareScenes },
  http: { rounds: 5, measure: compareHttp },
  tokens: { rounds: 3, measure: compareImports },
  'token-search': { rounds: 3, measure: compareSearches },
  presence: { rounds: 3, measure: comparePresence },
  editing: { rounds: 3, measure: compareEditing },
  screens: { rounds: 3, measure: compareScreens },
  stage: { rounds: 1, measure: compareStage },
  'first-load': { rounds: 3, measure: compareFirstLoad },
  tours: { rounds: 3, measure: compareTours },
  visits: { rounds: 3, measure: compareVisits },
  statistics: { rounds: 3, measure: compareStatistics },
  uploads: { rounds: 1, measure: measureUploads },
  growth: { rounds: 3, measure: measureGrowth },
  memory: { rounds: 1, measure: measureMemory },
};
const NAMES = Object.keys(BENCHES) as BenchName[];
/** Number of tries before a row counts as worse than the baseline. */
const TRIES = 3;

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: 'boolean', default: false },
    compare: { type: 'boolean', default: false },
    'write-readme': { type: 'boolean', default: false },
    'write-baseline': { type: 'boolean', default: false },
  },
});

// Other sizes give other ratios.
if (options['write-baseline'] && !options.quick) throw new Error('A baseline is a quick run: add --quick.');
if (options.compare) await compareRuns();
else if (options['write-readme']) await writeReadme();
else process.exitCode = (await runAll()) ? 0 : 1;

async function compareRuns(): Promise<void> {
  const [first, second = await newestRun()] = positionals;
  if (!first) throw new Error('Name the file of results to compare with: --compare FILE [FILE].');
  console.log(comparisonOf(await readRun(first), await readRun(second)));
}

async function writeReadme(): Promise<void> {
  const run = await readRun(positionals[0] ?? (await newestRun()));
  const file = join(import.meta.dirname, 'README.md');
  await writeFile(file, withResults(await readFile(file, 'utf8'), run));
}

/** Runs a bench and adds its outcomes, of which the better ones remain. @returns an error message */
async function measure(run: Run, name: BenchName, wants: Scope['wants']): Promise<string | undefined> {
  const begun = performance.now();
  try {
    const outcomes = await BENCHES[name].measure({ rounds: run.rounds[name]!, isQuick: options.quick, wants });
    for (const [id, outcome] of Object.entries(outcomes)) {
      const row = ROWS.find((each) => each.id === id);
      const before = run.outcomes[id];
      run.outcomes[id] = row && before ? betterOf(row, before, outcome) : outcome;
    }
    return undefined;
  } catch (error) {
    console.error(error);
    return `${name} failed: ${(error as Error).message}`;
  } finally {
    console.log(`${name}: ${((performance.now() - begun) / 1000).toFixed(0)} s`);
  }
}

/** Measures rows again that fail. */
async function retry(run: Run, look: () => Verdict[]): Promise<void> {
  for (let attempt = 2; attempt <= TRIES; attempt++) {
    const worse = new Map<BenchName, Set<string>>();
    for (const { row, isRetried } of look())
      if (isRetried) worse.set(row.bench!, (worse.get(row.bench!) ?? new Set<string>()).add(row.id));
    for (const [name, ids] of worse) {
      console.log(`Try ${attempt} of ${TRIES}: ${[...ids].join(', ')}`);
      await measure(run, name, (id) => ids.has(id));
    }
  }
}

/** @returns whether the gate is passed */
async function runAll(): Promise<boolean> {
  const unknown = positionals.find((word) => !(word in BENCHES));
  if (unknown) throw new Error(`There is no bench ${unknown}. Benches: ${NAMES.join(', ')}.`);
  const isCompared = options.quick && !options['write-baseline'];
  const baseline = isCompared ? await readRun(BASELINE) : undefined;
  const begun = performance.now();
  const names = NAMES.filter((name) => positionals.length === 0 || positionals.includes(name));
  const isWhole = names.length === NAMES.length;
  await freshPages();
  const run = beginRun(options.quick);
  const faults: string[] = [];
  for (const name of names) {
    run.rounds[name] = options.quick ? 1 : BENCHES[name].rounds;
    const fault = await measure(run, name, () => true);
    if (fault) faults.push(fault);
  }
  // The rows of a bench that failed are its fault.
  const failed = names.filter((name) => faults.some((fault) => fault.startsWith(`${name} `)));
  const rows = ROWS.filter((row: Row) =>
    row.bench ? names.includes(row.bench) && !failed.includes(row.bench) : isWhole,
  );
  const look = () =>
    judge(rows, run.outcomes, { ...(baseline && { baseline: baseline.outcomes }), needsTargets: !options.quick });
  if (options.quick) await retry(run, look);
  const verdicts = look();
  console.log(`\n${tableOf(verdicts)}\n`);
  if (options.quick) console.log('Reduced sizes: figures only compare with those of other quick runs.');
  faults.push(
    ...strays(ROWS, run.outcomes),
    ...verdicts.flatMap(({ row, fault }) => (fault ? [`${row.id} ${fault}.`] : [])),
  );
  if (baseline) for (const weakness of weaknessesOf(verdicts, run.processor, baseline)) console.log(weakness);
  console.log(`${run.processor}, Node ${run.node}, ${((performance.now() - begun) / 1000).toFixed(0)} s`);
  console.log(`Results: ${await storeRun(run)}`);
  if (options['write-baseline']) await writeRun(run, BASELINE);
  for (const fault of faults) console.log(`FAILS: ${fault}`);
  return faults.length === 0;
}
