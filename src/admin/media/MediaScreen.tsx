import '@mantine/dropzone/styles.css';
import { Affix, Button, Drawer, FileButton, Paper, Text } from '@mantine/core';
import { Dropzone } from '@mantine/dropzone';
import {
  IconCopyCheck,
  IconDownload,
  IconFolderPlus,
  IconFolderSymlink,
  IconInfoCircle,
  IconTable,
  IconTag,
  IconTrash,
  IconUpload,
} from '@tabler/icons-react';
import { observer } from 'mobx-react-lite';
import { type ReactNode, useEffect, useMemo, useState } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import type { Media } from '../../contract/entities.ts';
import { mediaFolders } from '../../ui/folders/folder-tree.ts';
import { downloadArchives, downloadMedia } from '../../ui/media/download-media.ts';
import { MediaDetails } from '../../ui/media/MediaDetails.tsx';
import { MediaFilters } from '../../ui/media/MediaFilters.tsx';
import { MediaFace, MediaSize } from '../../ui/media/MediaTile.tsx';
import { MEDIA_FILTER_NAMES, type MediaFilterValues } from '../../ui/media/media-query.ts';
import { removeMedia } from '../../ui/media/remove-media.ts';
import { UploadList } from '../../ui/media/UploadList.tsx';
import { UploadsStore } from '../../ui/media/uploads-store.ts';
import { showDone, showProblem } from '../../ui/notifications.ts';
import { useSession } from '../../ui/session/session-context.ts';
import { type BulkAction, removalOf } from '../frame/BulkBar.tsx';
import { useAddressFilter } from '../frame/FilterSelect.tsx';
import { useFolderActions } from '../frame/folders/FolderPanel.tsx';
import { FoldersStore } from '../frame/folders/folders-store.ts';
import { useFolderMoves } from '../frame/folders/use-folder-moves.tsx';
import { ListScreen } from '../frame/ListScreen.tsx';
import type { Resource } from '../frame/resource.ts';
import { useLeaveGuard } from '../frame/use-leave-guard.ts';
import { KeywordsDialog } from './KeywordsDialog.tsx';
import { MediaTextsDialog } from './MediaTextsDialog.tsx';
import classes from './media.module.css';
import { MEDIA, MediaFilesStore } from './media-files.tsx';
import { keepOne } from './merge-duplicates.ts';

/** A file as a card. */
const Card = ({
  file,
  to,
  check,
  actions,
  carry,
}: {
  file: Media;
  to: string | undefined;
  check: ReactNode;
  actions: ReactNode;
  carry: ((element: HTMLElement) => () => void) | undefined;
}) => (
  <li className={classes.card} ref={carry && ((element) => (element ? carry(element) : undefined))}>
    {check && <span className={classes.check}>{check}</span>}
    <Link to={to ?? ''} className={classes.face} draggable={false}>
      <MediaFace file={file} />
    </Link>
    <div className={classes.foot}>
      <MediaSize file={file} />
      <span>{actions}</span>
    </div>
  </li>
);

/** The file of the address, in a pane beside the list. */
const DetailsPane = observer(({ store, onRead }: { store: MediaFilesStore; onRead(): void }) => {
  const { client } = useSession();
  const [params, setParams] = useSearchParams();
  const id = Number(params.get('file')) || null;
  const [file, setFile] = useState<Media | null>(null);
  useEffect(() => {
    setFile(null);
    if (id === null) return;
    let isCurrent = true;
    client.media.read({ params: { id } }).then((found) => isCurrent && setFile(found), showProblem);
    return () => {
      isCurrent = false;
    };
  }, [client, id]);
  const close = () =>
    setParams(
      (before) => {
        const next = new URLSearchParams(before);
        next.delete('file');
        return next;
      },
      { replace: true },
    );
  const take = (changed: Media) => {
    setFile((shown) => (shown?.id === changed.id ? changed : shown));
    void store.load();
    onRead();
  };
  return (
    <Drawer
      opened={file !== null}
      onClose={close}
      position="right"
      size={480}
      title={file?.title || file?.name}
      closeButtonProps={{ 'aria-label': 'Close the details' }}
    >
      {file && (
        <MediaDetails
          file={file}
          onChanged={take}
          onSaved={(saved) => {
            take(saved);
            showDone(`“${saved.name}” saved.`);
          }}
          onClose={close}
        />
      )}
    </Drawer>
  );
});

