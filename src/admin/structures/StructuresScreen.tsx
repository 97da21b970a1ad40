import { Button, Group } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import {
  IconBox,
  IconExternalLink,
  IconEye,
  IconEyeOff,
  IconLock,
  IconPlus,
  IconSettings,
  IconTrash,
  IconWorldOff,
} from '@tabler/icons-react';
import { observer } from 'mobx-react-lite';
import { type ReactNode, useEffect, useState } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import type { Endpoint } from '../../contract/entities.ts';
import { showProblem } from '../../ui/notifications.ts';
import { Poster } from '../../ui/Poster.tsx';
import { useSession } from '../../ui/session/session-context.ts';
import type { SessionStore } from '../../ui/session/session-store.ts';
import { Tree } from '../../ui/tree/Tree.tsx';
import { type Bulk, type BulkAction, BulkBar, RowCheck, removalOf, Selection } from '../frame/BulkBar.tsx';
import { confirmRemoval, RowActions } from '../frame/List.tsx';
import { NewSpaceButton } from '../frame/NewSpaceButton.tsx';
import { NameField, type Renaming, renameAction, useRenaming } from '../frame/renaming.tsx';
import { Empty, Failed, LoadingRows, NoPermission, Screen } from '../frame/Screen.tsx';
import { SearchField } from '../frame/SearchField.tsx';
import { Quiet } from '../frame/text.tsx';
import { countText, hasFailed } from '../stores/list-store.ts';
import classes from './structures.module.css';
import { flatStructures, StructuresStore } from './structures-store.ts';

/** Bulk actions the user may run; undefined if none. */
function structureBulk(session: SessionStore, store: StructuresStore): Bulk<Endpoint> | undefined {
  const mayUpdate = session.may('endpoints', 'update');
  const mayDelete = session.may('endpoints', 'delete');
  if (!mayUpdate && !mayDelete) return undefined;
  const shows: BulkAction[] = [
    {
      label: 'Hide',
      icon: <IconEyeOff size={16} aria-hidden />,
      run: (ids, onProgress) => store.setVisible(ids, false, onProgress),
    },
    {
      label: 'Show',
      icon: <IconEye size={16} aria-hidden />,
      run: (ids, onProgress) => store.setVisible(ids, true, onProgress),
    },
  ];
  const removes = removalOf(
    (ids, onProgress) => store.removeMany(ids, onProgress),
    (ids) => store.removalText(ids),
  );
  return {
    nameOf: ({ name }) => name,
    actions: [...(mayUpdate ? shows : []), ...(mayDelete ? [removes] : [])],
  };
}

/** Row height in pixels, and the height for three-line names. */
const ROW = { usual: 48, narrow: 64 };

