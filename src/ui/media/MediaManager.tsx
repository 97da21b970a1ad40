import '@mantine/dropzone/styles.css';
import { Button, Group, Modal, Select, Stack, Switch, Text, TextInput } from '@mantine/core';
import { Dropzone, type FileRejection, type FileWithPath } from '@mantine/dropzone';
import { IconDownload, IconSearch, IconTrash, IconUpload } from '@tabler/icons-react';
import { observer } from 'mobx-react-lite';
import { useCallback, useEffect, useState } from 'react';
import type { Media, MediaType } from '../../contract/entities.ts';
import { ApiError } from '../../contract/errors.ts';
import { useClient } from '../client-context.ts';
import { confirm } from '../confirmation/confirmation-store.ts';
import { LibraryGrid } from '../library/LibraryGrid.tsx';
import { useSearchWords } from '../library/use-search-words.ts';
import { showProblem, showProblemText } from '../notifications.ts';
import { saveFile } from '../save-file.ts';
import { useSession } from '../session/session-context.ts';
import { MediaTile } from './MediaTile.tsx';
import classes from './media.module.css';
import { MEDIA_KINDS } from './media-kinds.ts';
import { MediaLibraryStore } from './media-library-store.ts';
import { UploadList } from './UploadList.tsx';
import { UploadsStore } from './uploads-store.ts';

interface Props {
  /** Selectable kinds of file; the first is the default. */
  accept: readonly [MediaType, ...MediaType[]];
  onChoose(file: Media): void;
  onClose(): void;
}

/** Maximum rejected files named. */
const MAX_NAMED_FILES = 5;

/** Error messages for rejected files, with accepted formats. */
function refusalText(refused: readonly FileRejection[]): string {
  const names = refused.slice(0, MAX_NAMED_FILES).map(({ file }) => file.name);
  const more = refused.length - names.length;
  return `${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}: ${refused[0]?.errors[0]?.message}`;
}

