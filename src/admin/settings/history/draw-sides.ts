import type { Room } from '../../../../engine/document/room.ts';
import type { Client } from '../../../contract/client.ts';
import { CHANGE_SIDES, type Change, type ChangeSide } from '../../../contract/entities.ts';
import { ApiError } from '../../../contract/errors.ts';

/** A state of a space: its image, or a sentence that says why there is none. */
export type DrawnSide = { image: Blob } | { sentence: string };

/** What is there of both states so far. */
export interface DrawnSides {
  before?: DrawnSide;
  after?: DrawnSide;
  /** Where they are seen from, where that is to be said. */
  sentence?: string;
}

/** What is said of a state that the server no longer has. */
export const UNKNOWN: DrawnSide = { sentence: 'How the space was then is no longer known.' };

type Rooms = Record<ChangeSide, Room | null | undefined>;

async function drawRoom(room: Room | null | undefined, font: string, signal: AbortSignal): Promise<DrawnSide> {
  if (room === undefined) return UNKNOWN;
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

/** Whether two images have the same bytes: the same was drawn the same way. */
async function isSameImage({ before, after }: DrawnSides): Promise<boolean> {
  if (!before || !after || !('image' in before && 'image' in after)) return false;
  const [one, other] = await Promise.all([before.image.bytes(), after.image.bytes()]);
  return one.length === other.length && one.every((byte, place) => byte === other[place]);
}

/** The rooms with a camera in front of an element, where one of them has it. */
async function inFrontOf({ before, after }: Rooms, elementId: number): Promise<Rooms | null> {
  const { startingAt, viewInFrontOf } = await import('../../../../engine/tools/in-front-of.ts');
  const view = (before && viewInFrontOf(before, elementId)) ?? (after && viewInFrontOf(after, elementId));
  return view ? { before: before && startingAt(before, view), after: after && startingAt(after, view) } : null;
}

/**
 * Draws the space before and after a change, one after the other, as its visitors find it; from in front of the element that
 * was changed, where visitors who come in see no difference.
 * @param tell told all that is there, each time that more is
 * @param signal ends it; nothing is told from then on
 * @throws ApiError where the server does not answer
 */
export async function drawSides(
  client: Client,
  { id, entity, entity_id }: Change,
  tell: (drawn: DrawnSides) => void,
  signal: AbortSignal,
): Promise<void> {
  const { font_url } = await client.visit.settings().catch(() => ({ font_url: '' }));
  const rooms: Rooms = { before: undefined, after: undefined };
  const drawn: DrawnSides = {};
  for (const side of CHANGE_SIDES) {
    rooms[side] = await readSide(client, id, side);
    drawn[side] = await drawRoom(rooms[side], font_url, signal);
    if (signal.aborted) return;
    tell({ ...drawn });
  }
  if (!(await isSameImage(drawn))) return;
  tell({ ...drawn, sentence: 'From where visitors come in, both look the same.' });
  const near = entity === 'element' ? await inFrontOf(rooms, entity_id) : null;
  if (!near) return;
  const closer: DrawnSides = {};
  for (const side of CHANGE_SIDES) closer[side] = await drawRoom(near[side], font_url, signal);
  const areBoth = CHANGE_SIDES.every((side) => closer[side] && 'image' in closer[side]);
  if (signal.aborted || !areBoth || (await isSameImage(closer))) return;
  tell({ ...closer, sentence: 'Seen from in front of the element: visitors who come in see no difference.' });
}
