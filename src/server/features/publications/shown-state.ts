import { timestampOf } from '../../core/clock.ts';
import type { Database } from '../../core/db/database.ts';
import type { Services } from '../../core/services.ts';
import type { StoredEndpoint } from '../endpoints/endpoints-repository.ts';
import { type FeedUses, feedUsesOf } from '../feeds/feed-uses.ts';
import { findPublished, publishedRevisions } from './publications-repository.ts';
import { revisionFacts } from './published-facts.ts';

/** Which state of a room visitors see. */
export interface ShownState {
  roomId: number;
  /** The revision that is published; null for the room as it is edited. */
  revisionId: number | null;
}

type Showing = Pick<StoredEndpoint, 'organization_id' | 'room_id' | 'shows'>;

/** What a structure shows of its room now; null where it shows none: without a room, or where none is published. */
export async function shownStateOf(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  { organization_id, room_id, shows }: Showing,
): Promise<ShownState | null> {
  if (room_id === null) return null;
  if (shows !== 'published') return { roomId: room_id, revisionId: null };
  const revisionId = await findPublished(db, organization_id, room_id, timestampOf(clock.now()));
  return revisionId === null ? null : { roomId: room_id, revisionId };
}

/**
 * Says of structures what each shows of its room now, like `shownStateOf`. Only what is shown as published is asked for.
 * @param endpoints all that will be asked about
 */
export async function shownStates(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  endpoints: readonly Pick<Showing, 'room_id' | 'shows'>[],
): Promise<(endpoint: Pick<Showing, 'room_id' | 'shows'>) => ShownState | null> {
  const pinned = endpoints.filter(({ shows }) => shows === 'published').map(({ room_id }) => room_id);
  const ids = [...new Set(pinned)].filter((id) => id !== null);
  const published = await publishedRevisions(db, ids, timestampOf(clock.now()));
  return ({ room_id, shows }) => {
    if (room_id === null) return null;
    if (shows !== 'published') return { roomId: room_id, revisionId: null };
    const revisionId = published.get(room_id);
    return revisionId === undefined ? null : { roomId: room_id, revisionId };
  };
}

/** Names a state: the same for the same room and revision. */
export const stateKey = ({ roomId, revisionId }: ShownState): string => `${roomId} ${revisionId ?? ''}`;

/** The feeds that rooms use, by the name of the state that visitors see of them. */
export async function feedUsesOfStates(
  db: Database,
  states: readonly (ShownState & { organizationId: number })[],
): Promise<ReadonlyMap<string, FeedUses>> {
  const edited = [...new Set(states.filter(({ revisionId }) => revisionId === null).map(({ roomId }) => roomId))];
  const uses = new Map<string, FeedUses>();
  for (const [roomId, use] of await feedUsesOf(db, edited)) uses.set(stateKey({ roomId, revisionId: null }), use);
  for (const { organizationId, roomId, revisionId } of states) {
    const key = stateKey({ roomId, revisionId });
    if (revisionId === null || uses.has(key)) continue;
    const facts = await revisionFacts(db, organizationId, revisionId);
    if (facts) uses.set(key, facts.feeds);
  }
  return uses;
}
