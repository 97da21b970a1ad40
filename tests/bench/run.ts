import { freshPages } from '../harness/fresh-pages.ts';
import { compareEditing } from './editing/compare.ts';
import { compareFirstLoad } from './first-load/compare.ts';
import { compareHttp } from './http-api/compare.ts';
import { comparePresence } from './presence/compare.ts';
import { compareScenes } from './scene-tick/compare.ts';
import { compareScreens } from './screens/compare.ts';
import { compareStatistics } from './statistics/compare.ts';
import { compareImports } from './token-import/compare.ts';
import { compareSearches } from './token-search/compare.ts';
import { compareVisits } from './visits/compare.ts';

/** The benchmarks by name, with their number of rounds. */
const PARTS: Record<string, { rounds: number; compare(rounds: number): boolean | Promise<boolean> }> = {
  scene: { rounds: 5, compare: compareScenes },
  http: { rounds: 5, compare: compareHttp },
  tokens: { rounds: 3, compare: compareImports },
  'token-search': { rounds: 3, compare: compareSearches },
  presence: { rounds: 3, compare: comparePresence },
  editing: { rounds: 3, compare: compareEditing },
  screens: { rounds: 3, compare: compareScreens },
  'first-load': { rounds: 3, compare: compareFirstLoad },
  visits: { rounds: 3, compare: compareVisits },
  statistics: { rounds: 3, compare: compareStatistics },
};

/**
 * Compares the product with the minimum that does the same work, alternating between them, and prints medians and
 * ratios.
 * Usage: `node tests/bench/run.ts [--quick] [scene] [http] [tokens] [token-search] [presence] [editing] [screens]
 * [first-load] [visits] [statistics]`; without a name, all of them run.
 */
const given = process.argv.slice(2);
const wanted = given.filter((word) => !word.startsWith('--'));
const unknown = wanted.find((word) => !(word in PARTS));
if (unknown) throw new Error(`There is no part ${unknown}. Parts: ${Object.keys(PARTS).join(', ')}.`);
await freshPages();
let met = true;
for (const [name, { rounds, compare }] of Object.entries(PARTS)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  if (!(await compare(given.includes('--quick') ? 1 : rounds))) met = false;
}
process.exitCode = met ? 0 : 1;
