import { setTimeout as wait } from 'node:timers/promises';
import { timestampOf } from '../../core/clock.ts';
import type { Services } from '../../core/services.ts';
import { listUndrawn, planDrawing, QUIET } from '../posters/queries.ts';
import { findChromium } from './chromium.ts';

/** Milliseconds between two looks at a drawing. */
const INTERVAL = 500;
/** Maximum milliseconds that a caller waits. */
const PATIENCE = 60_000;

/**
 * Has the poster of a space drawn without waiting for changes to rest, and waits for it.
 * @returns whether the poster shows the space as it is: false if it wasn't drawn in time, such as without Chromium
 */
export async function drawNow(
  { db, clock, settings }: Pick<Services, 'db' | 'clock' | 'settings'>,
  roomId: number,
  signal: AbortSignal,
): Promise<boolean> {
  const { program } = await findChromium(settings.CHROMIUM, settings.CHROMIUM_SANDBOX);
  for (let waited = 0; waited < PATIENCE; waited += INTERVAL) {
    // Changes in the meantime are drawn, too: the current version counts.
    const undrawn = (await listUndrawn(db, 'room_id', roomId - 1, 1)).undrawn.find(({ id }) => id === roomId);
    if (!undrawn) return true;
    if (program === null) return false;
    const now = timestampOf(clock.now());
    await planDrawing(db, clock, undrawn, now);
    // Those that wait for changes to rest; drawings in progress are due again much later.
    await db
      .updateTable('poster_drawings')
      .set({ next_at: now })
      .where('room_id', '=', roomId)
      .where('attempts', '=', 0)
      .where('next_at', '>', now)
      .where('next_at', '<=', timestampOf(clock.now() + QUIET))
      .execute();
    const planned = await db
      .selectFrom('poster_drawings')
      .select(['attempts', 'next_at'])
      .where('room_id', '=', roomId)
      .executeTakeFirst();
    // Failed drawings have their own times for the next attempt.
    if (planned && (planned.attempts > 0 || planned.next_at === null)) return false;
    await wait(INTERVAL, undefined, { signal });
  }
  return false;
}
