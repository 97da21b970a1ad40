import { Button, Group, VisuallyHidden } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import {
  IconBox,
  IconExternalLink,
  IconEye,
  IconEyeOff,
  IconFold,
  IconFoldDown,
  IconLock,
  IconPlus,
  IconSettings,
  IconSitemap,
  IconWorldOff,
} from '@tabler/icons-react';
import { observer } from 'mobx-react-lite';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router-dom';
import type { EndpointListRow } from '../../contract/entities.ts';
import { numberText } from '../../ui/language/say.ts';
import { dateText, momentText } from '../../ui/moment-text.ts';
import { showProblem } from '../../ui/notifications.ts';
import { Poster } from '../../ui/Poster.tsx';
import { useSession } from '../../ui/session/session-context.ts';
import { Tree } from '../../ui/tree/Tree.tsx';
import { type BulkAction, switchActions } from '../frame/BulkBar.tsx';
import { type AskedEntry, ChooseDialog, chosenEntry } from '../frame/ChooseDialog.tsx';
import { FilterSelect, useAddressFilter } from '../frame/FilterSelect.tsx';
import { ListScreen } from '../frame/ListScreen.tsx';
import { publishing } from '../frame/publish-many.tsx';
import { NameField } from '../frame/renaming.tsx';
import { type Resource, type RowParts, rowRights } from '../frame/resource.ts';
import { SortButton, useHiddenColumns } from '../frame/Table.tsx';
import { useNewFromFiles } from '../frame/use-new-from-files.tsx';
import { countText } from '../stores/list-store.ts';
import classes from './structures.module.css';
import { removalText, type StructureRow, StructuresStore } from './structures-store.ts';

/** When the structure opens, or its sequence starts; empty if it has no effect. */
const scheduleText = ({ is_timed, show_countdown, start_date, start_time }: EndpointListRow): string =>
  start_time === null || !(is_timed || show_countdown)
    ? ''
    : `${start_date === null ? 'Daily' : dateText(start_date)}, ${start_time}`;

const STRUCTURES: Resource<EndpointListRow> = {
  title: 'Structures',
  noun: 'structure',
  nouns: 'structures',
  area: 'endpoints',
  path: '/admin/structures',
  isViewed: true,
  empty: 'There are no structures yet. A structure gives a space its public address.',
  nameOf: ({ name }) => name,
  may: rowRights,
  filters: ['state', 'level'],
  usual: 'tree',
  usualLabel: 'As in the tree',
  columns: [
    { id: 'path', label: 'URL', order: 'path', cell: ({ path }) => path },
    { id: 'space', label: 'Space', cell: ({ room }) => room?.title },
    {
      id: 'tokens',
      label: 'Tokens',
      cell: ({ access_tokens_count: count }) => (count > 0 ? numberText(count) : ''),
    },
    { id: 'schedule', label: 'Schedule', order: 'schedule', cell: scheduleText },
    {
      id: 'updated',
      label: 'Changed',
      order: '-updated',
      cell: ({ updated_at, edited_by }) => (
        <>
          {momentText(updated_at)}
          {edited_by !== null && <span className={classes.editor}>by {edited_by}</span>}
        </>
      ),
    },
  ],
  rename: ({ endpoints }, { id, updated_at }, name, stamp = updated_at) =>
    endpoints.update({ params: { id }, body: { name, updated_at: stamp } }),
  removal: {
    text: ({ name }) => `“${name}” and the structures below it will be removed. This cannot be undone.`,
    question: removalText,
  },
};

const STATES = [
  { value: 'visible', label: 'Visible' },
  { value: 'hidden', label: 'Hidden' },
  { value: 'protected', label: 'Protected' },
  { value: 'closed', label: 'Not published' },
  { value: 'empty', label: 'Without a space' },
];

/** Row height in pixels, and the height for three-line names. */
const ROW = { usual: 48, narrow: 64 };

