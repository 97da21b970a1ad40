import type { Element, ElementOf } from '../../../../engine/document/element.ts';
import type { Database } from '../../core/db/database.ts';
import { pictureAddress } from '../../providers/live/live-platform.ts';
import { findLiveStreams, type LiveStreamRow } from './live-streams-repository.ts';

type Broadcast = ElementOf<'live_stream'>;

const streamIdOf = (element: Element): number | null =>
  element.element === 'live_stream' ? element.config.live_stream_id : null;

function fillLiveStream<T extends Element>(element: T, row: LiveStreamRow | undefined): T {
  if (!row) return element;
  const filled: Partial<Broadcast['config']> = {
    type: row.type as Broadcast['config']['type'],
    id: row.reference,
    src: pictureAddress(row.player_hls_playback_url),
  };
  return { ...element, config: { ...element.config, ...filled } };
}

/**
 * Fills elements that name a live stream of the organization with where its picture is now, whatever was stored with
 * them. Others, and those whose live stream is gone, stay as they are.
 */
export async function fillLiveStreams<T extends Element>(
  db: Database,
  organizationId: number,
  elements: readonly T[],
): Promise<T[]> {
  const ids = [...new Set(elements.map(streamIdOf))].filter((id) => id !== null);
  if (ids.length === 0) return [...elements];
  const rows = new Map((await findLiveStreams(db, organizationId, ids)).map((row) => [row.id, row]));
  return elements.map((element) => fillLiveStream(element, rows.get(streamIdOf(element) ?? 0)));
}
