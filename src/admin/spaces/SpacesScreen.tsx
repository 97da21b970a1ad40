import { Group } from '@mantine/core';
import {
  IconBox,
  IconCopy,
  IconFolderPlus,
  IconFolderSymlink,
  IconRoute,
  IconSettings,
  IconTemplate,
} from '@tabler/icons-react';
import { observer } from 'mobx-react-lite';
import { type ReactNode, useEffect, useMemo, useState } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import type { Client } from '../../contract/client.ts';
import type { RoomRow } from '../../contract/entities.ts';
import { confirm } from '../../ui/confirmation/confirmation-store.ts';
import { findTemplates } from '../../ui/find-templates.ts';
import { spaceFolders } from '../../ui/folders/folder-tree.ts';
import { momentText } from '../../ui/moment-text.ts';
import { showDone, showProblem } from '../../ui/notifications.ts';
import { Poster } from '../../ui/Poster.tsx';
import { useSession } from '../../ui/session/session-context.ts';
import type { BulkAction } from '../frame/BulkBar.tsx';
import { type AskedEntry, ChooseDialog, chosenEntry } from '../frame/ChooseDialog.tsx';
import classes from '../frame/cards.module.css';
import { FilterSelect } from '../frame/FilterSelect.tsx';
import { useFolderActions } from '../frame/folders/FolderPanel.tsx';
import { FoldersStore } from '../frame/folders/folders-store.ts';
import { useFolderMoves } from '../frame/folders/use-folder-moves.tsx';
import { ListScreen } from '../frame/ListScreen.tsx';
import { publishing } from '../frame/publish-many.tsx';
import type { Resource } from '../frame/resource.ts';
import { useNewFromFiles } from '../frame/use-new-from-files.tsx';
import { runBulk } from '../stores/bulk.ts';
import { countText } from '../stores/list-store.ts';
import { SPACES, SpacesStore, shownNames } from './spaces.tsx';

/** Card of an entry: image, name and actions. */
function Card({
  name,
  to,
  poster,
  details,
  actions,
}: {
  name: string;
  /** Link target; none if the user may not edit the entry. */
  to?: string | undefined;
  poster: string | null;
  details: ReactNode;
  actions: ReactNode;
}) {
  const face = (
    <>
      <Poster url={poster} />
      <span className={classes.title}>{name}</span>
    </>
  );
  return (
    <li className={classes.card}>
      {to ? (
        <Link to={to} className={classes.face}>
          {face}
        </Link>
      ) : (
        <div className={classes.face}>{face}</div>
      )}
      <div className={classes.foot}>
        <div>{details}</div>
        <div className={classes.actions}>{actions}</div>
      </div>
    </li>
  );
}

const USES = [
  { value: '1', label: 'In a structure' },
  { value: '0', label: 'Not in a structure' },
];

/** Structures of a space and its last editor. */
const detailsOf = ({ used_in, edited_at, edited_by }: RoomRow) => (
  <span className={classes.details}>
    {used_in.length > 0 ? `In ${shownNames(used_in)}` : 'Not in a structure'} · edited {momentText(edited_at)}
    {edited_by && ` by ${edited_by}`}
  </span>
);

/** The resource with a column of folders, if there are any, and new spaces in the chosen folder. */
const withFolders = (folders: FoldersStore, hasFolders: boolean, chosen: number): Resource<RoomRow> => ({
  ...SPACES,
  ...(chosen > 0 && {
    addPath: `${SPACES.path}/add?folder=${chosen}`,
    empty: 'There are no spaces in this folder. Drag spaces here, or move them.',
  }),
  columns: [
    ...(hasFolders
      ? [{ id: 'folder', label: 'Folder', cell: ({ folder_id }: RoomRow) => folders.find(folder_id)?.path }]
      : []),
    ...SPACES.columns!,
  ],
});

/** Merges spaces into a tour: a plan first, then one change that can be undone. */
const mergeOf = (client: Client, reload: () => Promise<void>): BulkAction => ({
  label: 'Merge',
  icon: <IconRoute size={16} aria-hidden />,
  run: async (ids) => {
    const { mergeSpaces } = await import('./merge-spaces.ts');
    return mergeSpaces(client, ids, reload);
  },
});

