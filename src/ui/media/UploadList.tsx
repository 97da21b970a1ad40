import { ActionIcon, Button, Group, Progress, Text } from '@mantine/core';
import { IconReload, IconX } from '@tabler/icons-react';
import { observer } from 'mobx-react-lite';
import classes from './media.module.css';
import type { Upload, UploadsStore } from './uploads-store.ts';

const UploadRow = observer(
  ({ upload, store }: { upload: Upload; store: Pick<UploadsStore<never>, 'retry' | 'cancel'> }) => {
    const { file, state, fraction, problem } = upload;
    const percent = Math.round(fraction * 100);
    const isFailed = state === 'failed';
    return (
      <div>
        <Group gap="xs" wrap="nowrap">
          <Text size="sm" truncate flex={1} title={file.name}>
            {file.name}
          </Text>
          {!isFailed && (
            <Text size="sm" c="dimmed">
              {state === 'waiting' ? 'Waiting' : percent < 100 ? `${percent}%` : 'Processing'}
            </Text>
          )}
          {isFailed && (
            <ActionIcon variant="subtle" aria-label={`Retry ${file.name}`} onClick={() => store.retry(upload)}>
              <IconReload size={16} />
            </ActionIcon>
          )}
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={isFailed ? `Dismiss ${file.name}` : `Cancel ${file.name}`}
            onClick={() => store.cancel(upload)}
          >
            <IconX size={16} />
          </ActionIcon>
        </Group>
        {isFailed && (
          <Text
            size="xs"
            c="red"
            role="alert"
            aria-label={`${file.name}: ${problem}`}
            style={{ overflowWrap: 'anywhere' }}
          >
            {problem}
          </Text>
        )}
        {!isFailed && <Progress value={percent} size="sm" aria-label={file.name} animated={percent === 100} />}
      </div>
    );
  },
);

/** Uploads with progress. */
export const UploadList = observer(
  ({
    store,
  }: {
    store: Pick<
      UploadsStore<never>,
      'uploads' | 'uploaded' | 'pending' | 'failed' | 'retry' | 'cancel' | 'dismissFailed'
    >;
  }) =>
    store.uploads.length === 0 ? null : (
      // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable areas need keyboard access.
      <section className={classes.uploads} aria-label="Uploads" tabIndex={0}>
        {store.uploaded + store.pending > 1 && (
          <Text size="sm" fw={500}>
            {store.uploaded} of {store.uploaded + store.uploads.length} uploaded
          </Text>
        )}
        {store.failed.length > 1 && (
          <Group justify="space-between" wrap="nowrap">
            <Text size="sm">{store.failed.length} files were not uploaded.</Text>
            <Group gap="xs" wrap="nowrap">
              <Button
                size="compact-xs"
                variant="default"
                onClick={() => {
                  for (const upload of store.failed) store.retry(upload);
                }}
              >
                Retry all
              </Button>
              <Button size="compact-xs" variant="default" onClick={() => store.dismissFailed()}>
                Dismiss all
              </Button>
            </Group>
          </Group>
        )}
        {store.uploads.map((upload, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: uploads can share a name.
          <UploadRow key={`${upload.file.name} ${index}`} upload={upload} store={store} />
        ))}
      </section>
    ),
);
