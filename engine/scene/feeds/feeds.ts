import { IMAGE_SIDE } from '../../document/constants.ts';
import type { Element } from '../../document/element.ts';
import { arrange } from '../entities/order.ts';
import { describe, readTransform } from '../entities/spawn.ts';
import { announce, type Feed, feedElement, takeId } from '../entities/transient-elements.ts';
import type { TickInput } from '../tick-input.ts';
import type { FeedItem } from '../visitor-input.ts';
import type { SceneWorld } from '../world.ts';
import { layoutFeed } from './feed-layout.ts';

/** Most items of one feed that a group shows; those behind them are left out. */
const MAX_FEED_ITEMS = 200;
const SIZE = { width: IMAGE_SIDE, height: IMAGE_SIDE };

/**
 * Puts the items of feeds into their groups, as entities, and takes away those that are gone. It stands before
 * `hierarchy`, so that what came is in its place in the same tick.
 */
export function feeds(world: SceneWorld, { input }: TickInput): void {
  if (!input) return;
  for (const each of input) {
    if (each.type === 'feed') fillFeed(world, each.element_id, each.items.slice(0, MAX_FEED_ITEMS));
  }
}

/** Lays a group's feed out anew after its layout changed; nothing happens to other elements. */
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
  // A room's feeds differ, and each is the same in every visit.
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
    // A picture that only moved up, because a newer one came, is not drawn anew.
    readTransform(world, entity, element);
    if (before.get(element.id) === looksOf(element)) continue;
    describe(world, entity, element);
    world.outbox.push({ type: 'element.changed', element_id: element.id });
  }
  world.version++;
}

/** Everything about an item's element besides its place. */
const looksOf = ({ config, width, height }: Element): string => JSON.stringify([config, width, height]);

/** Ids of a feed's pictures by their address: a picture that stays keeps its entity. */
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