/** The resource as it depends on the address and the user's rights. */
function resourceOf(
  folders: FoldersStore,
  { hasFolders, mayChange, params }: { hasFolders: boolean; mayChange: boolean; params: URLSearchParams },
): Resource<Media> {
  const linkOf = ({ id }: Media) => {
    const next = new URLSearchParams(params);
    next.set('file', String(id));
    return `?${next}`;
  };
  return {
    ...MEDIA,
    linkOf,
    // Details are open to every user who may see files.
    may: (_, right) => right === 'update',
    ...(mayChange && {
      rename: async ({ media }, { id }, name) => ({
        ...(await media.update({ params: { id }, body: { name } })),
        updated_at: '',
      }),
    }),
    ...(params.has('folder') && { empty: 'There are no files in this folder. Drag files here, or upload some.' }),
    columns: [
      ...(hasFolders
        ? [{ id: 'folder', label: 'Folder', cell: ({ folder_id }: Media) => folders.find(folder_id)?.path }]
        : []),
      ...MEDIA.columns!,
    ],
  };
}

/** Confirmation before leaving while files are uploaded. */
const UPLOADING = {
  title: 'Cancel the uploads?',
  text: 'Files that are not uploaded yet will be missing.',
  action: 'Cancel the uploads',
  destroys: true,
};

/** A dialog for many files. */
type Opened = { kind: 'texts' | 'keywords'; files: readonly Media[] } | null;

