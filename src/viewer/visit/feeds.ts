import type { Element } from '../../../engine/document/element.ts';
import { walk } from '../../../engine/document/tree.ts';
import type { FeedItem as SceneItem } from '../../../engine/scene/visitor-input.ts';
import type { FeedItem } from '../../contract/entities.ts';
import { logProblem } from '../reports/console.ts';

/** Milliseconds between two looks at the feeds of a room. */
const REFRESH = 60_000;

/** Ids of the groups that a feed fills, by the feed's id. */
export function feedsOf(elements: readonly Element[]): Map<number, number[]> {
  const feeds = new Map<number, number[]>();
  for (const { id, element, config } of walk(elements)) {
    if (element !== 'group' || !config.feed_enabled || config.feed_id === null) continue;
    feeds.set(config.feed_id, [...(feeds.get(config.feed_id) ?? []), id]);
  }
  return feeds;
}

/** Characters of a message under its picture; the slider shows all of it. */
const CAPTION = 120;

const shorten = (text: string): string =>
  text.length > CAPTION ? `${text.slice(0, CAPTION - 1).toWellFormed()}…` : text;

/** An item of the API as a group shows it. */
function sceneItem({ name, message, file_url, width, height, created_at }: FeedItem): SceneItem {
  const date = new Date(created_at);
  return {
    file_url,
    text: message,
    author: name,
    // Without a picture the words are shown themselves.
    ...(file_url !== '' && message !== '' && { title: shorten(message) }),
    ...(width !== null && height !== null && { width, height }),
    ...(!Number.isNaN(date.getTime()) && { date: date.toLocaleDateString() }),
  };
}

/**
 * Fills a room's groups with their feeds, and looks again every minute while the page is seen. What cannot be read
 * stays as it was.
 * @param read gives what a feed holds
 * @param fill told a group's id and everything that its feed now holds, when that changed
 * @param onShared calls what it is given when the visitor added something, which is to be seen at once; returns what ends that
 * @returns a function that stops
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
      // Said once, not every minute.
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
