import {
  BUDGETS,
  budgetFiles,
  DEVICES,
  type Device,
  type MediaFacts,
  roomBudget,
} from '../../engine/document/budget.ts';
import { MEASURES, type Measure } from '../../engine/document/costs.ts';
import { isRecord } from '../../engine/document/field-paths.ts';
import type { Room } from '../../engine/document/room.ts';
import { type FormatOptions, formatOf, isReported } from '../ci/problem-report.ts';
import { connect, hasServer } from '../connection.ts';
import { EXIT } from '../failure.ts';
import { fileNameOf } from '../io/read-file.ts';
import { jsonText } from '../io/write-output.ts';
import { mediaWithIds } from '../media/each-media.ts';
import { tableText } from '../report/table.ts';
import { asRoom, documentOf, isFile } from './room-argument.ts';

/** Number of heaviest elements listed. */
const MAX_NAMED_FILES = 10;

const BYTES: readonly Measure[] = ['texture_bytes', 'download_bytes'];

const amount = (measure: Measure, value: number): string =>
  BYTES.includes(measure) ? `${(value / 1024 / 1024).toFixed(1)} MB` : value.toLocaleString('en');

export interface BudgetOptions extends FormatOptions {
  device?: Device;
}

/** File URLs in a document, by file id. */
function addressesIn(value: unknown, found = new Map<unknown, unknown>()): Map<unknown, unknown> {
  if (Array.isArray(value)) for (const entry of value) addressesIn(entry, found);
  else if (isRecord(value)) {
    if (typeof value.url === 'string' && 'type' in value) found.set(value.id, value.url);
    for (const entry of Object.values(value)) addressesIn(entry, found);
  }
  return found;
}

/** The server's file metadata for a room. Ids in a file may belong to another server, so its files are matched by URL. */
async function factsOf(room: Room, isOnDisk: boolean): Promise<Map<number, MediaFacts>> {
  const facts = new Map<number, MediaFacts>();
  const ids = budgetFiles(room);
  const connection = ids.length > 0 && (!isOnDisk || hasServer()) ? connect() : null;
  if (!connection) return facts;
  const { client } = connection;
  const addresses = addressesIn(room);
  const found = isOnDisk ? await mediaWithIds(client, ids) : null;
  for (const id of ids) {
    const media = found?.get(id);
    if (!found || (media && media.url === addresses.get(id)))
      facts.set(id, await client.media.read({ params: { id } }));
  }
  return facts;
}

/** Estimates a room's resource usage and prints it next to device limits. */
export async function printBudget(wanted: string, { device, ...options }: BudgetOptions): Promise<void> {
  const room = asRoom(await documentOf(wanted), wanted);
  const facts = await factsOf(room, isFile(wanted));
  const estimate = roomBudget(room, facts);
  const { totals, elements, unknown } = estimate;
  const format = formatOf(options);
  const over = DEVICES.filter((each) => MEASURES.some((measure) => totals[measure] > BUDGETS[each][measure]));
  if (isReported(format)) {
    const { budgetReport } = await import('./report-findings.ts');
    const about = { name: fileNameOf(wanted), isOnDisk: isFile(wanted), device, amount };
    process.stdout.write(budgetReport(format, estimate, about));
  } else if (format === 'json') process.stdout.write(jsonText({ totals, budgets: BUDGETS, over, elements, unknown }));
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
    const heavy = elements.slice(0, MAX_NAMED_FILES).map(({ id, name, costs }) => ({
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
