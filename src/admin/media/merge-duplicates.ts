import type { Client } from '../../contract/client.ts';
import { MAX_MEDIA_VERSIONS, type Media } from '../../contract/entities.ts';
import { confirm } from '../../ui/confirmation/confirmation-store.ts';
import { sayMessage } from '../../ui/language/say-message.ts';
import { showDone, showNotification, showProblemText } from '../../ui/notifications.ts';
import { countText } from '../stores/list-store.ts';

/** Files per request. */
const FILES_AT_ONCE = 100;

/** All other files with the content of a file. */
async function othersLike({ media }: Client, id: number): Promise<Media[]> {
  const found: Media[] = [];
  for (let page = 1; ; page++) {
    const query = { same_as: id, page, per_page: FILES_AT_ONCE };
    const { data, last_page } = await media.list({ query });
    found.push(...data.filter((file) => file.id !== id));
    if (page >= last_page) return found;
  }
}

/**
 * Keeps one of several files with the same content, after asking: uses of the others move to it, and they are removed.
 * @returns whether anything changed
 * @throws ApiError
 */
export async function keepOne(client: Client, { id, name }: Media): Promise<boolean> {
  const { media } = client;
  const others = await othersLike(client, id);
  if (others.length === 0) {
    showNotification(`No other file has the content of “${name}”.`);
    return false;
  }
  let places = 0;
  for (const other of others) {
    const { uses, hidden } = await media.uses({ params: { id: other.id } });
    places += uses.length + hidden;
  }
  const used =
    places === 0
      ? 'They are not in use.'
      : `They are used in ${countText(places, 'places')}, which will use this file instead.`;
  const yes = await confirm({
    title: `Keep only “${name}”?`,
    text: `${countText(others.length, 'files')} with the same content will be removed. ${used} Their earlier versions become versions of this file; the latest ${MAX_MEDIA_VERSIONS} stay. This cannot be undone.`,
    action: 'Keep only this file',
    destroys: true,
  });
  if (!yes) return false;
  let count = 0;
  try {
    for (let start = 0; start < others.length; start += FILES_AT_ONCE) {
      const ids = others.slice(start, start + FILES_AT_ONCE).map((file) => file.id);
      const { removed, problems } = await media.merge({ params: { id }, body: { ids } });
      count += removed.length;
      for (const problem of problems) showProblemText(sayMessage(problem));
    }
  } finally {
    if (count > 0) showDone(`${countText(count, 'files')} removed.`);
  }
  return true;
}
