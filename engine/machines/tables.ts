import { compile, compileRegions } from './compile.ts';
import { proximityMachine } from './proximity.ts';
import { timedMachine } from './timed.ts';

/*
 * Charts that systems look up: of some a room needs thousands. The build of the pages puts the finished tables in this
 * module's place (`vite.chart-tables.ts`), so that a visitor loads neither the charts nor xstate for them.
 */

export const proximityTable = compile(proximityMachine);

export const { sequence: sequenceTable, popup: popupTable } = compileRegions(timedMachine);
