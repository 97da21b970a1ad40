import { randomUUID } from 'node:crypto';
import type { Client } from '../../src/contract/client.ts';
import type { ImportKind, ImportPlan } from '../../src/contract/entities.ts';
import { wrongError } from '../failure.ts';
import { planText } from '../imports/send-import.ts';
import { jsonText } from '../io/write-output.ts';

/** Entities removed per request. */
const REMOVED_PER_CALL = 10_000;

/** Entities to remove: of one kind, with resolved ids. */
export interface Removal {
  kind: ImportKind;
  ids: readonly number[];
  json: boolean;
}

function refuseWrong({ counts, entries }: ImportPlan, what: string): void {
  if (counts.wrong === 0) return;
  const problems = entries.flatMap(({ key, problems: list }) => list.map(({ reason }) => ({ column: key, reason })));
  throw wrongError(`Nothing ${what} removed.`, 'Correct the errors and run the command again.', problems);
}

/**
 * Removes entities in jobs of ten thousand and prints the result; a dry run only prints what would be removed.
 * @returns whether there is anything to remove
 */
export async function removeThings(client: Client, { kind, ids, json }: Removal, isTried: boolean): Promise<boolean> {
  const all = [...new Set(ids)];
  for (let start = 0; start < all.length; start += REMOVED_PER_CALL) {
    const body = { kind, ids: all.slice(start, start + REMOVED_PER_CALL), dry_run: isTried };
    const plan = await client.imports.remove({ body, idempotencyKey: randomUUID() });
    refuseWrong(plan, start === 0 ? 'was' : 'else was');
    process.stdout.write(json ? jsonText(plan) : planText(plan, isTried));
  }
  return all.length > 0;
}
