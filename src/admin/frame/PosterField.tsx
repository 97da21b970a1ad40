import { Button, Group, Input, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { lazy, Suspense, useEffect, useState } from 'react';
import type { Poster as PosterFacts } from '../../contract/entities.ts';
import { showProblem } from '../../ui/notifications.ts';
import { Poster } from '../../ui/Poster.tsx';
import { useSession } from '../../ui/session/session-context.ts';

const MediaManager = lazy(async () => ({ default: (await import('../../ui/media/MediaManager.tsx')).MediaManager }));

/** What an image can be chosen for, and what is said there. */
const WORDS = {
  rooms: {
    description: 'What stands for the space in lists and, where everybody may see it, in link previews.',
    drawn: 'Drawn automatically.',
    none: 'Drawn automatically once there is something to see.',
  },
  endpoints: {
    description: 'What stands for the structure in lists and, where everybody may see it, in link previews.',
    drawn: '',
    none: 'That of its space.',
  },
  templates: {
    description: 'What stands for the template in lists.',
    drawn: 'Drawn automatically.',
    none: 'Drawn automatically, where the server can draw.',
  },
} as const;

/**
 * The image that stands for a space, a structure or a template, unless somebody chooses another.
 * @param usual address of the image that stands there while none is chosen
 */
export function PosterField({ of, id, usual }: { of: keyof typeof WORDS; id: number; usual?: string | null }) {
  const session = useSession();
  const { [of]: calls } = session.client;
  const words = WORDS[of];
  const [poster, setPoster] = useState<PosterFacts | null>(null);
  const [opened, { open, close }] = useDisclosure();
  useEffect(() => {
    calls.readPoster({ params: { id } }).then(setPoster, showProblem);
  }, [calls, id]);
  const choose = (file_id: number) =>
    calls.choosePoster({ params: { id }, body: { file_id } }).then(setPoster, showProblem);
  const remove = () => calls.removePoster({ params: { id } }).then(() => setPoster(null), showProblem);
  return (
    <Input.Wrapper label="Image" description={words.description} labelElement="div">
      <Group gap="md" mt={8} align="flex-start">
        <Poster url={poster?.small_url ?? usual} width={240} />
        <Stack gap="xs" align="flex-start">
          <Text size="sm" c="dimmed">
            {poster?.is_chosen ? 'Chosen from the media library.' : poster ? words.drawn : words.none}
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
