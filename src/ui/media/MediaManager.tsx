import '@mantine/dropzone/styles.css';
import { Button, Group, Modal, Select, Stack, Text, TextInput } from '@mantine/core';
import { Dropzone, type FileRejection, type FileWithPath } from '@mantine/dropzone';
import { IconAdjustmentsHorizontal, IconInfoCircle, IconSearch, IconTrash, IconUpload } from '@tabler/icons-react';
import { observer } from 'mobx-react-lite';
import { useCallback, useEffect, useState } from 'react';
import type { Media, MediaType } from '../../contract/entities.ts';
import { useClient } from '../client-context.ts';
import { FolderTree, mediaFolders } from '../folders/folder-tree.ts';
import { LibraryGrid } from '../library/LibraryGrid.tsx';
import { useSearchWords } from '../library/use-search-words.ts';
import { showProblem, showProblemText } from '../notifications.ts';
import { useSession } from '../session/session-context.ts';
import { MediaDetails } from './MediaDetails.tsx';
import { MediaFilters } from './MediaFilters.tsx';
import { MediaTile } from './MediaTile.tsx';
import classes from './media.module.css';
import { MEDIA_KINDS } from './media-kinds.ts';
import { MediaLibraryStore } from './media-library-store.ts';
import { MEDIA_FILTER_NAMES, type MediaFilterValues, ORDERS } from './media-query.ts';
import { removeMedia } from './remove-media.ts';
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
  const [folders] = useState(() => new FolderTree(mediaFolders(client)));
  const [hasFilters, setFilters] = useState(false);
  const [isEditing, setEditing] = useState(false);
  const [uploads] = useState(
    () =>
      new UploadsStore<Media>(
        (file, progress) => {
          const folder_id = Number(store.query.filters.folder) || undefined;
          const body = { accept: store.query.type };
          return client.media.upload({ query: { folder_id }, body, files: { file }, ...progress });
        },
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
    void folders.load().catch(showProblem);
    return () => uploads.cancelAll();
  }, [store, uploads, folders]);

  const show = (changes: Parameters<typeof store.show>[0]) => {
    setChosen(null);
    void store.show(changes);
  };
  const choose = (file: Media) => {
    onChoose(file);
    onClose();
  };
  const remove = async (file: Media) => {
    try {
      if (!(await removeMedia(client, file))) return;
      store.drop(file.id);
      setChosen(null);
    } catch (error) {
      showProblem(error);
    }
  };
  const changed = (file: Media) => {
    setChosen(file);
    store.take(file);
  };
  const setFilter = (name: keyof MediaFilterValues, value: string | null) => {
    const { [name]: _before, ...others } = query.filters;
    show({ filters: value === null ? others : { ...others, [name]: value } });
  };
  const narrowing = MEDIA_FILTER_NAMES.filter((name) => query.filters[name] !== undefined).length;

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
        {folders.folders.length > 0 && (
          <Select
            label="Folder"
            placeholder="All files"
            clearable
            searchable
            data={[
              ...folders.all.map(({ id, path }) => ({ value: String(id), label: path })),
              { value: '0', label: 'No folder' },
            ]}
            value={query.filters.folder ?? null}
            onChange={(folder) => setFilter('folder', folder)}
          />
        )}
        <Button
          variant="default"
          leftSection={<IconAdjustmentsHorizontal size={16} aria-hidden />}
          aria-expanded={hasFilters}
          onClick={() => setFilters(!hasFilters)}
        >
          {narrowing > 0 ? `Filters (${narrowing})` : 'Filters'}
        </Button>
      </Group>
      {hasFilters && (
        <Group gap="xs">
          <MediaFilters values={query.filters} onChange={setFilter} hasType />
          <Select
            aria-label="Order"
            allowDeselect={false}
            w={{ base: '100%', xs: 180 }}
            data={ORDERS}
            value={query.filters.sort ?? '-created'}
            onChange={(sort) => setFilter('sort', sort === '-created' ? null : sort)}
          />
        </Group>
      )}
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
          (query.search || Object.keys(query.filters).length > 0
            ? 'No file matches. Try other words or fewer filters.'
            : `No files yet.${session.may('media', 'create') ? ' Upload the first file above.' : ''}`)
        }
        className={classes.grid}
        footer={
          chosen && (
            <Group gap="xs" mr="auto">
              <Button
                variant="subtle"
                leftSection={<IconInfoCircle size={16} aria-hidden />}
                onClick={() => setEditing(true)}
              >
                Details
              </Button>
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
      {chosen && isEditing && (
        <Modal opened onClose={() => setEditing(false)} title="Details" size="lg">
          <MediaDetails
            file={chosen}
            onChanged={changed}
            onSaved={(file) => {
              changed(file);
              setEditing(false);
            }}
            onClose={() => setEditing(false)}
          />
        </Modal>
      )}
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
