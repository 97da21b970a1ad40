import type { Element } from '../../../engine/document/element.ts';
import type { FeedItem as SceneItem } from '../../../engine/scene/visitor-input.ts';
import type { FeedItem } from '../../contract/entities.ts';
import { logProblem } from '../reports/console.ts';
import { languageTag } from '../texts/say.ts';

/** Polling interval of feeds in milliseconds. */
const REFRESH = 60_000;

/** Group ids by feed id. */
export function feedsOf(elements: readonly Element[]): Map<number, number[]> {
  const feeds = new Map<number, number[]>();
  for (const { id, element, config } of elements) {
    if (element !== 'group' || !config.feed_enabled || config.feed_id === null) continue;
    feeds.set(config.feed_id, [...(feeds.get(config.feed_id) ?? []), id]);
  }
  return feeds;
}

/** Maximum caption length; the slider shows the full text. */
const CAPTION = 120;

const shorten = (text: string): string =>
  text.length > CAPTION ? `${text.slice(0, CAPTION - 1).toWellFormed()}…` : text;

/** Converts an API item to a group item. */
function sceneItem({ name, message, file_url, width, height, created_at }: FeedItem): SceneItem {
  const date = new Date(created_at);
  return {
    file_url,
    text: message,
    author: name,
    // Without an image, show the text itself.
    ...(file_url !== '' && message !== '' && { title: shorten(message) }),
    ...(width !== null && height !== null && { width, height }),
    ...(!Number.isNaN(date.getTime()) && { date: date.toLocaleDateString(languageTag) }),
  };
}

/**
 * Fills groups from their feeds, and polls every minute while the page is visible. On errors, the content stays.
 * @param read loads a feed's items
 * @param fill called with a group's id and all items when they changed
 * @param onShared subscribes to the visitor's own messages, which show immediately; returns unsubscribe
 * @returns stop function
 */
export function followFeeds(
  elements: readonly Element[],
  read: (feedId: number) => Promise<readonly FeedItem[]>,
  fill: (groupId: number, items: readonly SceneItem[]) => void,
  onShared: (refresh: () => void) => () => void,
): () => void {
  const feeds = feedsOf(elements);
  const known = new Map<number, string>();
  const failing = new Set<number>();
  let stopped = false;
  const refresh = async (feedId: number, groups: readonly number[]) => {
    try {
      const items = await read(feedId);
      failing.delete(feedId);
      const text = JSON.stringify(items);
      if (stopped || known.get(feedId) === text) return;
      known.set(feedId, text);
      for (const group of groups) fill(group, items.map(sceneItem));
    } catch (error) {
      // Log once, not on every poll.
      if (!stopped && !failing.has(feedId)) logProblem(String(error), { feed_id: feedId });
      failing.add(feedId);
    }
  };
  const refreshAll = () => {
    if (!document.hidden) for (const [feedId, groups] of feeds) void refresh(feedId, groups);
  };
  refreshAll();
  const timer = setInterval(refreshAll, REFRESH);
  const unsubscribe = onShared(refreshAll);
  return () => {
    stopped = true;
    clearInterval(timer);
    unsubscribe();
  };
}
