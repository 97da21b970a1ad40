import { IconRefresh } from '@tabler/icons-react';
import { observer } from 'mobx-react-lite';
import { useState } from 'react';
import { BLOCK_ORDERS } from '../../contract/calls/blocks.ts';
import type { Block } from '../../contract/entities.ts';
import { momentText } from '../../ui/moment-text.ts';
import { showProblem } from '../../ui/notifications.ts';
import { useSession } from '../../ui/session/session-context.ts';
import { ListScreen } from '../frame/ListScreen.tsx';
import { type Resource, rowRights } from '../frame/resource.ts';
import { Tag } from '../frame/text.tsx';
import { chosenOrder, countText, ListStore } from '../stores/list-store.ts';
import { updatePlaces } from './update-places.ts';

/** Path of the list; the places of a block are below it. */
export const BLOCKS_PATH = '/admin/spaces/blocks';

const BLOCKS: Resource<Block> = {
  title: 'Blocks',
  noun: 'block',
  nouns: 'blocks',
  area: 'rooms',
  path: BLOCKS_PATH,
  addPath: null,
  isViewed: true,
  empty: 'There are no blocks yet. In a space, select elements and choose “Save as block”.',
  nameOf: ({ name }) => name,
  linkOf: ({ id }) => `${BLOCKS_PATH}/${id}`,
  may: rowRights,
  rename: ({ blocks }, { id, updated_at }, name, stamp = updated_at) =>
    blocks.update({ params: { id }, body: { name, updated_at: stamp } }),
  columns: [
    { id: 'elements', label: 'Elements', cell: ({ element_count }) => element_count },
    { id: 'places', label: 'Places', cell: ({ places }) => places },
    {
      id: 'outdated',
      label: 'To update',
      cell: ({ outdated }) => outdated > 0 && <Tag color="brass">{countText(outdated, 'places')}</Tag>,
    },
    { id: 'edited', label: 'Edited', order: '-edited', cell: ({ updated_at }) => momentText(updated_at) },
    { id: 'editor', label: 'Edited by', cell: ({ edited_by }) => edited_by },
  ],
  removal: {
    text: ({ places }) =>
      places === 0
        ? 'No space has a place of it.'
        : `${countText(places, 'places')} in spaces will keep ${places === 1 ? 'its' : 'their'} elements, but can no longer be updated.`,
  },
};

/** The organization's blocks. */
export const BlocksScreen = observer(() => {
  const session = useSession();
  const { client } = session;
  const [store] = useState(
    () =>
      new ListStore<Block>({
        list: ({ search, page, filters }) =>
          client.blocks.list({ query: { search, page, sort: chosenOrder(BLOCK_ORDERS, filters) } }),
        remove: (id) => client.blocks.remove({ params: { id } }),
        bin: { client, entity: 'block' },
        bulk: { client, action: 'blocks.remove', nouns: 'blocks' },
      }),
  );
  const update = (block: Block) => void updatePlaces(client, block, () => store.load()).catch(showProblem);
  return (
    <ListScreen
      of={BLOCKS}
      store={store}
      actions={(block) => [
        block.outdated > 0 &&
          session.may('rooms', 'update') && {
            label: 'Update places',
            icon: <IconRefresh size={18} />,
            onClick: () => update(block),
          },
      ]}
    />
  );
});