/** The folders of spaces. */
const foldersOf = (client: Client) =>
  new FoldersStore(spaceFolders(client), {
    nouns: 'spaces',
    move: (ids, folder_id, onProgress) =>
      runBulk(client, ids, { action: 'rooms.folder', fields: { folder_id }, onProgress }),
  });

export const SpacesScreen = observer(() => {
  const session = useSession();
  const { client } = session;
  const [folders] = useState(() => foldersOf(client));
  const [store] = useState(() => new SpacesStore(client, { onList: (rows) => folders.see(rows) }));
  const folder = useSearchParams()[0].get('folder');
  const fromFiles = useNewFromFiles(Number(folder) || null);
  useEffect(() => void folders.load().catch(showProblem), [folders]);
  const folderActions = useFolderActions(folders, { area: 'rooms', update: 'update' });
  const mayMove = session.may('rooms', 'update') && folders.folders.length > 0;
  const reload = () => store.load();
  const hasFolders = folders.folders.length > 0;
  const resource = useMemo(() => withFolders(folders, hasFolders, Number(folder)), [folders, hasFolders, folder]);
  const mayCreate = session.may('rooms', 'create');
  const copy = async ({ id, title }: RoomRow) => {
    const yes = await confirm({
      title: 'Are you sure you want to copy this space?',
      text: `A copy of “${title}” with all its elements will be added.`,
      action: 'Copy',
    });
    if (!yes) return;
    await client.rooms.copy({ params: { id } });
    await store.load();
  };
  const [asked, setAsked] = useState<AskedEntry | null>(null);
  const moves = useFolderMoves(folders, folderActions, { mayMove, reload });
  const settingTemplate: BulkAction = {
    label: 'Set the template of',
    icon: <IconTemplate size={16} aria-hidden />,
    run: async (ids, onProgress) => {
      const template_id = await chosenEntry(setAsked, {
        title: `Set the template of ${countText(ids.length, 'spaces')}`,
        label: 'Template',
        placeholder: 'No template',
        action: 'Set',
        find: (search) => findTemplates(session, search),
      });
      if (template_id === undefined) return null;
      const job = { action: 'rooms.template', fields: { template_id }, onProgress } as const;
      const { changed, problems } = await runBulk(client, ids, job);
      await store.load();
      if (changed.length > 0) showDone(`${countText(changed.length, 'spaces')} changed.`);
      return problems;
    },
  };
  return (
    <>
      {asked && <ChooseDialog asked={asked} />}
      {moves.dialog}
      {folderActions.dialogs}
      <ListScreen
        of={resource}
        store={store}
        {...moves.list}
        otherAdds={[
          ...fromFiles,
          ...(folderActions.addTo
            ? [
                {
                  label: 'New folder',
                  icon: <IconFolderPlus size={18} aria-hidden />,
                  takesFocus: true,
                  onClick: () => folderActions.addTo?.(Number(folder) || null),
                },
              ]
            : []),
        ]}
        bulkActions={[
          ...(mayCreate ? [mergeOf(client, () => store.load())] : []),
          ...(session.may('rooms', 'update') ? [publishing(client, () => store.load()), settingTemplate] : []),
          ...moves.bulk,
        ]}
        filters={
          <Group>
            <FilterSelect name="used" aria-label="Use" placeholder="Any use" data={USES} />
          </Group>
        }
        actions={(room, to) => [
          mayCreate && {
            label: 'Copy',
            icon: <IconCopy size={18} />,
            onClick: () => void copy(room).catch(showProblem),
          },
          mayMove && {
            label: 'Move',
            icon: <IconFolderSymlink size={18} />,
            takesFocus: true,
            onClick: () => void moves.move([room.id]).catch(showProblem),
          },
          to !== undefined && { label: 'Settings', icon: <IconSettings size={18} />, to: `${SPACES.path}/${room.id}` },
          to !== undefined && { label: 'Edit', icon: <IconBox size={18} />, to },
        ]}
        card={(room, to, actions) => (
          <Card
            key={room.id}
            poster={room.poster_url}
            name={room.title}
            to={to}
            details={detailsOf(room)}
            actions={actions}
          />
        )}
      />
    </>
  );
});
