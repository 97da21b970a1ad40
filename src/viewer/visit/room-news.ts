import { walk } from '../../../engine/document/tree.ts';
import type { VisitorInput } from '../../../engine/scene/scene.ts';
import type { FeedItem, PublicRoom } from '../../contract/entities.ts';
import { load } from './visit-data.ts';
import type { VisitEvents } from './visit-events.ts';

/** What comes into a room from outside needs of the visit. */
interface Visitor {
  /** Token of the visit; null where the room asks for none. */
  token: string | null;
  /** Key of the realtime connection. */
  key: string;
  events: VisitEvents;
  send(input: VisitorInput): void;
}

/**
 * Brings into a room what comes from outside: the items of its feeds, and other visitors. Rooms without them load
 * nothing for it.
 * @returns a function that stops
 */
export function followNews(room: PublicRoom, { token, key, events, send }: Visitor): () => void {
  const elements = [...walk(room.elements)];
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
  if (room.config.realtime || elements.some(({ config }) => config.realtime))
    following.push(
      import('../presence/follow-others.ts').then(({ followOthers }) =>
        followOthers({ roomId: room.id, key, token, events, send }),
      ),
    );
  return () => {
    for (const each of following) void each.then((stop) => stop());
  };
}
