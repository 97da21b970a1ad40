import {
  BUDGETS,
  budgetFiles,
  DEVICES,
  type Device,
  MEASURES,
  type Measure,
  type MediaFacts,
  roomBudget,
} from '../../engine/document/budget.ts';
import type { Connection } from '../connection.ts';
import { EXIT } from '../failure.ts';
import { jsonText } from '../io/write-output.ts';
import { tableText } from '../report/table.ts';
import { findRoom } from './find-room.ts';
import { readDocument } from './read-document.ts';
import { asRoom } from './room-argument.ts';

/** Elements that are named, the heaviest first. */
const NAMED = 10;

const BYTES: readonly Measure[] = ['texture_bytes', 'download_bytes'];

const amount = (measure: Measure, value: number): string =>
  BYTES.includes(measure) ? `${(value / 1024 / 1024).toFixed(1)} MB` : value.toLocaleString('en');

export interface BudgetOptions {
  device?: Device;
  json: boolean;
}

/** Estimates what a room needs and prints it, beside what devices have. */
export async function printBudget(
  { client }: Connection,
  wanted: string,
  { device, json }: BudgetOptions,
): Promise<void> {
  const room = asRoom(await readDocument(client, await findRoom(client, wanted)), wanted);
  const facts = new Map<number, MediaFacts>();
  for (const id of budgetFiles(room)) facts.set(id, await client.media.read({ params: { id } }));
  const { totals, elements, unknown } = roomBudget(room, facts);
  const over = DEVICES.filter((each) => MEASURES.some((measure) => totals[measure] > BUDGETS[each][measure]));
  if (json) process.stdout.write(jsonText({ totals, budgets: BUDGETS, over, elements, unknown }));
  else {
    const share = (value: number, most: number) => `${Math.round((value / most) * 100)} %`;
    const lines = MEASURES.map((measure) => ({
      measure: measure.replaceAll('_', ' '),
      needs: amount(measure, totals[measure]),
      ...Object.fromEntries(
        DEVICES.map((each) => [
          each,
          `${share(totals[measure], BUDGETS[each][measure])} of ${amount(measure, BUDGETS[each][measure])}`,
        ]),
      ),
    }));
    const heavy = elements.slice(0, NAMED).map(({ id, name, costs }) => ({
      heaviest: id === null ? name : `${name} (${id})`,
      ...Object.fromEntries(MEASURES.map((measure) => [measure.replaceAll('_', ' '), amount(measure, costs[measure])])),
    }));
    process.stdout.write(`${tableText(['measure', 'needs', ...DEVICES], lines)}\n`);
    process.stdout.write(tableText(['heaviest', ...MEASURES.map((measure) => measure.replaceAll('_', ' '))], heavy));
    if (unknown.length > 0)
      process.stdout.write(
        `\nNot counted, because nothing is known of their files: ${unknown.map((id) => id ?? 'template').join(', ')}\n`,
      );
  }
  if (device && over.includes(device)) process.exitCode = EXIT.wrong;
}
