import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { ImportPlan, Planned } from '../../src/contract/entities.ts';
import { asCliError, CliError, EXIT, type Problem, wrongError } from '../failure.ts';
import type { Item } from '../io/read-items.ts';
import { jsonText } from '../io/write-output.ts';
import type { ImportOptions } from '../report/import-options.ts';

/** What a request to import takes besides its items. */
interface Switches {
  mode: ImportOptions['mode'];
  prune: boolean;
  dry_run: boolean;
}

/** Sends items of one kind to the server. */
export type Send = (body: Switches & { items: Item['value'][] }, idempotencyKey: string) => Promise<ImportPlan>;

/** Attempts to reach the server, and milliseconds between them. */
const ATTEMPTS = 3;
const PAUSE = 500;

/** Sends a request until it arrives: the key lets the server do it once. */
async function sendSafely(send: Send, body: Parameters<Send>[0]): Promise<ImportPlan> {
  const key = randomUUID();
  for (let attempt = 1; ; attempt++) {
    try {
      return await send(body, key);
    } catch (error) {
      if (attempt === ATTEMPTS || asCliError(error)?.code !== 'unreachable') throw error;
      await pause(PAUSE);
    }
  }
}

function problemsOf({ entries }: ImportPlan, items: readonly Item[]): Problem[] {
  return entries.flatMap(({ index, key, problems }) =>
    problems.map(({ path, reason }): Problem => {
      const item = index === null ? undefined : items[index];
      const place = item?.line === undefined && key ? `${key}${path && `, ${path}`}` : path;
      return { ...(item && { file: item.file, line: item.line }), ...(place && { column: place }), reason };
    }),
  );
}

/** An error of the server about the shape of the items, with the place where each stands. */
function refusal(error: unknown, items: readonly Item[]): unknown {
  const known = asCliError(error);
  if (!known || known.exit !== EXIT.wrong) return error;
  const problems = known.problems.map((problem): Problem => {
    const [, index, path] = /^items\.(\d+)\.?(.*)$/.exec(problem.column ?? '') ?? [];
    const item = index === undefined ? undefined : items[Number(index)];
    return item ? { file: item.file, line: item.line, column: path, reason: problem.reason } : problem;
  });
  const { code, exit, message, suggestion } = known;
  return new CliError(code, exit, { message, suggestion, problems });
}

const KIND_NAMES: Record<Planned['kind'], string> = { rooms: 'room', templates: 'template', endpoints: 'structure' };

/** What an import did, or would do, as people read it. */
export function planText(plan: ImportPlan, isTried: boolean): string {
  const { counts, entries, job } = plan;
  const count = Object.entries(counts).filter(([action, number]) => number > 0 || action === 'create');
  const head = `${isTried ? 'Would ' : ''}${count.map(([action, number]) => `${action} ${number}`).join(', ')}`;
  const lines = entries
    .filter(({ action }) => action !== 'unchanged' && action !== 'wrong')
    .map(({ action, kind, key, fields }) => {
      const names = fields.length > 8 ? [...fields.slice(0, 8), 'and more'] : fields;
      return `  ${action.padEnd(6)}  ${KIND_NAMES[kind].padEnd(9)}  ${key}${names.length > 0 ? `: ${names.join(', ')}` : ''}`;
    });
  const undo = job === null ? [] : [`  enfilade undo ${job} takes this back.`];
  return [head, ...lines, ...undo, ''].join('\n');
}

/**
 * Imports items: they are checked as a whole first, and nothing changes when one is wrong.
 * @throws CliError naming everything that is wrong, with file, line and column
 */
export async function sendImport(items: readonly Item[], options: ImportOptions, send: Send): Promise<ImportPlan> {
  const body = { mode: options.mode, prune: options.prune, dry_run: options.dryRun };
  let plan: ImportPlan;
  try {
    plan = await sendSafely(send, { ...body, items: items.map(({ value }) => value) });
  } catch (error) {
    throw refusal(error, items);
  }
  if (plan.counts.wrong > 0) {
    if (options.json) process.stdout.write(jsonText(plan));
    throw wrongError('Nothing was imported.', 'Correct what is named and import it again.', problemsOf(plan, items));
  }
  return plan;
}

/** Imports items and prints what was done. */
export async function importItems(items: readonly Item[], options: ImportOptions, send: Send): Promise<void> {
  const plan = await sendImport(items, options, send);
  process.stdout.write(options.json ? jsonText(plan) : planText(plan, options.dryRun));
}
