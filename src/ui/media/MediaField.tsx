import { Button, CloseButton, Group, Input, Text } from '@mantine/core';
import { useDisclosure, useId } from '@mantine/hooks';
import { lazy, Suspense } from 'react';
import type { Media, MediaType } from '../../contract/entities.ts';
import { thumbnailOf } from './media-kinds.ts';

const MediaManager = lazy(async () => ({ default: (await import('./MediaManager.tsx')).MediaManager }));

/** File details shown in the field. */
export type ShownFile = Pick<Media, 'id' | 'name' | 'url'> & { type?: string };

const IMAGE_URL = /\.(?:jpe?g|png|webp|avif|gif)(?:\?|$)/i;

/** Field for a file from the media library. */
export function MediaField({
  label,
  description,
  error,
  accept,
  file,
  onChange,
}: {
  label: string;
  description?: string;
  error?: string;
  accept: readonly [MediaType, ...MediaType[]];
  file: ShownFile | null;
  onChange(file: Media | null): void;
}) {
  const [opened, { open, close }] = useDisclosure();
  const id = useId();
  return (
    <Input.Wrapper label={label} description={description} error={error} id={id} labelElement="div">
      <Group gap="sm" mt={4} wrap="nowrap">
        {file && IMAGE_URL.test(file.url) && (
          <img
            {...thumbnailOf(file.url, 64)}
            alt=""
            width={64}
            height={48}
            style={{ objectFit: 'cover', borderRadius: 4 }}
          />
        )}
        <Text size="sm" truncate c={file ? undefined : 'dimmed'} miw={0}>
          {file?.name ?? 'No file'}
        </Text>
        {file && <CloseButton size="sm" aria-label={`Remove: ${label}`} onClick={() => onChange(null)} />}
        <Button
          variant="default"
          size="xs"
          flex="none"
          onClick={open}
          aria-label={`Choose: ${label}`}
          aria-invalid={error ? true : undefined}
        >
          Choose…
        </Button>
      </Group>
      {opened && (
        <Suspense>
          <MediaManager opened accept={accept} onChoose={onChange} onClose={close} />
        </Suspense>
      )}
    </Input.Wrapper>
  );
}
