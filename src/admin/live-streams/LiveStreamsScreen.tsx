import { Badge } from '@mantine/core';
import { IconEdit, IconSettings, IconTrash } from '@tabler/icons-react';
import { observer } from 'mobx-react-lite';
import { useState } from 'react';
import type { LiveStream } from '../../contract/entities.ts';
import { momentText } from '../../ui/moment-text.ts';
import { useSession } from '../../ui/session/session-context.ts';
import { removesMany } from '../frame/BulkBar.tsx';
import type { Column } from '../frame/columns.ts';
import { confirmRemoval } from '../frame/confirm-removal.ts';
import { RowActions } from '../frame/List.tsx';
import { ListScreen } from '../frame/ListScreen.tsx';
import { NameField, renameAction, useRenaming } from '../frame/renaming.tsx';
import { LiveStreamsStore, PLATFORM_NAMES } from './live-streams-store.ts';
import { StateBadge } from './StateBadge.tsx';

const COLUMNS: readonly Column<LiveStream>[] = [
  {
    id: 'platform',
    label: 'Platform',
    order: { name: 'type', begins: 'ascending' },
    cell: ({ type }) => (
      <Badge variant="light" color="gray">
        {PLATFORM_NAMES[type]}
      </Badge>
    ),
  },
  {
    id: 'state',
    label: 'State',
    order: { name: 'state', begins: 'ascending' },
    cell: ({ state }) => <StateBadge state={state} />,
  },
  {
    id: 'edited',
    label: 'Edited',
    order: { name: 'edited', begins: 'descending' },
    cell: ({ updated_at }) => momentText(updated_at),
  },
  { id: 'editor', label: 'Edited by', cell: ({ edited_by }) => edited_by },
];

/** The list of live streams. */
export const LiveStreamsScreen = observer(() => {
  const session = useSession();
  const [store] = useState(() => new LiveStreamsStore(session.client));
  const renaming = useRenaming<LiveStream>({
    nameOf: ({ name }) => name,
    may: ({ policies }) => policies.update,
    rename: (id, name, updated_at) => session.client.liveStreams.update({ params: { id }, body: { name, updated_at } }),
    load: () => store.load(),
  });
  const remove = async ({ id }: LiveStream) => {
    await confirmRemoval(
      {
        title: 'Are you sure you want to remove this live stream?',
        text: 'The live stream will be removed. This cannot be undone.',
      },
      () => store.remove(id),
    );
  };
  return (
    <ListScreen
      title="Live streams"
      things="live streams"
      store={store}
      allowed={session.may('live_streams', 'view_any')}
      add={session.may('live_streams', 'create') ? '/admin/live-streams/add' : undefined}
      empty="There are no live streams yet. A live stream plays a broadcast inside a space."
      bulk={
        session.may('live_streams', 'delete')
          ? {
              nameOf: ({ name }) => name,
              actions: [removesMany((ids, onProgress) => store.removeMany(ids, onProgress))],
            }
          : undefined
      }
      table={{
        order: { name: 'name', begins: 'ascending' },
        columns: COLUMNS,
        entry: (stream, check) => {
          const { id, name, policies } = stream;
          const to = policies.update ? `/admin/live-streams/${id}` : undefined;
          return {
            lead: check,
            name,
            field: renaming.has(stream) && <NameField row={stream} renaming={renaming} />,
            to,
            actions: (
              <RowActions
                name={name}
                items={[
                  renameAction(renaming, stream),
                  to !== undefined && { label: 'Edit', icon: <IconEdit size={18} />, to, word: 'Edit' },
                  to !== undefined && { label: 'Settings', icon: <IconSettings size={18} />, to },
                  policies.delete && {
                    label: 'Remove',
                    icon: <IconTrash size={18} />,
                    destroys: true,
                    onClick: () => void remove(stream),
                  },
                ]}
              />
            ),
          };
        },
      }}
    />
  );
});
