import { Button } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { observer } from 'mobx-react-lite';
import { useCallback, useEffect, useState } from 'react';
import { editorPath } from '../../contract/editor-path.ts';
import type { BlockContent, BlockPlace } from '../../contract/entities.ts';
import { showProblem } from '../../ui/notifications.ts';
import { useSession } from '../../ui/session/session-context.ts';
import { useIdParam } from '../frame/FormScreen.tsx';
import { ListScreen } from '../frame/ListScreen.tsx';
import type { Resource } from '../frame/resource.ts';
import { Tag } from '../frame/text.tsx';
import { ListStore } from '../stores/list-store.ts';
import { BLOCKS_PATH } from './BlocksScreen.tsx';
import { updatePlaces } from './update-places.ts';

type Place = BlockPlace & { id: number };

const placesOf = (id: number | null, block: BlockContent | null): Resource<Place> => ({
  title: block ? `Places of “${block.name}”` : 'Places',
  noun: 'place',
  nouns: 'places',
  area: 'rooms',
  path: `${BLOCKS_PATH}/${id}`,
  addPath: null,
  empty: 'No space has a place of this block yet. In a space, choose “Add an element” and then the block.',
  heading: 'Group',
  order: null,
  nameOf: ({ name, element_id }) => name || `Group ${element_id}`,
  linkOf: ({ room_id }) => editorPath(String(room_id), false) ?? undefined,
  columns: [
    { id: 'space', label: 'Space', cell: ({ room }) => room },
    { id: 'version', label: 'Version', cell: ({ version }) => version },
    {
      id: 'state',
      label: 'State',
      cell: ({ version, is_changed }) => (
        <>
          {is_changed && <Tag color="gray">Changed here</Tag>}
          {block && version < block.version && <Tag color="brass">To update</Tag>}
        </>
      ),
    },
  ],
});

/** The places of a block in spaces. */
export const PlacesScreen = observer(() => {
  const session = useSession();
  const { client } = session;
  const mayView = session.may('rooms', 'view_any');
  const id = useIdParam();
  const [block, setBlock] = useState<BlockContent | null>(null);
  const [store] = useState(
    () =>
      new ListStore<Place>({
        list: async ({ page }) => {
          const { data, meta } = await client.blocks.places({ params: { id: id! }, query: { page } });
          return { data: data.map((place) => ({ ...place, id: place.element_id })), meta };
        },
      }),
  );
  const load = useCallback(async () => {
    if (id !== null && mayView) setBlock(await client.blocks.read({ params: { id } }));
  }, [client, id, mayView]);
  useEffect(() => void load().catch(showProblem), [load]);
  const reload = () => Promise.all([load(), store.load()]);
  return (
    <ListScreen
      of={placesOf(id, block)}
      store={store}
      isShort
      actions={() => []}
      buttons={
        block !== null &&
        session.may('rooms', 'update') && (
          <Button
            leftSection={<IconRefresh size={18} aria-hidden />}
            onClick={() => void updatePlaces(client, block, reload).catch(showProblem)}
          >
            Update places
          </Button>
        )
      }
    />
  );
});
