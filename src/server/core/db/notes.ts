import { z } from 'zod';
import { type Clock, timestampOf } from '../clock.ts';
import type { Database } from './database.ts';

/** What is noted of the whole installation, by name. */
const NOTES = {
  /** A known text, sealed with the key of the installation. */
  key_check: z.object({ sealed: z.string() }),
  /** When a backup last ended, by how. */
  last_backup: z.object({ done: z.string().nullable(), failed: z.string().nullable() }),
  /** What the demo was made of, and when it was removed. */
  demo: z.object({
    organization_id: z.number(),
    /** By kind and id, what tells whether a part of the demo is as it was made. */
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

/** What was noted; null where nothing was. */
export async function readNote<N extends NoteName>(db: Database, name: N): Promise<Note<N> | null> {
  const row = await db.selectFrom('installation_notes').select('value').where('name', '=', name).executeTakeFirst();
  return row ? (NOTES[name].parse(JSON.parse(row.value)) as Note<N>) : null;
}

/**
 * Notes something.
 * @param isFirst whether what was noted before stays
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
