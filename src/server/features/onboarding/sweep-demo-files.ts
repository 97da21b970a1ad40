import { RESTORABLE_FOR } from '../../core/changes/change-log.ts';
import { timestampOf } from '../../core/clock.ts';
import { DEMO_NOTE, readNote, writeNote } from '../../core/db/notes.ts';
import type { Services } from '../../core/services.ts';
import { neededOf } from '../media/held-content.ts';
import { deleteMedia } from '../media/media-repository.ts';
import { usesOf } from '../media-library/usage.ts';

/** Removes the files of a demo that was removed, once nothing that they belong to can be restored any more and nothing uses them. */
export async function sweepDemoFiles({ db, clock, media }: Services): Promise<void> {
  const note = await readNote(db, DEMO_NOTE);
  if (!note?.removed_at || note.files.length === 0) return;
  if (note.removed_at > timestampOf(clock.now() - RESTORABLE_FOR)) return;
  for (const id of note.files) {
    const row = await db
      .selectFrom('media')
      .select(['id', 'hash'])
      .where('organization_id', '=', note.organization_id)
      .where('id', '=', id)
      .executeTakeFirst();
    if (!row || (await usesOf(db, note.organization_id, id)).length > 0) continue;
    await deleteMedia(db, id);
    await media.remove(row.hash, () => neededOf(db, row.hash));
  }
  // What is still used by then is used by people: it is theirs.
  await writeNote(db, clock, DEMO_NOTE, { ...note, files: [] });
}