const StructureRow = observer(
  ({
    item,
    parent,
    grip,
    store,
    renaming,
    check,
  }: {
    item: Endpoint;
    parent: Endpoint | null;
    grip: ReactNode;
    store: StructuresStore;
    renaming: Renaming<Endpoint>;
    /** Checkbox of a row. */
    check: ReactNode;
  }) => {
    const session = useSession();
    const { id, name, is_closed, is_protected, is_visible, policies, room, room_id } = item;
    const remove = async () => {
      await confirmRemoval(
        {
          title: 'Are you sure you want to remove this structure?',
          text: `“${name}” and the structures below it will be removed. This cannot be undone.`,
        },
        () => store.remove(id),
      );
    };
    return (
      <>
        {check && <span className={classes.check}>{check}</span>}
        <Poster url={item.poster_url} width={48} />
        {renaming.has(item) ? (
          <NameField row={item} renaming={renaming} />
        ) : policies.update ? (
          <Link to={`/admin/structures/${id}`} className={classes.name} title={name}>
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
          <RowActions
            name={name}
            items={[
              renameAction(renaming, item),
              parent === null &&
                session.may('endpoints', 'create') && {
                  label: 'Add below',
                  icon: <IconPlus size={18} />,
                  to: `/admin/structures/add/${id}`,
                },
              {
                label: 'Visit',
                icon: <IconExternalLink size={18} />,
                onClick: () => void open(session.addressOf(item.path), '_blank', 'noopener'),
              },
              policies.update && {
                label: 'Settings',
                icon: <IconSettings size={18} />,
                to: `/admin/structures/${id}`,
              },
              room_id !== null &&
                room?.policies.update && {
                  label: 'Edit space',
                  icon: <IconBox size={18} />,
                  to: `/admin/editor/${room_id}`,
                },
              policies.delete && {
                label: 'Remove',
                icon: <IconTrash size={18} />,
                destroys: true,
                onClick: () => void remove(),
              },
            ]}
          />
        </div>
      </>
    );
  },
);

/** The tree of structures. */
export const StructuresScreen = observer(() => {
  const session = useSession();
  const [store] = useState(() => new StructuresStore(session.client));
  const [selection] = useState(() => new Selection());
  const bulk = structureBulk(session, store);
  const renaming = useRenaming<Endpoint>({
    nameOf: ({ name }) => name,
    may: ({ policies }) => policies.update,
    rename: ({ id, updated_at }, name, stamp = updated_at) =>
      session.client.endpoints.update({ params: { id }, body: { name, updated_at: stamp } }),
    load: () => store.load(),
  });
  const isNarrow = useMediaQuery('(hover: none), (max-width: 600px)', undefined, { getInitialValueInEffect: false });
  const [params, setParams] = useSearchParams();
  const search = params.get('search') ?? '';
  const allowed = session.may('endpoints', 'view_any');
  const mayCreate = session.may('endpoints', 'create');
  useEffect(() => {
    selection.set([]);
    if (allowed) void store.load(search ? { search } : {});
  }, [store, allowed, search, selection]);
  const add = mayCreate && (
    <Button component={Link} to="/admin/structures/add" leftSection={<IconPlus size={18} aria-hidden />}>
      Add new
    </Button>
  );
  return (
    <Screen
      title="Structures"
      allowed={allowed}
      action={
        <Group gap="xs">
          <NewSpaceButton />
          {add}
        </Group>
      }
    >
      <SearchField
        value={search}
        label="Search structures"
        onSearch={(value) => setParams(value ? { search: value } : {}, { replace: true })}
      />
      {store.listState === 'loading' && <LoadingRows />}
      {store.listState === 'forbidden' && <NoPermission />}
      {hasFailed(store.listState) && (
        <Failed what="The structures could not be loaded" onRetry={() => void store.load()} />
      )}
      {store.listState === 'ready' && store.rows.length === 0 && (
        <Empty
          text={
            search
              ? 'No structures match. Try other words.'
              : 'There are no structures yet. A structure gives a space its public address.'
          }
        >
          {!search && add}
        </Empty>
      )}
      {store.listState === 'ready' && store.rows.length > 0 && (
        <>
          {bulk && (
            <BulkBar
              store={store}
              rows={flatStructures(store.rows)}
              selection={selection}
              nouns="structures"
              bulk={bulk}
            />
          )}
          <Tree
            label="Structures"
            items={store.rows}
            search={search}
            rowHeight={isNarrow ? ROW.narrow : ROW.usual}
            maxHeight="calc(100dvh - 260px)"
            nameOf={({ name }) => name}
            // Search results can't be reordered: their order says nothing about the other structures.
            canMove={() => mayCreate && !search}
            canHold={(item, parent) =>
              parent === null || (parent.parent_endpoint_id === null && item.children.length === 0)
            }
            onMove={(item, place) => void store.move(item, place).catch(showProblem)}
            row={({ item, parent }, grip) => (
              <StructureRow
                item={item}
                parent={parent}
                grip={grip}
                store={store}
                renaming={renaming}
                check={bulk && <RowCheck selection={selection} id={item.id} name={item.name} />}
              />
            )}
          />
          <Quiet>{countText(store.meta.total, 'structures')}</Quiet>
        </>
      )}
    </Screen>
  );
});
