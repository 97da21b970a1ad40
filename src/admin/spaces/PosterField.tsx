import { Button, Group, Input, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { lazy, Suspense, useEffect, useState } from 'react';
import type { Poster as PosterFacts } from '../../contract/entities.ts';
import { showProblem } from '../../ui/notifications.ts';
import { Poster } from '../../ui/Poster.tsx';
import { useSession } from '../../ui/session/session-context.ts';

const MediaManager = lazy(async () => ({ default: (await import('../../ui/media/MediaManager.tsx')).MediaManager }));

/** The image that stands for a space: drawn by itself, unless somebody chooses another. */
export function PosterField({ roomId }: { roomId: number }) {
  const session = useSession();
  const { rooms } = session.client;
  const [poster, setPoster] = useState<PosterFacts | null>(null);
  const [opened, { open, close }] = useDisclosure();
  const params = { id: roomId };
  useEffect(() => {
    rooms.readPoster({ params: { id: roomId } }).then(setPoster, showProblem);
  }, [rooms, roomId]);
  const choose = (file_id: number) => rooms.choosePoster({ params, body: { file_id } }).then(setPoster, showProblem);
  const remove = () => rooms.removePoster({ params }).then(() => setPoster(null), showProblem);
  return (
    <Input.Wrapper
      label="Image"
      description="What stands for the space in lists and, where everybody may see it, in link previews."
      labelElement="div"
    >
      <Group gap="md" mt={8} align="flex-start">
        <Poster url={poster?.small_url} width={240} />
        <Stack gap="xs" align="flex-start">
          <Text size="sm" c="dimmed">
            {poster?.is_chosen
              ? 'Chosen from the media library.'
              : poster
                ? 'Drawn automatically.'
                : 'Drawn automatically once there is something to see.'}
          </Text>
          <Button variant="default" size="xs" onClick={open}>
            Choose image…
          </Button>
          {poster && (
            <Button variant="subtle" color="red" size="xs" onClick={() => void remove()}>
              Remove image
            </Button>
          )}
        </Stack>
      </Group>
      {opened && (
        <Suspense>
          <MediaManager
            opened
            accept={['image']}
            onClose={close}
            onChoose={(file) => {
              close();
              void choose(file.id);
            }}
          />
        </Suspense>
      )}
    </Input.Wrapper>
  );
}
