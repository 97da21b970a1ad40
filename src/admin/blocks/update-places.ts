import type { Client } from '../../contract/client.ts';
import type { Block, BlockPlace } from '../../contract/entities.ts';
import { choose, confirm } from '../../ui/confirmation/confirmation-store.ts';
import { showNotification, showProblemText } from '../../ui/notifications.ts';
import { offerReversal, runBulk } from '../stores/bulk.ts';
import { countText } from '../stores/list-store.ts';

/** Maximum number of changed places that are named. */
const MAX_NAMED = 5;

const placeText = ({ name, room, element_id }: BlockPlace): string => `“${name || `Group ${element_id}`}” in ${room}`;

/** Counts of a block's places in spaces, by their state. */
interface Places {
  /** Number of places with an earlier version and no changes of their own. */
  outdated: number;
  /** Places with changes of their own. */
  changed: BlockPlace[];
}

async function readPlaces(client: Client, { id, version }: Block): Promise<Places> {
  const found: Places = { outdated: 0, changed: [] };
  for (let page = 1, last = 1; page <= last; page++) {
    const { data, meta } = await client.blocks.places({ params: { id }, query: { page, per_page: 100 } });
    found.changed.push(...data.filter(({ is_changed }) => is_changed));
    found.outdated += data.filter((place) => !place.is_changed && place.version < version).length;
    last = meta.last_page;
  }
  return found;
}

const VISITORS = 'Structures that show the latest edits change at once, others when the published version is replaced.';

/** Asks what happens to places with changes of their own. @returns null if the update is canceled */
async function askOverwrite({ name }: Block, { outdated, changed }: Places): Promise<boolean | null> {
  const title = `Update the places of “${name}”?`;
  const update = `${countText(outdated, 'places')} with an earlier version will get the newest one.`;
  if (changed.length === 0) {
    const text = `${update} ${VISITORS}`;
    return (await confirm({ title, text, action: 'Update' })) ? false : null;
  }
  const named = changed.slice(0, MAX_NAMED).map(placeText).join(', ');
  const more = changed.length - MAX_NAMED;
  const own = `${countText(changed.length, 'places')} ${changed.length === 1 ? 'has changes of its' : 'have changes of their'} own: ${named}${more > 0 ? ` and ${more} more` : ''}.`;
  // Nothing would be left to update if they were skipped.
  if (outdated === 0)
    return (await confirm({ title, text: `${own} ${VISITORS}`, action: 'Overwrite changes' })) ? true : null;
  const answer = await choose({
    title,
    text: `${update} ${own} ${VISITORS}`,
    action: 'Skip changed places',
    alternative: 'Overwrite changes',
  });
  return answer === null ? null : answer === 'alternative';
}

/**
 * Updates all places of a block after confirmation, and offers to undo it.
 * @param reload reloads the screen
 */
export async function updatePlaces(client: Client, block: Block, reload: () => Promise<unknown>): Promise<void> {
  const places = await readPlaces(client, block);
  if (places.outdated === 0 && places.changed.length === 0) {
    showNotification('All places are up to date.');
    return;
  }
  const overwrite = await askOverwrite(block, places);
  if (overwrite === null) return;
  const { room_ids } = await client.blocks.read({ params: { id: block.id } });
  const fields = { block_id: block.id, overwrite };
  const run = { action: 'rooms.update_block', fields } as const;
  const { changed: rooms, restorable, problems } = await runBulk(client, room_ids, run);
  await reload();
  for (const problem of problems) showProblemText(problem);
  const done = `“${block.name}” updated in ${countText(rooms.length, 'spaces')}.`;
  if (rooms.length > 0) offerReversal(client, restorable, { done, reload });
  else showNotification(`No place of “${block.name}” was updated.`);
}