/** The media library. */
export const MediaScreen = observer(() => {
  const session = useSession();
  const { client } = session;
  const [folders] = useState(
    (): FoldersStore =>
      new FoldersStore(mediaFolders(client), { nouns: 'files', move: (...moved) => store.move(...moved) }),
  );
  const [store] = useState(() => new MediaFilesStore(client, (files) => folders.see(files)));
  const [params] = useSearchParams();
  const [, setFilter] = useAddressFilter();
  const folder = Number(params.get('folder')) || null;
  const allowed = session.may('media', 'view_any');
  const mayChange = session.may('media', 'create');
  const mayDelete = session.may('media', 'delete');
  const reload = async () => {
    await Promise.all([store.load(), folders.load()]);
  };
  const [uploads] = useState(
    () =>
      new UploadsStore<Media>(
        (file, progress) =>
          client.media.upload({
            query: { folder_id: Number(new URLSearchParams(location.search).get('folder')) || undefined },
            body: {},
            files: { file },
            ...progress,
          }),
        () => void reload().catch(showProblem),
      ),
  );
  useEffect(() => {
    if (allowed) void folders.load().catch(showProblem);
    return () => uploads.cancelAll();
  }, [allowed, folders, uploads]);
  useLeaveGuard(uploads.pending > 0, UPLOADING);
  const folderActions = useFolderActions(folders, { area: 'media', update: 'create' });
  const hasFolders = folders.folders.length > 0;
  const resource = useMemo(
    () => resourceOf(folders, { hasFolders, mayChange, params }),
    [folders, hasFolders, mayChange, params],
  );
  const [opened, setOpened] = useState<Opened>(null);
  const mayMove = mayChange && hasFolders;
  const moves = useFolderMoves(folders, folderActions, { mayMove, reload: () => store.load() });
  const open =
    (kind: 'texts' | 'keywords'): BulkAction['run'] =>
    async (ids) => {
      setOpened({ kind, files: kind === 'texts' ? await store.wholeFilesOf(ids) : store.filesOf(ids) });
      return null;
    };
  const bulkActions: BulkAction[] = [
    ...moves.bulk,
    ...(mayChange
      ? [
          { label: 'Edit texts of', icon: <IconTable size={16} aria-hidden />, run: open('texts') },
          { label: 'Keywords of', icon: <IconTag size={16} aria-hidden />, run: open('keywords') },
        ]
      : []),
    {
      label: 'Download',
      icon: <IconDownload size={16} aria-hidden />,
      run: async (ids) => {
        await downloadArchives(client, ids);
        return null;
      },
    },
    ...(mayDelete
      ? [
          removalOf(
            (ids, onProgress) => store.removeMany(ids, onProgress),
            'Files in use stay. The others will be removed from the library. This cannot be undone.',
          ),
        ]
      : []),
  ];
  const act = (work: () => Promise<unknown>) => () => void work().catch(showProblem);
  const values: MediaFilterValues = Object.fromEntries(
    MEDIA_FILTER_NAMES.flatMap((name) => {
      const value = params.get(name);
      return value === null ? [] : [[name, value]];
    }),
  );
  return (
    <div className={classes.cards}>
      {moves.dialog}
      {folderActions.dialogs}
      {opened?.kind === 'texts' && (
        <MediaTextsDialog
          files={opened.files}
          onSave={(changes) => store.change(changes)}
          onClose={() => setOpened(null)}
        />
      )}
      {opened?.kind === 'keywords' && (
        <KeywordsDialog
          files={opened.files}
          onSave={(changes) => store.change(changes)}
          onClose={() => setOpened(null)}
        />
      )}
      <ListScreen
        of={resource}
        store={store}
        usualLayout="cards"
        selectsCards
        {...moves.list}
        buttons={
          mayChange && (
            <>
              <Button
                variant="default"
                leftSection={<IconFolderPlus size={18} aria-hidden />}
                onClick={() => folderActions.addTo?.(folder)}
              >
                New folder
              </Button>
              <FileButton multiple onChange={(files) => uploads.add(files)}>
                {(props) => (
                  <Button {...props} leftSection={<IconUpload size={18} aria-hidden />}>
                    Upload
                  </Button>
                )}
              </FileButton>
            </>
          )
        }
        filters={<MediaFilters values={values} onChange={setFilter} />}
        bulkActions={bulkActions}
        actions={(file, to) => [
          { label: 'Details', icon: <IconInfoCircle size={18} />, to },
          { label: 'Download', icon: <IconDownload size={18} />, onClick: act(() => downloadMedia(client, file)) },
          mayMove && {
            label: 'Move',
            icon: <IconFolderSymlink size={18} />,
            takesFocus: true,
            onClick: act(() => moves.move([file.id])),
          },
          mayDelete &&
            values.only === 'duplicates' && {
              label: 'Keep only this file',
              icon: <IconCopyCheck size={18} />,
              takesFocus: true,
              onClick: act(async () => (await keepOne(client, file)) && reload()),
            },
          (mayDelete || mayChange) && {
            label: 'Remove',
            icon: <IconTrash size={18} />,
            destroys: true,
            takesFocus: true,
            onClick: act(async () => (await removeMedia(client, file)) && reload()),
          },
        ]}
        card={(file, to, actions, { checkOf, carry }) => (
          <Card
            key={file.id}
            file={file}
            to={to}
            check={checkOf(file)}
            actions={actions}
            carry={carry && ((element) => carry(element, file))}
          />
        )}
      />
      <DetailsPane store={store} onRead={() => void folders.load().catch(showProblem)} />
      {mayChange && (
        <Dropzone.FullScreen
          active
          withinPortal={false}
          onDrop={(files: File[]) => uploads.add(files)}
          useFsAccessApi={false}
        >
          <Text ta="center" mt="40vh" size="lg" style={{ pointerEvents: 'none' }}>
            Drop files to upload them{folder === null ? '' : ` to “${folders.find(folder)?.name ?? ''}”`}
          </Text>
        </Dropzone.FullScreen>
      )}
      {uploads.uploads.length > 0 && (
        <Affix position={{ bottom: 16, right: 16 }}>
          <Paper withBorder shadow="md" p="sm" w="min(360px, calc(100vw - 32px))">
            <UploadList store={uploads} />
          </Paper>
        </Affix>
      )}
    </div>
  );
});
