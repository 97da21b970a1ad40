import { randomUUID } from 'node:crypto';
import type { ImportPlan } from '../../src/contract/entities.ts';
import type { Connection } from '../connection.ts';
import { type SendFile, sendItems } from '../imports/import-file.ts';
import { refuseWrong } from '../imports/send-import.ts';
import type { Item } from '../io/read-items.ts';
import type { Change, Comparison, Pair } from './compare.ts';
import type { Kind } from './format.ts';
import type { Archive } from './read-archive.ts';
import type { ServerSnapshot } from './read-server.ts';
import type { Json } from './snapshot.ts';
import type { UndoList } from './undo-list.ts';

/** An import in progress. */
export interface Work {
  connection: Connection;
  /** Name of the export for messages. */
  file: string;
  archive: Archive;
  server: ServerSnapshot;
  comparison: Comparison;
  undo: UndoList;
  prune: boolean;
  /** Whether only JSON is printed. */
  isQuiet: boolean;
  /** Ids on the server by key, including those of new entries. */
  ids: Record<Kind, Map<string, number>>;
  /** What needs attention afterwards. */
  remarks: string[];
  /** Finished steps, for messages. */
  done: string[];
}

/** Entries that are to be created, changed or removed. */
export const changesOf = ({ comparison }: Work, kind: Kind, action: Change['action']): Change[] =>
  comparison.changes.filter((change) => change.kind === kind && change.action === action);

/** Entries of both sides. */
export const pairsOf = ({ comparison }: Work, kind: Kind): Pair[] =>
  comparison.pairs.filter((pair) => pair.kind === kind);

/** Records a finished step. */
export function noteDone({ done }: Work, count: number, noun: string): void {
  if (count > 0) done.push(`${count} ${noun}${count === 1 ? '' : 's'}`);
}

/** Limits on the characters and on the number of items of a job. */
const MAX_CHARACTERS = 64 * 1024 * 1024;
const MAX_ITEMS = 5000;

async function* chunked(documents: Iterable<Json> | AsyncIterable<Json>): AsyncGenerator<Json[]> {
  let part: Json[] = [];
  let size = 0;
  for await (const document of documents) {
    const { length } = JSON.stringify(document);
    if (part.length === MAX_ITEMS || (part.length > 0 && size + length > MAX_CHARACTERS)) {
      yield part;
      part = [];
      size = 0;
    }
    part.push(document);
    size += length;
  }
  if (part.length > 0) yield part;
}

/**
 * Imports documents as one job, or as several if there are many. Each is all or nothing, and can be undone.
 * @returns the ids of the documents, in order
 * @throws CliError with all problems
 */
export async function sendDocuments(
  { undo, file, isQuiet }: Work,
  documents: Iterable<Json> | AsyncIterable<Json>,
  send: SendFile,
  { mode = 'replace' as 'replace' | 'upsert' } = {},
): Promise<(number | null)[]> {
  const ids: (number | null)[] = [];
  for await (const part of chunked(documents)) {
    const items = part.map((value): Item => ({ value, file, line: 1, isRow: false }));
    const options = { mode, prune: false, dryRun: false, yes: true, json: isQuiet };
    const { plan, places } = await sendItems(items, options, send);
    refuseWrong(plan, (index) => places.at(index));
    if (plan.job !== null) await undo.add({ do: 'undo_job', job: plan.job, force: false });
    ids.push(...idsIn(plan, part.length));
  }
  return ids;
}

function idsIn({ entries }: ImportPlan, count: number): (number | null)[] {
  const ids = new Array<number | null>(count).fill(null);
  for (const { index, id } of entries) if (index !== null) ids[index] = id;
  return ids;
}

/** Removes entities of a kind in one job. */
export async function removeInJob(
  { connection: { client }, undo }: Work,
  kind: 'rooms' | 'templates' | 'endpoints' | 'users' | 'access_tokens',
  ids: number[],
): Promise<void> {
  const MAX_REMOVED = 10_000;
  for (let from = 0; from < ids.length; from += MAX_REMOVED) {
    const body = { kind, ids: ids.slice(from, from + MAX_REMOVED) };
    const plan = await client.imports.remove({ body, idempotencyKey: randomUUID() });
    refuseWrong(plan, () => undefined);
    if (plan.job !== null) await undo.add({ do: 'undo_job', job: plan.job, force: false });
  }
}
