import { SimpleGrid, Skeleton, Stack, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { Change, ChangeSide } from '../../../contract/entities.ts';
import { showProblem } from '../../../ui/notifications.ts';
import { Poster } from '../../../ui/Poster.tsx';
import { useSession } from '../../../ui/session/session-context.ts';
import { type DrawnSide, type DrawnSides, drawSides, UNKNOWN } from './draw-sides.ts';
import classes from './history.module.css';

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
        <Text className={classes.side} size="sm" c="dimmed">
          {drawn.sentence}
        </Text>
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
      <Text size="sm" c="dimmed">
        The space now
      </Text>
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
      {sentence && (
        <Text size="sm" c="dimmed">
          {sentence}
        </Text>
      )}
    </Stack>
  );
}
