import { SimpleGrid, Skeleton, Stack, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { flatRoom, type Room } from '../../../../engine/document/room.ts';
import type { Client } from '../../../contract/client.ts';
import { CHANGE_SIDES, type Change, type ChangeSide } from '../../../contract/entities.ts';
import { ApiError } from '../../../contract/errors.ts';
import { showProblem } from '../../../ui/notifications.ts';
import { Poster } from '../../../ui/Poster.tsx';
import { useSession } from '../../../ui/session/session-context.ts';
import { Quiet } from '../../frame/text.tsx';
import classes from './history.module.css';

/** Image of a state of a space, or why there is none. */
type DrawnSide = { image: Blob } | { sentence: string };

/** Both states, as far as rendered. */
interface DrawnSides {
  before?: DrawnSide;
  after?: DrawnSide;
  /** Note about the viewpoint, if any. */
  sentence?: string;
}

/** For states the server no longer has. */
const UNKNOWN: DrawnSide = { sentence: 'This state of the space is no longer available.' };

type Rooms = Record<ChangeSide, Room | null | undefined>;

async function drawRoom(room: Room | null | undefined, font: string, signal: AbortSignal): Promise<DrawnSide> {
  if (room === undefined) return UNKNOWN;
  if (!room) return { sentence: 'The space did not exist.' };
  if (room.elements.length === 0 && !room.template) return { sentence: 'The space was empty.' };
  const { drawPoster } = await import('../../../../engine/tools/camera/poster.ts');
  const image = await drawPoster(room, font, signal);
  return image ? { image } : { sentence: 'This browser could not render the space.' };
}

/** Renders a state of a space; undefined if unavailable. */
const readSide = (client: Client, id: number, side: ChangeSide): Promise<Room | null | undefined> =>
  client.history.readRoom({ params: { id }, query: { side } }).then(
    (room) => room && flatRoom(room),
    (error: unknown) => {
      if (error instanceof ApiError && error.code === 'not_found') return undefined;
      throw error;
    },
  );

/** Whether two images are byte-identical. Rendering is deterministic. */
async function isSameImage({ before, after }: DrawnSides): Promise<boolean> {
  if (!before || !after || !('image' in before && 'image' in after)) return false;
  const [one, other] = await Promise.all([before.image.bytes(), after.image.bytes()]);
  return one.length === other.length && one.every((byte, place) => byte === other[place]);
}

/** The rooms with the camera in front of an element, if one of them contains it. */
async function inFrontOf({ before, after }: Rooms, elementId: number): Promise<Rooms | null> {
  const { startingAt, viewInFrontOf } = await import('../../../../engine/tools/camera/in-front-of.ts');
  const view = (before && viewInFrontOf(before, elementId)) ?? (after && viewInFrontOf(after, elementId));
  return view ? { before: before && startingAt(before, view), after: after && startingAt(after, view) } : null;
}

/**
 * Renders the space before and after a change from the start view, or in front of the changed element if the start view
 * shows no difference.
 * @param onDrawn called with everything rendered so far
 * @param signal aborts rendering; no calls after that
 * @throws ApiError if the server does not respond
 */
async function drawSides(
  client: Client,
  { id, entity, entity_id }: Change,
  onDrawn: (drawn: DrawnSides) => void,
  signal: AbortSignal,
): Promise<void> {
  const { font_url } = await client.visit.settings().catch(() => ({ font_url: '' }));
  const rooms: Rooms = { before: undefined, after: undefined };
  const drawn: DrawnSides = {};
  for (const side of CHANGE_SIDES) {
    rooms[side] = await readSide(client, id, side);
    drawn[side] = await drawRoom(rooms[side], font_url, signal);
    if (signal.aborted) return;
    onDrawn({ ...drawn });
  }
  if (!(await isSameImage(drawn))) return;
  onDrawn({ ...drawn, sentence: 'Both look the same from the start view.' });
  const near = entity === 'element' ? await inFrontOf(rooms, entity_id) : null;
  if (!near) return;
  const closer: DrawnSides = {};
  for (const side of CHANGE_SIDES) closer[side] = await drawRoom(near[side], font_url, signal);
  const areBoth = CHANGE_SIDES.every((side) => closer[side] && 'image' in closer[side]);
  if (signal.aborted || !areBoth || (await isSameImage(closer))) return;
  onDrawn({ ...closer, sentence: 'Seen from in front of the element. The start view shows no difference.' });
}

const TITLES: Record<ChangeSide, string> = { before: 'Before', after: 'After' };

/** Object URL of a blob, revoked on unmount. */
function useAddress(image: Blob | null): string | null {
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    if (!image) return;
    const made = URL.createObjectURL(image);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [image]);
  return url;
}

/** One state of the space with its title. */
function Side({ side, drawn }: { side: ChangeSide; drawn: DrawnSide | undefined }) {
  const url = useAddress(drawn && 'image' in drawn ? drawn.image : null);
  return (
    <Stack component="figure" gap={4} m={0}>
      <Text component="figcaption" size="sm" fw={600}>
        {TITLES[side]}
      </Text>
      {drawn === undefined ? (
        <Skeleton className={classes.side} role="status" aria-label={`${TITLES[side]}: rendering the space`} />
      ) : 'image' in drawn ? (
        <Poster url={url} />
      ) : (
        <Quiet className={classes.side}>{drawn.sentence}</Quiet>
      )}
    </Stack>
  );
}

/** Current image of the space, if the user may see it. */
function PresentSpace({ roomId }: { roomId: number }) {
  const { client } = useSession();
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    client.rooms.readPoster({ params: { id: roomId } }).then(
      (poster) => setUrl(poster?.small_url ?? null),
      // It was removed, or the user may not see it.
      () => setUrl(null),
    );
  }, [client, roomId]);
  if (!url) return null;
  return (
    <Stack gap={4} mb="md" maw={320}>
      <Poster url={url} />
      <Quiet>The space now</Quiet>
    </Stack>
  );
}

/** The space before and after a change; its current image if neither is available. */
export function ChangePictures({ change }: { change: Change }) {
  const session = useSession();
  const { client } = session;
  const [drawn, setDrawn] = useState<DrawnSides>({});
  const isDrawn = change.has_room && session.may('rooms', 'view_any');
  useEffect(() => {
    if (!isDrawn) return;
    const closed = new AbortController();
    drawSides(client, change, setDrawn, closed.signal).catch(showProblem);
    return () => closed.abort();
  }, [client, change, isDrawn]);
  const { before, after, sentence } = drawn;
  if (!isDrawn || (before === UNKNOWN && after === UNKNOWN))
    return change.room_id === null ? null : <PresentSpace roomId={change.room_id} />;
  return (
    <Stack gap="xs" mb="md">
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
        <Side side="before" drawn={before} />
        <Side side="after" drawn={after} />
      </SimpleGrid>
      {sentence && <Quiet>{sentence}</Quiet>}
    </Stack>
  );
}
