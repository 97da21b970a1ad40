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

/** Additional invalid items in a response. */
const MAX_WRONG = 1000;

/** The planned action for each item: all are counted, but a response contains a limited number. */
export class PlannedEntries {
  readonly counts = Object.fromEntries(IMPORT_ACTIONS.map((action) => [action, 0])) as ImportPlan['counts'];
  readonly #told: Planned[] = [];
  #wrong = 0;

  /** Adds the action for the next item. */
  push(entry: Planned): void {
    this.counts[entry.action]++;
    if (entry.action === 'wrong' ? ++this.#wrong <= MAX_WRONG : this.#told.length < MAX_REPORTED)
      this.#told.push(entry);
  }

  /** The entries for the response, in processing order. */
  get told(): readonly Planned[] {
    return this.#told;
  }
}

/** Options of every import. */
export interface Switches {
  mode: ImportMode;
  prune: boolean;
}
export type Items<T> = Iterable<T> | AsyncIterable<T>;

/** A running import: one transaction, rolled back on any error. */
export interface Importing {
  db: Database;
  context: SignedInContext;
  switches: Switches;
  /** The action for each item, in item order. */
  entries: PlannedEntries;
  /** Id of the import, for undo. */
  job: number;
  /** Stamp of all writes. */
  at: string;
}

/** Identifies an item in an import's response. */
export type About = Pick<Planned, 'index' | 'kind' | 'key'>;

/** Records the action for an item. */
export function note(
  { entries }: Importing,
  about: About,
  action: Exclude<ImportAction, 'wrong'>,
  { id = null, fields = [] }: { id?: number | null; fields?: string[] } = {},
): void {
  entries.push({ ...about, action, id, fields, problems: [] });
}

/** Validation messages of an item, by field; unrelated errors are rethrown. */
function messagesOf(error: unknown): Messages {
  if (error instanceof ApiError && error.code !== 'forbidden') return error.msg;
  if (error instanceof ZodError) return fromZod(error).msg;
  if (error instanceof DocumentError) return messagesOfDocument(error);
  throw error;
}

/** Limit on reported problems per item. */
const MAX_PROBLEMS = 50;

/** Processes one item and records its problems if that fails. The import continues with the other items. */
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

/** Rejects a repeated name. */
export function once(seen: Set<string>, key: string, field: string): void {
  if (seen.has(key)) throw new ApiError('invalid', { [field]: ['This is in the file twice.'] });
  seen.add(key);
}

/** Rejects existing entities in `create` mode. */
export function refuseExisting({ switches }: Importing, field: string): void {
  if (switches.mode === 'create')
    throw new ApiError('invalid', {
      [field]: ['This already exists. Import it with upsert or replace to change it.'],
    });
}

/** Names of the fields that differ, up to a limit. */
export const fieldsBetween = (before: object, after: object): string[] =>
  Object.keys(changedPaths(before, after)).slice(0, 100);
