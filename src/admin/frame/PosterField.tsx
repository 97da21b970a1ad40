import { Button, Group, Input, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { lazy, Suspense, useCallback } from 'react';
import { showProblem } from '../../ui/notifications.ts';
import { Poster } from '../../ui/Poster.tsx';
import { useSession } from '../../ui/session/session-context.ts';
import { Quiet } from './text.tsx';
import { usePoster } from './use-poster.ts';

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
 * @param changedAt time of the entry's last change, after which a missing image is being rendered
 */
export function PosterField({
  of,
  id,
  usual,
  changedAt,
}: {
  of: keyof typeof WORDS;
  id: number;
  usual?: string | null;
  changedAt?: string;
}) {
  const session = useSession();
  const { [of]: calls } = session.client;
  const words = WORDS[of];
  const read = useCallback(() => calls.readPoster({ params: { id } }), [calls, id]);
  const { poster, setPoster, isRendering } = usePoster(read, changedAt);
  const [opened, { open, close }] = useDisclosure();
  const choose = (file_id: number) =>
    calls.choosePoster({ params: { id }, body: { file_id } }).then(setPoster, showProblem);
  const remove = () => calls.removePoster({ params: { id } }).then(() => setPoster(null), showProblem);
  const drawn = poster ? words.drawn : isRendering ? 'Rendering…' : words.none;
  const text = poster?.is_chosen ? 'Chosen from the media library.' : drawn;
  return (
    <Input.Wrapper label="Image" description={words.description} labelElement="div">
      <Group gap="md" mt={8} align="flex-start">
        <Poster url={poster?.small_url ?? usual} width={240} />
        <Stack gap="xs" align="flex-start">
          <Quiet role="status">{text}</Quiet>
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
