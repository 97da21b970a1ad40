import { Button, CloseButton, Group, Input, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { lazy, Suspense } from 'react';
import type { VideoProvider } from '../../contract/calls/videos.ts';
import type { ModuleVideo } from './video-library-store.ts';

const VideoManager = lazy(async () => ({ default: (await import('./VideoManager.tsx')).VideoManager }));

/** Field for a platform video. */
export function VideoField({
  label,
  description,
  provider,
  video,
  onChange,
}: {
  label: string;
  description?: string;
  provider: VideoProvider;
  video: ModuleVideo | null;
  onChange(video: ModuleVideo | null): void;
}) {
  const [opened, { open, close }] = useDisclosure();
  return (
    <Input.Wrapper label={label} description={description} labelElement="div">
      <Group gap="sm" mt={4} wrap="nowrap">
        {video?.thumb && (
          <img src={video.thumb} alt="" width={64} height={36} style={{ objectFit: 'cover', borderRadius: 4 }} />
        )}
        <Text size="sm" truncate c={video ? undefined : 'dimmed'} miw={0}>
          {video ? video.name || video.id : 'No video'}
        </Text>
        {video && <CloseButton size="sm" aria-label={`Remove: ${label}`} onClick={() => onChange(null)} />}
        <Button variant="default" size="xs" flex="none" onClick={open} aria-label={`Choose: ${label}`}>
          Choose…
        </Button>
      </Group>
      {opened && (
        <Suspense>
          <VideoManager provider={provider} onChoose={onChange} onClose={close} />
        </Suspense>
      )}
    </Input.Wrapper>
  );
}
