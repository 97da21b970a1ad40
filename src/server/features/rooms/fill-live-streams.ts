import type { Element, ElementOf } from '../../../../engine/document/element.ts';
import type { Database } from '../../core/db/database.ts';
import { pictureAddress } from '../../providers/live/live-platform.ts';

type Broadcast = ElementOf<'live_stream'>;

/** What a room shows of a live stream. */
interface Stream {
  type: string;
  /** Id of the broadcast on its platform. */
  reference: string;
  player_hls_playback_url: string;
}

const streamIdOf = (element: Element): number | null =>
  element.element === 'live_stream' ? element.config.live_stream_id : null;

function fillLiveStream<T extends Element>(element: T, row: Stream | undefined): T {
  if (!row) return element;
  const filled: Partial<Broadcast['config']> = {
    type: row.type as Broadcast['config']['type'],
    id: row.reference,
    src: pictureAddress(row.player_hls_playback_url),
  };
  return { ...element, config: { ...element.config, ...filled } };
}

/** Fills live stream elements with the platform's current picture; all other elements are returned unchanged. */
export async function fillLiveStreams<T extends Element>(
  db: Database,
  organizationId: number,
  elements: readonly T[],
): Promise<T[]> {
  const ids = [...new Set(elements.map(streamIdOf))].filter((id) => id !== null);
  if (ids.length === 0) return [...elements];
  const streams = await db
    .selectFrom('live_streams')
    .select(['id', 'type', 'reference', 'player_hls_playback_url'])
    .where('organization_id', '=', organizationId)
    .where('id', 'in', ids)
    .execute();
  const rows = new Map(streams.map((row) => [row.id, row]));
  return elements.map((element) => fillLiveStream(element, rows.get(streamIdOf(element) ?? 0)));
}
