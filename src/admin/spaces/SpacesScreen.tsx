import { Group, Select, Text } from '@mantine/core';
import { IconBox, IconCopy, IconSettings, IconTrash } from '@tabler/icons-react';
import { observer } from 'mobx-react-lite';
import { useState } from 'react';
import type { RoomRow } from '../../contract/entities.ts';
import { confirm } from '../../ui/confirmation/confirmation-store.ts';
import { momentText } from '../../ui/moment-text.ts';
import { showProblem } from '../../ui/notifications.ts';
import { Poster } from '../../ui/Poster.tsx';
import { useSession } from '../../ui/session/session-context.ts';
import { removesMany } from '../frame/BulkBar.tsx';
import { Card } from '../frame/Card.tsx';
import type { Column } from '../frame/columns.ts';
import { confirmRemoval } from '../frame/confirm-removal.ts';
import { type RowActionItem, RowActions } from '../frame/List.tsx';
import { ListScreen } from '../frame/ListScreen.tsx';
import { NewSpaceButton } from '../frame/NewSpaceButton.tsx';
import { NameField, renameAction, useRenaming } from '../frame/renaming.tsx';
import { useAddressFilter } from '../frame/use-address-filter.ts';
import { SpacesStore } from './spaces-store.ts';

/** Maximum structures named. */
const MAX_NAMED_STRUCTURES = 3;

/** Names the structures that lose their space when it is removed. */
function usedText(structures: readonly { name: string }[]): string {
  if (structures.length === 0) return '';
  return ` ${shownNames(structures.map(({ name }) => ({ name: `“${name}”` })))} will show no space to visitors.`;
}

/** Names of the first structures, and how many more. */
function shownNames(structures: readonly { name: string }[]): string {
  const names = structures.slice(0, MAX_NAMED_STRUCTURES).map(({ name }) => name);
  const more = structures.length - names.length;
  return `${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

const USES = [
  { value: '1', label: 'In a structure' },
  { value: '0', label: 'Not in a structure' },
];

/** Filter by use, kept in the URL. */
function Filters() {
  const [params, set] = useAddressFilter();
  return (
    <Group>
      <Select
        aria-label="Use"
        placeholder="All spaces"
        clearable
        data={USES}
        value={params.get('used')}
        onChange={(value) => set('used', value)}
      />
    </Group>
  );
}

/** Structures of a space and its last editor. */
const detailsOf = ({ used_in, edited_at, edited_by }: RoomRow) => (
  <Text size="sm" c="dimmed">
    {used_in.length > 0 ? `In ${shownNames(used_in)}` : 'Not in a structure'} · edited {momentText(edited_at)}
    {edited_by && ` by ${edited_by}`}
  </Text>
);

const COLUMNS: readonly Column<RoomRow>[] = [
  {
    id: 'used',
    label: 'Shown in',
    cell: ({ used_in }) => (used_in.length > 0 ? shownNames(used_in) : 'No structure'),
  },
  {
    id: 'edited',
    label: 'Edited',
    order: { name: 'edited', begins: 'descending' },
    cell: ({ edited_at }) => momentText(edited_at),
  },
  { id: 'editor', label: 'Edited by', cell: ({ edited_by }) => edited_by },
];

/** The list of spaces. */
export const SpacesScreen = observer(() => {
  const session = useSession();
  const [store] = useState(() => new SpacesStore(session.client));
  const renaming = useRenaming<RoomRow>({
    nameOf: ({ title }) => title,
    may: ({ policies }) => policies.update,
    rename: (id, title, updated_at) => session.client.rooms.update({ params: { id }, body: { title, updated_at } }),
    load: () => store.load(),
  });
  const mayCreate = session.may('rooms', 'create');

  const remove = async ({ id, title, used_in }: RoomRow) => {
    await confirmRemoval(
      {
        title: 'Are you sure you want to remove this space?',
        text: `The space “${title}” will be removed. It stays in the bin for 30 days.${usedText(used_in)}`,
      },
      () => store.remove(id),
    );
  };
  const copy = async ({ id, title }: RoomRow) => {
    const yes = await confirm({
      title: 'Are you sure you want to copy this space?',
      text: `A copy of “${title}” with all its elements will be added.`,
      action: 'Copy',
    });
    if (yes) await store.copy(id).catch(showProblem);
  };

  const toOf = ({ id, policies }: RoomRow) => (policies.update ? `/admin/editor/${id}` : undefined);
  const actionsOf = (room: RoomRow, rename: RowActionItem | false = false) => (
    <RowActions
      name={room.title}
      items={[
        rename,
        mayCreate && { label: 'Copy', icon: <IconCopy size={18} />, onClick: () => void copy(room) },
        room.policies.update && { label: 'Settings', icon: <IconSettings size={18} />, to: `/admin/spaces/${room.id}` },
        room.policies.update && { label: 'Edit', icon: <IconBox size={18} />, to: `/admin/editor/${room.id}` },
        room.policies.delete && {
          label: 'Remove',
          icon: <IconTrash size={18} />,
          destroys: true,
          onClick: () => void remove(room),
        },
      ]}
    />
  );

  return (
    <ListScreen
      title="Spaces"
      things="spaces"
      store={store}
      allowed={session.may('rooms', 'view_any')}
      actions={<NewSpaceButton />}
      filterNames={['used']}
      filters={<Filters />}
      add={mayCreate ? '/admin/spaces/add' : undefined}
      empty="There are no spaces yet. A space is what visitors enter."
      bulk={
        session.may('rooms', 'delete')
          ? {
              nameOf: ({ title }) => title,
              actions: [
                removesMany(
                  (ids, onProgress) => store.removeMany(ids, onProgress),
                  (ids) => store.removalText(ids),
                ),
              ],
            }
          : undefined
      }
      table={{
        order: { name: 'name', begins: 'ascending' },
        columns: COLUMNS,
        entry: (room, check) => ({
          lead: (
            <>
              {check}
              <Poster url={room.poster_url} width={64} />
            </>
          ),
          name: room.title,
          field: renaming.has(room) && <NameField row={room} renaming={renaming} />,
          to: toOf(room),
          actions: actionsOf(room, renameAction(renaming, room)),
        }),
      }}
      card={(room) => (
        <Card
          key={room.id}
          poster={room.poster_url}
          name={room.title}
          to={toOf(room)}
          details={detailsOf(room)}
          actions={actionsOf(room)}
        />
      )}
    />
  );
});
