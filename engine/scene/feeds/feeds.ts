import { IMAGE_SIDE } from '../../document/constants.ts';
import type { Element } from '../../document/element.ts';
import { arrange } from '../entities/order.ts';
import { describe, readTransform } from '../entities/spawn.ts';
import { announce, feedElement, takeId } from '../entities/transient-elements.ts';
import type { TickInput } from '../tick-input.ts';
import type { FeedItem } from '../visitor-input.ts';
import type { Feed, SceneWorld } from '../world.ts';
import { layoutFeed } from './feed-layout.ts';

/** Maximum number of items a group shows; the rest are ignored. */
const MAX_FEED_ITEMS = 200;
const SIZE = { width: IMAGE_SIDE, height: IMAGE_SIDE };

/**
 * Adds and removes entities for feed items. Runs before `hierarchy`, so that new items are positioned in the same
 * tick.
 */
export function feeds(world: SceneWorld, { input }: TickInput): void {
  if (!input) return;
  for (const each of input) {
    if (each.type === 'feed') fillFeed(world, each.element_id, each.items.slice(0, MAX_FEED_ITEMS));
  }
}

/** Lays out a group's feed again if its layout changed; ignores other elements. */
export function refreshFeed(world: SceneWorld, groupId: number): void {
  const feed = world.transient.feeds.get(groupId);
  const group = world.elements[world.byId.get(groupId) ?? 0];
  if (feed && group?.element === 'group' && group.config.feed_layout !== feed.layout)
    fillFeed(world, groupId, feed.items);
}

function fillFeed(world: SceneWorld, groupId: number, items: readonly FeedItem[]): void {
  const { transient } = world;
  const group = world.elements[world.byId.get(groupId) ?? 0];
  if (group?.element !== 'group' || !group.config.feed_enabled) return;
  const old = transient.feeds.get(groupId);
  const layout = group.config.feed_layout ?? 'zigzag';
  // Each feed of a room gets its own cloud, the same on every visit.
  const places = layoutFeed(layout, items.length, world.seed ^ Math.imul(groupId, 0x9e3779b1), SIZE);
  const known = idsOf(old);
  const elements = items.map((item, index) => {
    const id = known.get(item.file_url)?.shift() ?? takeId(transient);
    return feedElement(id, groupId, item, SIZE, places[index]!);
  });
  transient.feeds.set(groupId, { items, layout, elements });
  const arranged = arrange(world);
  announce(world, arranged);
  const added = new Set(arranged.added);
  const before = new Map(old?.elements.map((element) => [element.id, looksOf(element)]));
  for (const element of elements) {
    const entity = world.byId.get(element.id);
    if (entity === undefined || added.has(entity)) continue;
    // An image that only moved to make room for a newer one isn't redrawn.
    readTransform(world, entity, element);
    if (before.get(element.id) === looksOf(element)) continue;
    describe(world, entity, element);
    world.outbox.push({ type: 'element.changed', element_id: element.id });
  }
  world.version++;
}

/** Everything about an item's element but its position. */
const looksOf = ({ config, width, height }: Element): string => JSON.stringify([config, width, height]);

/** Ids of a feed's images by URL: an image that stays keeps its entity. */
function idsOf(feed: Feed | undefined): Map<string, number[]> {
  const ids = new Map<string, number[]>();
  if (!feed) return ids;
  for (const [index, { file_url }] of feed.items.entries()) {
    const { id } = feed.elements[index]!;
    const same = ids.get(file_url);
    if (same) same.push(id);
    else ids.set(file_url, [id]);
  }
  return ids;
}