/** The library: filters, uploads and files. */
const Library = observer(({ accept, onChoose, onClose }: Props) => {
  const client = useClient();
  const session = useSession();
  const [store] = useState(() => new MediaLibraryStore(client, accept[0]));
  const [chosen, setChosen] = useState<Media | null>(null);
  const [isDownloading, setDownloading] = useState(false);
  const [uploads] = useState(
    () =>
      new UploadsStore<Media>(
        (file, progress) => client.media.upload({ body: { accept: store.query.type }, files: { file }, ...progress }),
        (file) => {
          if (file) setChosen(file);
          void store.show({});
        },
      ),
  );
  const { query, files } = store;
  const search = useCallback((words: string) => void store.show({ search: words }), [store]);
  const [words, setWords] = useSearchWords(query.search, search);

  useEffect(() => {
    void store.show({});
    return () => uploads.cancelAll();
  }, [store, uploads]);

  const show = (changes: Parameters<typeof store.show>[0]) => {
    setChosen(null);
    void store.show(changes);
  };
  const choose = (file: Media) => {
    onChoose(file);
    onClose();
  };
  const download = async ({ id, name, original }: Media) => {
    setDownloading(true);
    try {
      const content = await client.media.original({ params: { id } });
      saveFile(original?.name ?? name, content, 'application/octet-stream');
    } catch (error) {
      showProblem(error);
    }
    setDownloading(false);
  };
  const remove = async (file: Media) => {
    const question = {
      title: `Remove “${file.name}”?`,
      text: 'The file will be removed from the library. This cannot be undone.',
      action: 'Remove',
      destroys: true,
    };
    if (!(await confirm(question))) return;
    try {
      await store.remove(file.id);
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 'in_use')) return showProblem(error);
      const text = `${Object.values(error.msg).flat().join(' · ')}. It will be missing there.`;
      if (!(await confirm({ ...question, title: `“${file.name}” is in use. Remove it anyway?`, text }))) return;
      await store.remove(file.id, true).catch(showProblem);
    }
    setChosen(null);
  };

  return (
    <Stack>
      <Group align="end">
        {accept.length > 1 && (
          <Select
            label="Kind"
            allowDeselect={false}
            data={accept.map((type) => ({ value: type, label: MEDIA_KINDS[type].label }))}
            value={query.type}
            onChange={(type) => type && show({ type: type as MediaType })}
          />
        )}
        <TextInput
          label="Search"
          type="search"
          maxLength={200}
          leftSection={<IconSearch size={16} aria-hidden />}
          value={words}
          onChange={(event) => setWords(event.currentTarget.value)}
        />
        <Switch
          label="My uploads"
          checked={query.isMine}
          onChange={(event) => show({ isMine: event.currentTarget.checked })}
          mb={8}
        />
      </Group>
      {session.may('media', 'create') ? (
        <Dropzone
          onDrop={(dropped: FileWithPath[]) => uploads.add(dropped)}
          onReject={(refused: FileRejection[]) => showProblemText(refusalText(refused))}
          accept={{ 'application/octet-stream': [...MEDIA_KINDS[query.type].endings] }}
          validator={(file: File) =>
            MEDIA_KINDS[query.type].endings.some((ending) => file.name?.toLowerCase().endsWith(ending))
              ? null
              : { code: 'kind', message: `Use one of ${MEDIA_KINDS[query.type].endings.join(', ')}.` }
          }
          useFsAccessApi={false}
          p="sm"
          aria-label="Upload files"
        >
          <Group justify="center" gap="sm" style={{ pointerEvents: 'none' }}>
            <IconUpload size={20} aria-hidden />
            <Text size="sm">Drop files here or browse ({MEDIA_KINDS[query.type].endings.join(', ')})</Text>
          </Group>
        </Dropzone>
      ) : (
        <Text size="sm" c="dimmed">
          You can choose files but not upload them. Ask an administrator for permission to add media.
        </Text>
      )}
      <UploadList store={uploads} />
      <LibraryGrid
        store={store}
        label={MEDIA_KINDS[query.type].label}
        failure="The library could not be loaded."
        empty={
          files.length === 0 &&
          (query.search || query.isMine
            ? 'No file matches. Try other words or fewer filters.'
            : `No files yet.${session.may('media', 'create') ? ' Upload the first file above.' : ''}`)
        }
        className={classes.grid}
        footer={
          chosen && (
            <Group gap="xs" mr="auto">
              {chosen.original && (
                <Button
                  variant="subtle"
                  leftSection={<IconDownload size={16} aria-hidden />}
                  loading={isDownloading}
                  onClick={() => void download(chosen)}
                >
                  Download original
                </Button>
              )}
              {(session.may('media', 'delete') || session.may('media', 'create')) && (
                <Button
                  variant="subtle"
                  color="red"
                  leftSection={<IconTrash size={16} aria-hidden />}
                  onClick={() => void remove(chosen)}
                >
                  Remove
                </Button>
              )}
            </Group>
          )
        }
        onClose={onClose}
        onChoose={chosen ? () => choose(chosen) : undefined}
      >
        {files.map((file) => (
          <MediaTile
            key={file.id}
            file={file}
            isChosen={chosen?.id === file.id}
            onChoose={() => setChosen(file)}
            onOpen={() => choose(file)}
          />
        ))}
      </LibraryGrid>
    </Stack>
  );
});

/** Shown if the user may not see the library. */
export const NoMedia = () => (
  <Text>You don't have access to the media library. Ask an administrator for permission to see media.</Text>
);

/** Media manager: choose or upload a file. */
export function MediaManager({ opened, ...props }: Props & { opened: boolean }) {
  const session = useSession();
  return (
    <Modal opened={opened} onClose={props.onClose} title="Media" size="xl" centered>
      {session.may('media', 'view_any') ? <Library {...props} /> : <NoMedia />}
    </Modal>
  );
}
