import { SimpleGrid, Skeleton, Stack, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { Change, ChangeSide } from '../../../contract/entities.ts';
import { showProblem } from '../../../ui/notifications.ts';
import { Poster } from '../../../ui/Poster.tsx';
import { useSession } from '../../../ui/session/session-context.ts';
import { type DrawnSide, type DrawnSides, drawSides, UNKNOWN } from './draw-sides.ts';
import classes from './history.module.css';

const TITLES: Record<ChangeSide, string> = { before: 'Before', after: 'After' };

/** An address for an image, for as long as it is shown. */
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

/** One state of the space, under its title. */
function Side({ side, drawn }: { side: ChangeSide; drawn: DrawnSide | undefined }) {
  const url = useAddress(drawn && 'image' in drawn ? drawn.image : null);
  return (
    <Stack component="figure" gap={4} m={0}>
      <Text component="figcaption" size="sm" fw={600}>
        {TITLES[side]}
      </Text>
      {drawn === undefined ? (
        <Skeleton className={classes.side} role="status" aria-label={`${TITLES[side]}: the space is being drawn`} />
      ) : 'image' in drawn ? (
        <Poster url={url} />
      ) : (
        <Text className={classes.side} size="sm" c="dimmed">
          {drawn.sentence}
        </Text>
      )}
    </Stack>
  );
}

/** What the space of a change looks like now, where that may be seen. */
function PresentSpace({ roomId }: { roomId: number }) {
  const { client } = useSession();
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    client.rooms.readPoster({ params: { id: roomId } }).then(
      (poster) => setUrl(poster?.small_url ?? null),
      // It was removed, or may not be seen.
      () => setUrl(null),
    );
  }, [client, roomId]);
  if (!url) return null;
  return (
    <Stack gap={4} mb="md" maw={320}>
      <Poster url={url} />
      <Text size="sm" c="dimmed">
        The space as it is now
      </Text>
    </Stack>
  );
}

/** The space before and after a change, drawn as its visitors find it; as it is now where neither is known. */
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
      {sentence && (
        <Text size="sm" c="dimmed">
          {sentence}
        </Text>
      )}
    </Stack>
  );
}