const useColumns = () => {
  const [hidden] = useHiddenColumns(STRUCTURES);
  return (STRUCTURES.columns ?? []).filter(({ id }) => !hidden.includes(id));
};

const StructureLine = observer(
  ({
    item,
    grip,
    isFlat,
    of: { renaming, checkOf, linkOf, actionsOf },
  }: {
    item: StructureRow;
    grip: ReactNode;
    /** Whether the list is not in the order of the tree. */
    isFlat: boolean;
    of: RowParts<EndpointListRow>;
  }) => {
    const { name, is_closed, is_protected, is_visible, parent_name } = item;
    const columns = useColumns();
    const check = checkOf(item);
    const to = linkOf(item);
    return (
      <>
        {check && <span className={classes.check}>{check}</span>}
        <Poster url={item.poster_url} width={48} />
        <span id={`structure-${item.id}`} className={classes.facts}>
          <span className={classes.title}>
            {renaming.has(item) ? (
              <NameField row={item} renaming={renaming} />
            ) : to !== undefined ? (
              <Link to={to} className={classes.name} title={name} data-primary tabIndex={-1}>
                {name}
              </Link>
            ) : (
              <span className={classes.name}>{name}</span>
            )}
            {is_protected && <IconLock size={16} aria-hidden />}
            {!is_visible && <IconEyeOff size={16} aria-hidden />}
            {is_closed && <IconWorldOff size={16} aria-hidden />}
            {isFlat && parent_name !== null && <span className={classes.parent}>{parent_name}</span>}
          </span>
          {columns.map((column) => (
            <span key={column.id} className={classes.cell} data-column={column.id}>
              {column.cell(item)}
            </span>
          ))}
        </span>
        <div className={classes.actions}>
          {grip}
          {actionsOf(item)}
        </div>
      </>
    );
  },
);

/** Heading of a column: sorts ascending, descending, then as in the tree again. */
function Heading({ label, order }: { label: string; order: string | undefined }) {
  const [params, set] = useAddressFilter();
  if (order === undefined) return label;
  const current = params.get('sort');
  const reversed = order.startsWith('-') ? order.slice(1) : `-${order}`;
  const isCurrent = current === order || current === reversed;
  const next = current === order ? reversed : current === reversed ? null : order;
  const direction = isCurrent ? (current.startsWith('-') ? 'descending' : 'ascending') : 'none';
  return (
    <SortButton direction={direction} aria-pressed={isCurrent} onClick={() => set('sort', next)}>
      {label}
      {isCurrent && <VisuallyHidden> {direction}</VisuallyHidden>}
    </SortButton>
  );
}

function Headings() {
  return (
    <div className={classes.headings}>
      <span className={classes.title}>
        <Heading label="Name" order="name" />
      </span>
      {useColumns().map(({ id, label, order }) => (
        <span key={id} className={classes.cell} data-column={id}>
          <Heading label={label} order={order ?? undefined} />
        </span>
      ))}
    </div>
  );
}

/** Filters, and a switch between all branches open and closed. */
const Filters = observer(({ store }: { store: StructuresStore }) => {
  const [params, set] = useAddressFilter();
  const isClosed = params.get('level') === 'top';
  return (
    <Group>
      <FilterSelect name="state" aria-label="State" placeholder="All states" data={STATES} />
      {store.isTree && !params.has('state') && !params.has('search') && (
        <Button
          variant="default"
          leftSection={isClosed ? <IconFoldDown size={16} aria-hidden /> : <IconFold size={16} aria-hidden />}
          onClick={() => set('level', isClosed ? null : 'top')}
        >
          {isClosed ? 'Expand all' : 'Collapse all'}
        </Button>
      )}
    </Group>
  );
});

