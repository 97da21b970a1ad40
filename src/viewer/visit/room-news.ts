import type { VisitorInput } from '../../../engine/scene/scene.ts';
import type { FeedItem } from '../../contract/entities.ts';
import { isStatic } from '../address/page-place.ts';
import { load, type VisitedRoom } from './visit-data.ts';
import type { VisitEvents } from './visit-events.ts';

/** Visit data for external sources. */
interface Visitor {
  /** Visit token; null if the room needs none. */
  token: string | null;
  /** Key of the realtime connection. */
  key: string;
  events: VisitEvents;
  send(input: VisitorInput): void;
}

/**
 * Connects a room's external sources: feeds and other visitors. Rooms without them load no code for it.
 * @returns stop function
 */
export function followNews(room: VisitedRoom, { token, key, events, send }: Visitor): () => void {
  const elements = room.elements;
  const following: Promise<() => void>[] = [];
  if (elements.some(({ element, config }) => element === 'group' && config.feed_enabled)) {
    const read = (feedId: number) => load<FeedItem[]>(`/feeds/${feedId}/items`, token);
    following.push(
      import('./feeds.ts').then(({ followFeeds }) =>
        followFeeds(
          room.elements,
          read,
          (element_id, items) => send({ type: 'feed', element_id, items }),
          (refresh) => events.subscribe(({ type }) => type === 'shared' && refresh()),
        ),
      ),
    );
  }
  if (!isStatic && (room.config.realtime || elements.some(({ config }) => config.realtime)))
    following.push(
      import('../presence/follow-others.ts').then(({ followOthers }) =>
        followOthers({ roomId: room.id, key, token, events, send }),
      ),
    );
  return () => {
    for (const each of following) void each.then((stop) => stop());
  };
}
