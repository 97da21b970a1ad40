import type { NestedElement } from '../../../../engine/document/element.ts';
import { isOpenAt } from '../../../../engine/document/window.ts';
import type { FeedItem, PublicEndpoint } from '../../../contract/entities.ts';
import { fillText } from '../../../contract/viewer-texts/fill-text.ts';
import type { Language } from '../../../contract/viewer-texts/limits.ts';
import { escapeHtml } from '../../core/html/escape.ts';
import type { Services } from '../../core/services.ts';
import { findFeed, listItems } from '../../features/feeds/queries.ts';
import { freshenFeed } from '../../features/feeds/refresh-feed.ts';
import { LONG, paragraph, shownPicture } from './twin-elements.ts';
import { safeAddress } from './twin-links.ts';
import type { TwinTexts } from './twin-texts.ts';

/** Maximum number of feeds on a text page. */
const MAX_FEEDS = 20;

/** Items by feed id. */
export type TwinFeeds = ReadonlyMap<number, readonly FeedItem[]>;

/** Ids of the feeds of currently visible groups. */
function* feedsIn(elements: readonly NestedElement[], now: number): Generator<number> {
  for (const element of elements) {
    if (!isOpenAt(element, now)) continue;
    if (element.element === 'group' && element.config.feed_enabled && element.config.feed_id !== null)
      yield element.config.feed_id;
    yield* feedsIn(element.children, now);
  }
}

/**
 * Feed items of a room, for a visitor who may enter it. External sources are refreshed as often as for the room itself;
 * unreadable ones are omitted.
 */
export async function readTwinFeeds(
  services: Services,
  organizationId: number,
  endpoint: PublicEndpoint,
): Promise<TwinFeeds> {
  const { room, current_time } = endpoint;
  const ids = room ? [...new Set(feedsIn(room.elements, current_time))].slice(0, MAX_FEEDS) : [];
  const entries = await Promise.all(
    ids.map(async (id): Promise<[number, readonly FeedItem[]]> => {
      const feed = await findFeed(services.db, organizationId, id);
      if (!feed) return [id, []];
      await freshenFeed(services, feed);
      return [id, await listItems(services.db, id)];
    }),
  );
  return new Map(entries);
}

/** A feed item: image, text, author, date, and link. */
export function feedItemHtml(
  { name, message, file_url, link, created_at }: FeedItem,
  language: Language,
  texts: TwinTexts,
): string {
  const shown = shownPicture(file_url);
  const address = safeAddress(link);
  // An item without a name uses a short message as its title.
  const title = name || (message.length < LONG ? message.trim() : '') || texts.textUntitled;
  const picture = shown ? `<img src="${escapeHtml(shown)}" alt="${escapeHtml(title)}" loading="lazy">` : '';
  const moment = Date.parse(created_at);
  const at = Number.isNaN(moment) ? '' : new Date(moment).toISOString();
  const date = at && new Date(moment).toLocaleDateString(language, { dateStyle: 'medium', timeZone: 'UTC' });
  const caption = [
    name && `<strong>${escapeHtml(name)}</strong>`,
    paragraph(message),
    at && `<time datetime="${at}">${escapeHtml(date)}</time>`,
    address &&
      `<a href="${escapeHtml(address)}">${escapeHtml(fillText(language, texts.textMore, { name: title }))}</a>`,
  ].filter(Boolean);
  return `<figure>${picture}<figcaption>${caption.join(' ')}</figcaption></figure>`;
}
