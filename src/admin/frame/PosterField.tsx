import { Button, Group, Input, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { lazy, Suspense, useEffect, useState } from 'react';
import type { Poster as PosterFacts } from '../../contract/entities.ts';
import { showProblem } from '../../ui/notifications.ts';
import { Poster } from '../../ui/Poster.tsx';
import { useSession } from '../../ui/session/session-context.ts';
import { Quiet } from './text.tsx';

const MediaManager = lazy(async () => ({ default: (await import('../../ui/media/MediaManager.tsx')).MediaManager }));

/** Texts by kind of entry. */
const WORDS = {
  rooms: {
    description: 'Shown in lists and, if the space is public, in link previews.',
    drawn: 'Rendered automatically.',
    none: 'Rendered automatically once the space has content.',
  },
  endpoints: {
    description: 'Shown in lists and, if the structure is public, in link previews.',
    drawn: '',
    none: 'Same as the space.',
  },
  templates: {
    description: 'Shown in lists.',
    drawn: 'Rendered automatically.',
    none: 'Rendered automatically if the server supports it.',
  },
} as const;

/**
 * Image of a space, structure or template; generated unless one is chosen.
 * @param usual URL of the generated image
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
          <Quiet>{poster?.is_chosen ? 'Chosen from the media library.' : poster ? words.drawn : words.none}</Quiet>
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
