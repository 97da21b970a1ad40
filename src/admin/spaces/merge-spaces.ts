import type { Client } from '../../contract/client.ts';
import type { TourMergePlan } from '../../contract/entities.ts';
import { ApiError } from '../../contract/errors.ts';
import { confirm } from '../../ui/confirmation/confirmation-store.ts';
import { sayMessage } from '../../ui/language/say-message.ts';
import { showNotification, showProblem } from '../../ui/notifications.ts';

/** Maximum number of redirects that the question names. */
const MAX_NAMED = 5;

/** The plan as sentences. */
function planText({ places, address, redirects, notes }: TourMergePlan): string {
  const links = places.reduce((sum, place) => sum + place.links.length, 0);
  const names = places.map(({ name }) => `“${name}”`).join(', ');
  const nameOf = new Map(places.map((place) => [place.room_id, place.name]));
  const moved = redirects.slice(0, MAX_NAMED).map(({ path, room_id }) => `${path} leads to “${nameOf.get(room_id)}”`);
  const more = redirects.length > MAX_NAMED ? `, and ${redirects.length - MAX_NAMED} more` : '';
  return [
    `A new tour with the places ${names}. ${links === 1 ? '1 door becomes a link' : `${links} doors become links`}.`,
    ...(address === null ? [] : [`${address} will show the tour.`]),
    ...(moved.length === 0 ? [] : [`${moved.join(', ')}${more}.`]),
    ...notes.map(sayMessage),
    'You can undo it afterwards.',
  ].join(' ');
}

/**
 * Merges spaces into a tour after showing the plan.
 * @param reload shows the list again
 * @returns problems; null if canceled
 */
export async function mergeSpaces(
  client: Client,
  ids: readonly number[],
  reload: () => Promise<void>,
): Promise<string[] | null> {
  const rooms = [...ids];
  try {
    const planned = `Plan ${crypto.randomUUID()}`;
    const plan = await client.tours.merge({ body: { name: planned, rooms, dry_run: true } });
    const text = planText(plan);
    if (!(await confirm({ title: `Merge ${rooms.length} spaces into a tour?`, text, action: 'Merge' }))) return null;
    const name = await freeName(client, `${plan.places[0]!.name} tour`);
    const made = await client.tours.merge({ body: { name, rooms }, idempotencyKey: crypto.randomUUID() });
    await reload();
    showNotification(`“${name}” added.`, {
      label: 'Undo',
      act: () => {
        const undo = async () => {
          await client.imports.undo({ params: { id: made.job! }, body: {} });
          await reload();
        };
        undo().catch(showProblem);
      },
    });
    return [];
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 'invalid')) throw error;
    return [error.message];
  }
}

/** A name that no other space has. */
async function freeName(client: Client, name: string): Promise<string> {
  const { data } = await client.rooms.list({ query: { search: name } });
  const taken = new Set(data.map((room) => room.name));
  for (let number = 2; ; number++) {
    const wanted = number === 2 ? name : `${name} ${number - 1}`;
    if (!taken.has(wanted)) return wanted;
  }
}
