import { compile, compileRegions } from './compile.ts';
import { proximityMachine } from './proximity.ts';
import { timedMachine } from './timed.ts';

/*
 * Charts compiled to tables, because rooms may need thousands. The build replaces this module with the finished tables
 * (`vite.chart-tables.ts`), so that visitors load neither the charts nor xstate.
 */

export const proximityTable = compile(proximityMachine);

export const { sequence: sequenceTable, popup: popupTable } = compileRegions(timedMachine);
