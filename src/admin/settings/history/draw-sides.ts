import type { Room } from '../../../../engine/document/room.ts';
import type { Client } from '../../../contract/client.ts';
import type { Change, ChangeSide } from '../../../contract/entities.ts';
import { ApiError } from '../../../contract/errors.ts';

/** A state of a space: its image, or a sentence that says why there is none. */
export type DrawnSide = { image: Blob } | { sentence: string };

/** What is told of each side once it is there. */
type Tell = (side: ChangeSide, drawn: DrawnSide) => void;

/** What is said of a state that the server no longer has. */
export const UNKNOWN: DrawnSide = { sentence: 'How the space was then is no longer known.' };

async function drawRoom(room: Room | null, font: string, signal: AbortSignal): Promise<DrawnSide> {
  if (!room) return { sentence: 'The space was not there.' };
  if (room.elements.length === 0 && !room.template) return { sentence: 'The space was empty.' };
  const { drawPoster } = await import('../../../../engine/tools/poster.ts');
  const image = await drawPoster(room, font, signal);
  return image ? { image } : { sentence: 'This browser could not draw the space.' };
}

/** A state of a space; undefined where it is no longer known. */
const readSide = (client: Client, id: number, side: ChangeSide): Promise<Room | null | undefined> =>
  client.history.readRoom({ params: { id }, query: { side } }).catch((error: unknown) => {
    if (error instanceof ApiError && error.code === 'not_found') return undefined;
    throw error;
  });

/**
 * Draws the space before and after a change, one after the other, as its visitors find it.
 * @param signal ends it; nothing is told from then on
 * @throws ApiError where the server does not answer
 */
export async function drawSides(client: Client, { id }: Change, tell: Tell, signal: AbortSignal): Promise<void> {
  const { font_url } = await client.visit.settings().catch(() => ({ font_url: '' }));
  for (const side of ['before', 'after'] as const) {
    if (signal.aborted) return;
    const room = await readSide(client, id, side);
    const drawn = room === undefined ? UNKNOWN : await drawRoom(room, font_url, signal);
    if (!signal.aborted) tell(side, drawn);
  }
}
