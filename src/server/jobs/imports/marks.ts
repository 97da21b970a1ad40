import { createHash } from 'node:crypto';
import type { ImportKind } from '../../../contract/entities.ts';
import type { Database } from '../../base/db/database.ts';
import { listElements } from '../../store/elements/elements-repository.ts';
import { findImported } from '../../store/imports/imports-repository.ts';

/** Columns that change without the thing itself changing. */
const LEFT_OUT = new Set(['updated_at', 'created_at', 'revision', 'seq', 'touches', 'last_seen_at']);

/** Values of columns that imports of earlier versions did not have yet. */
const ADDED_LATER: Record<string, unknown> = { shows: 'edited', time_zone: null };

/** The content of a row. A column added later counts only where it has another value than all rows had at first. */
const contentOf = (row: object) =>
  Object.entries(row).filter(
    ([name, value]) => !LEFT_OUT.has(name) && !(name in ADDED_LATER && value === ADDED_LATER[name]),
  );

/**
 * What tells whether a thing has changed: a hash of its content, a room's elements included. A thing that is as it was
 * before has the mark that it had before.
 * @returns undefined where it is gone
 */
export async function markOf(db: Database, kind: ImportKind, id: number): Promise<string | undefined> {
  const row = await findImported(db, kind, id);
  if (!row) return undefined;
  const elements = kind === 'rooms' ? await listElements(db, id) : [];
  return createHash('sha256')
    .update(JSON.stringify([contentOf(row), elements.map(contentOf)]))
    .digest('hex');
}
