import { z } from 'zod';
import type { Database } from '../../core/db/database.ts';
import { forUpdate } from '../../core/db/for-update.ts';

/** What a user has chosen for themselves in the back-office. */
const preferencesSchema = z.object({
  /** Whether the first steps are shown no more. */
  is_onboarding_dismissed: z.boolean().default(false),
});
type Preferences = z.output<typeof preferencesSchema>;

export async function readPreferences(db: Database, userId: number): Promise<Preferences> {
  const row = await db.selectFrom('users').select('preferences').where('id', '=', userId).executeTakeFirst();
  return preferencesSchema.parse(JSON.parse(row?.preferences ?? '{}'));
}

/** Changes the preferences that are named. They are nobody else's business: the change log does not follow them. */
export async function storePreferences(
  database: Database,
  userId: number,
  changes: Partial<Preferences>,
): Promise<void> {
  await database.transaction().execute(async (db) => {
    await forUpdate(db, db.selectFrom('users').select('id').where('id', '=', userId)).execute();
    const preferences = JSON.stringify({ ...(await readPreferences(db, userId)), ...changes });
    await db.updateTable('users').set({ preferences }).where('id', '=', userId).execute();
  });
}
