import { z } from 'zod';
import { type Clock, timestampOf } from '../clock.ts';
import type { Database } from './database.ts';

/** Notes about the whole installation, by name. */
const NOTES = {
  /** A known text, encrypted with the installation's key. */
  key_check: z.object({ sealed: z.string() }),
  /** End of the last successful and the last failed backup. */
  last_backup: z.object({ done: z.string().nullable(), failed: z.string().nullable() }),
  /** Contents of the demo, and when it was deleted. */
  demo: z.object({
    organization_id: z.number(),
    /** Hashes by kind and id that reveal whether a part of the demo was edited. */
    parts: z.record(z.enum(['structure', 'space', 'template', 'feed']), z.record(z.string(), z.string())),
    files: z.array(z.number()),
    removed_at: z.string().nullable(),
  }),
};

type NoteName = keyof typeof NOTES;
type Note<N extends NoteName> = z.output<(typeof NOTES)[N]>;

export const KEY_NOTE = 'key_check';
export const BACKUP_NOTE = 'last_backup';
export const DEMO_NOTE = 'demo';

/** A note; null if there is none. */
export async function readNote<N extends NoteName>(db: Database, name: N): Promise<Note<N> | null> {
  const row = await db.selectFrom('installation_notes').select('value').where('name', '=', name).executeTakeFirst();
  return row ? (NOTES[name].parse(JSON.parse(row.value)) as Note<N>) : null;
}

/**
 * Writes a note.
 * @param isFirst whether an existing note is preserved
 */
export async function writeNote<N extends NoteName>(
  db: Database,
  clock: Clock,
  name: N,
  note: Note<N>,
  { isFirst = false } = {},
): Promise<void> {
  const value = JSON.stringify(note);
  const updated_at = timestampOf(clock.now());
  await db
    .insertInto('installation_notes')
    .values({ name, value, updated_at })
    .onConflict((conflict) => {
      const same = conflict.column('name');
      return isFirst ? same.doNothing() : same.doUpdateSet({ value, updated_at });
    })
    .execute();
}
