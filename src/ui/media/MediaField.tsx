import { Button, CloseButton, FileButton, Group, Input, Text } from '@mantine/core';
import { useDisclosure, useId } from '@mantine/hooks';
import { lazy, Suspense, useState } from 'react';
import type { Media, MediaType } from '../../contract/entities.ts';
import { useClient } from '../client-context.ts';
import { showProblem, showProblemText } from '../notifications.ts';
import { useSession } from '../session/session-context.ts';
import { MEDIA_KINDS, thumbnailOf } from './media-kinds.ts';

const MediaManager = lazy(async () => ({ default: (await import('./MediaManager.tsx')).MediaManager }));

/** File details shown in the field. */
export type ShownFile = Pick<Media, 'id' | 'name' | 'url'> & { type?: string };

const IMAGE_URL = /\.(?:jpe?g|png|webp|avif|gif)(?:\?|$)/i;

/** Field for a file: from this computer, or from the media library. */
export function MediaField({
  label,
  description,
  error,
  accept,
  file,
  problemOf,
  onChange,
}: {
  label: string;
  description?: string;
  error?: string;
  accept: readonly [MediaType, ...MediaType[]];
  file: ShownFile | null;
  /** Why a file can't be used here; null if it can. */
  problemOf?: ((file: Media) => string | null) | undefined;
  onChange(file: Media | null): void;
}) {
  const client = useClient();
  const session = useSession();
  const [opened, { open, close }] = useDisclosure();
  const [isUploading, setUploading] = useState(false);
  const id = useId();
  const choose = (chosen: Media) => {
    const problem = problemOf?.(chosen);
    if (problem) showProblemText(problem);
    else onChange(chosen);
  };
  const upload = async (chosen: File | null) => {
    if (!chosen) return;
    const name = chosen.name.toLowerCase();
    const type = accept.find((kind) => MEDIA_KINDS[kind].endings.some((ending) => name.endsWith(ending))) ?? accept[0];
    setUploading(true);
    try {
      choose(await client.media.upload({ body: { accept: type }, files: { file: chosen } }));
    } catch (problem) {
      showProblem(problem);
    }
    setUploading(false);
  };
  return (
    <Input.Wrapper label={label} description={description} error={error} id={id} labelElement="div">
      <Group gap="sm" mt={4}>
        <Group gap="sm" wrap="nowrap" maw="100%">
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
        </Group>
        {session.may('media', 'create') && (
          <FileButton
            accept={accept.flatMap((kind) => MEDIA_KINDS[kind].endings).join(',')}
            onChange={(chosen) => void upload(chosen)}
          >
            {(props) => (
              <Button
                {...props}
                variant="default"
                size="xs"
                flex="none"
                loading={isUploading}
                aria-label={`Upload: ${label}`}
              >
                Upload…
              </Button>
            )}
          </FileButton>
        )}
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
          <MediaManager opened accept={accept} onChoose={choose} onClose={close} />
        </Suspense>
      )}
    </Input.Wrapper>
  );
}
