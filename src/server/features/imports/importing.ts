import { ZodError } from 'zod';
import { changedPaths } from '../../../../engine/document/field-paths.ts';
import { DocumentError } from '../../../../engine/document/room.ts';
import {
  IMPORT_ACTIONS,
  type ImportAction,
  type ImportMode,
  type ImportPlan,
  MAX_REPORTED,
  type Planned,
} from '../../../contract/entities.ts';
import { ApiError, type Messages } from '../../../contract/errors.ts';
import type { Database } from '../../core/db/database.ts';
import { messagesOfDocument } from '../../core/files/inspect/items/read-elements.ts';
import { fromZod } from '../../core/http/as-api-error.ts';
import type { SignedInContext } from '../../core/http/call-context.ts';

/** Wrong things that are told besides the others. */
const MAX_WRONG = 1000;

/** What an import does with each thing: all are counted, and as many told as fit into an answer. */
export class PlannedEntries {
  readonly counts = Object.fromEntries(IMPORT_ACTIONS.map((action) => [action, 0])) as ImportPlan['counts'];
  readonly #told: Planned[] = [];
  #wrong = 0;

  /** Notes what is done with the next thing. */
  push(entry: Planned): void {
    this.counts[entry.action]++;
    if (entry.action === 'wrong' ? ++this.#wrong <= MAX_WRONG : this.#told.length < MAX_REPORTED)
      this.#told.push(entry);
  }

  /** Those that are told, in the order in which they were done. */
  get told(): readonly Planned[] {
    return this.#told;
  }
}

/** What every import is told. */
export interface Switches {
  mode: ImportMode;
  prune: boolean;
}

/** Things to import, one after another. */
export type Items<T> = Iterable<T> | AsyncIterable<T>;

/** One import while it is done: in one transaction, which an error undoes as a whole. */
export interface Importing {
  db: Database;
  context: SignedInContext;
  switches: Switches;
  /** What is done with each thing, in the order of the items. */
  entries: PlannedEntries;
  /** Id of the import, under which it is undone. */
  job: number;
  /** Stamp of everything that it writes. */
  at: string;
}

/** What an import says of one thing. */
export type About = Pick<Planned, 'index' | 'kind' | 'key'>;

/** Notes what is done with a thing. */
export function note(
  { entries }: Importing,
  about: About,
  action: Exclude<ImportAction, 'wrong'>,
  { id = null, fields = [] }: { id?: number | null; fields?: string[] } = {},
): void {
  entries.push({ ...about, action, id, fields, problems: [] });
}

/** What is wrong with an item, by field; anything that is not about the item is thrown on. */
function messagesOf(error: unknown): Messages {
  if (error instanceof ApiError && error.code !== 'forbidden') return error.msg;
  if (error instanceof ZodError) return fromZod(error).msg;
  if (error instanceof DocumentError) return messagesOfDocument(error);
  throw error;
}

/** Problems that are told of one item. */
const MAX_PROBLEMS = 50;

/** Does one item, and notes what is wrong with it where it cannot be done. The others are looked at all the same. */
export async function attempt(importing: Importing, about: About, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    const problems = Object.entries(messagesOf(error)).flatMap(([path, texts]) =>
      texts.map((reason) => ({ path: path === 'error' ? '' : path, reason })),
    );
    const fields = { id: null, fields: [], problems: problems.slice(0, MAX_PROBLEMS) };
    importing.entries.push({ ...about, action: 'wrong', ...fields });
  }
}

/** Refuses an item whose name came further up. */
export function once(seen: Set<string>, key: string, field: string): void {
  if (seen.has(key)) throw new ApiError('invalid', { [field]: ['This is in the file twice.'] });
  seen.add(key);
}

/** Refuses what is there already, where only new things are to be added. */
export function refuseExisting({ switches }: Importing, field: string): void {
  if (switches.mode === 'create')
    throw new ApiError('invalid', {
      [field]: ['This is there already. Import it with upsert or replace to change it.'],
    });
}

/** Names of the fields in which two things differ, at most a few. */
export const fieldsBetween = (before: object, after: object): string[] =>
  Object.keys(changedPaths(before, after)).slice(0, 100);