/** The tree of structures. */
export const StructuresScreen = observer(() => {
  const session = useSession();
  const { client } = session;
  const [store] = useState(() => new StructuresStore(client));
  const fromFiles = useNewFromFiles();
  const isNarrow = useMediaQuery('(hover: none), (max-width: 600px)', undefined, { getInitialValueInEffect: false });
  const mayCreate = session.may('endpoints', 'create');
  const { isTree, isCollapsed, tree } = store;
  const isNarrowed = Boolean(store.query.search) || store.query.filters?.state !== undefined;
  const spacesOf = (ids: readonly number[]) =>
    store.rows.flatMap(({ id, room }) => (room && ids.includes(id) ? [room.id] : []));
  const [asked, setAsked] = useState<AskedEntry | null>(null);
  const moving: BulkAction = {
    label: 'Move',
    icon: <IconSitemap size={16} aria-hidden />,
    run: async (ids, onProgress) => {
      const parent_endpoint_id = await chosenEntry(setAsked, {
        title: `Move ${countText(ids.length, 'structures')}`,
        label: 'Below',
        placeholder: 'Top level',
        action: 'Move',
        find: async (search) => {
          const { data } = await client.endpoints.rows({ query: { level: 'top', ...(search && { search }) } });
          return data.map(({ id, name, path, poster_url }) => ({
            id,
            name: `${name} (${path})`,
            poster: poster_url,
            isDisabled: ids.includes(id),
          }));
        },
      });
      return parent_endpoint_id === undefined ? null : store.moveMany(ids, parent_endpoint_id, onProgress);
    },
  };
  return (
    <>
      {asked && <ChooseDialog asked={asked} />}
      <ListScreen
        of={STRUCTURES}
        store={store}
        otherAdds={fromFiles}
        filters={<Filters store={store} />}
        bulkActions={
          session.may('endpoints', 'update')
            ? [
                ...(session.may('rooms', 'update') ? [publishing(client, () => store.load(), spacesOf)] : []),
                moving,
                ...switchActions(client, store, 'structures', [
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
                ]),
              ]
            : []
        }
        actions={({ id, parent_endpoint_id, path, room }, to) => [
          parent_endpoint_id === null &&
            mayCreate && { label: 'Add below', icon: <IconPlus size={18} />, to: `${STRUCTURES.path}/add/${id}` },
          {
            label: 'Visit',
            icon: <IconExternalLink size={18} />,
            onClick: () => void open(session.addressOf(path), '_blank', 'noopener'),
          },
          to !== undefined && { label: 'Settings', icon: <IconSettings size={18} />, to },
          room?.policies.update && { label: 'Edit space', icon: <IconBox size={18} />, to: `/admin/editor/${room.id}` },
        ]}
        tree={(parts, search) => (
          <div>
            <Headings />
            <Tree<StructureRow>
              // Each page begins at its top.
              key={store.meta.page}
              label="Structures"
              items={tree}
              search={search}
              rowHeight={isNarrow ? ROW.narrow : ROW.usual}
              maxHeight="calc(100dvh - 320px)"
              nameOf={STRUCTURES.nameOf}
              labelledBy={({ id }) => `structure-${id}`}
              statesOf={({ is_protected, is_visible, is_closed }) =>
                [is_protected && 'protected', !is_visible && 'hidden', is_closed && 'closed'].filter(
                  (state) => state !== false,
                )
              }
              hasUnloaded={(item) => isCollapsed && item.children_count > 0}
              onLoad={(item) => void store.openBranch(item).catch(showProblem)}
              // In other orders and in search results, places say nothing about the other structures.
              canMove={() => mayCreate && isTree && !isNarrowed}
              canHold={(item, parent) =>
                parent === null ||
                (parent.parent_endpoint_id === null &&
                  item.children.length === 0 &&
                  !(isCollapsed && item.children_count > 0))
              }
              onMove={(item, place) => void store.move(item, place).catch(showProblem)}
              row={({ item }, grip) => <StructureLine item={item} grip={grip} isFlat={!isTree} of={parts} />}
            />
          </div>
        )}
      />
    </>
  );
});
