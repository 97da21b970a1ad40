import { useMediaQuery } from '@mantine/hooks';
import {
  IconBox,
  IconExternalLink,
  IconEye,
  IconEyeOff,
  IconLock,
  IconPlus,
  IconSettings,
  IconWorldOff,
} from '@tabler/icons-react';
import { observer } from 'mobx-react-lite';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router-dom';
import type { Endpoint } from '../../contract/entities.ts';
import { showProblem } from '../../ui/notifications.ts';
import { Poster } from '../../ui/Poster.tsx';
import { useSession } from '../../ui/session/session-context.ts';
import { Tree } from '../../ui/tree/Tree.tsx';
import { switchActions } from '../frame/BulkBar.tsx';
import { ListScreen } from '../frame/ListScreen.tsx';
import { NewSpaceButton } from '../frame/NewSpaceButton.tsx';
import { NameField } from '../frame/renaming.tsx';
import { type Resource, type RowParts, rowRights } from '../frame/resource.ts';
import classes from './structures.module.css';
import { flatStructures, removalText, StructuresStore } from './structures-store.ts';

const STRUCTURES: Resource<Endpoint> = {
  title: 'Structures',
  noun: 'structure',
  nouns: 'structures',
  area: 'endpoints',
  path: '/admin/structures',
  empty: 'There are no structures yet. A structure gives a space its public address.',
  nameOf: ({ name }) => name,
  may: rowRights,
  rename: ({ endpoints }, { id, updated_at }, name, stamp = updated_at) =>
    endpoints.update({ params: { id }, body: { name, updated_at: stamp } }),
  removal: {
    text: ({ name }) => `“${name}” and the structures below it will be removed. This cannot be undone.`,
    question: removalText,
  },
};

/** Row height in pixels, and the height for three-line names. */
const ROW = { usual: 48, narrow: 64 };

const StructureRow = observer(
  ({
    item,
    grip,
    of: { renaming, checkOf, linkOf, actionsOf },
  }: {
    item: Endpoint;
    grip: ReactNode;
    of: RowParts<Endpoint>;
  }) => {
    const { name, is_closed, is_protected, is_visible } = item;
    const check = checkOf(item);
    const to = linkOf(item);
    return (
      <>
        {check && <span className={classes.check}>{check}</span>}
        <Poster url={item.poster_url} width={48} />
        {renaming.has(item) ? (
          <NameField row={item} renaming={renaming} />
        ) : to !== undefined ? (
          <Link to={to} className={classes.name} title={name} data-primary tabIndex={-1}>
            {name}
          </Link>
        ) : (
          <span className={classes.name}>{name}</span>
        )}
        {is_protected && <IconLock size={16} role="img" aria-label="Protected" />}
        {!is_visible && <IconEyeOff size={16} role="img" aria-label="Hidden" />}
        {is_closed && <IconWorldOff size={16} role="img" aria-label="Closed: its space is not published" />}
        <div className={classes.actions}>
          {grip}
          {actionsOf(item)}
        </div>
      </>
    );
  },
);

/** The tree of structures. */
export const StructuresScreen = observer(() => {
  const session = useSession();
  const { client } = session;
  const [store] = useState(() => new StructuresStore(client));
  const isNarrow = useMediaQuery('(hover: none), (max-width: 600px)', undefined, { getInitialValueInEffect: false });
  const mayCreate = session.may('endpoints', 'create');
  return (
    <ListScreen
      of={STRUCTURES}
      store={store}
      buttons={<NewSpaceButton />}
      bulkRows={flatStructures(store.rows)}
      bulkActions={
        session.may('endpoints', 'update')
          ? switchActions(client, store, 'structures', [
              {
                label: 'Hide',
                icon: <IconEyeOff size={16} aria-hidden />,
                action: 'endpoints.hide',
                done: 'hidden now.',
                state: 'hidden',
              },
              {
                label: 'Show',
                icon: <IconEye size={16} aria-hidden />,
                action: 'endpoints.show',
                done: 'visible now.',
                state: 'visible',
              },
            ])
          : []
      }
      actions={({ id, parent_endpoint_id, path, room, room_id }, to) => [
        parent_endpoint_id === null &&
          mayCreate && { label: 'Add below', icon: <IconPlus size={18} />, to: `${STRUCTURES.path}/add/${id}` },
        {
          label: 'Visit',
          icon: <IconExternalLink size={18} />,
          onClick: () => void open(session.addressOf(path), '_blank', 'noopener'),
        },
        to !== undefined && { label: 'Settings', icon: <IconSettings size={18} />, to },
        room_id !== null &&
          room?.policies.update && { label: 'Edit space', icon: <IconBox size={18} />, to: `/admin/editor/${room_id}` },
      ]}
      tree={(parts, search) => (
        <Tree
          label="Structures"
          items={store.rows}
          search={search}
          rowHeight={isNarrow ? ROW.narrow : ROW.usual}
          maxHeight="calc(100dvh - 260px)"
          nameOf={STRUCTURES.nameOf}
          statesOf={({ is_protected, is_visible, is_closed }) =>
            [is_protected && 'protected', !is_visible && 'hidden', is_closed && 'closed'].filter(
              (state) => state !== false,
            )
          }
          // Search results can't be reordered: their order says nothing about the other structures.
          canMove={() => mayCreate && !search}
          canHold={(item, parent) =>
            parent === null || (parent.parent_endpoint_id === null && item.children.length === 0)
          }
          onMove={(item, place) => void store.move(item, place).catch(showProblem)}
          row={({ item }, grip) => <StructureRow item={item} grip={grip} of={parts} />}
        />
      )}
    />
  );
});
