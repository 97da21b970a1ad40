import { Button, Group, Menu, Pagination, SegmentedControl, Select, Stack, Text } from '@mantine/core';
import { useLocalStorage, useMediaQuery } from '@mantine/hooks';
import { IconColumns3, IconPlus } from '@tabler/icons-react';
import { observer } from 'mobx-react-lite';
import { type ReactNode, useEffect, useState } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import { countText, hasFailed, type ListStore } from '../stores/list-store.ts';
import { type Bulk, BulkBar } from './BulkBar.tsx';
import cards from './cards.module.css';
import { type Column, useHiddenColumns } from './columns.ts';
import { List } from './List.tsx';
import { SavedViews } from './SavedViews.tsx';
import { Screen } from './Screen.tsx';
import { SearchField } from './SearchField.tsx';
import { NoCheck, RowCheck, Selection } from './SelectionBar.tsx';
import { Empty, Failed, LoadingRows, NoPermission } from './states.tsx';
import { Table, type TableParts } from './Table.tsx';
import { useAddressFilter } from './use-address-filter.ts';

/** Chooses visible columns; the name column always shows. */
function ColumnsMenu<Row>({ things, columns }: { things: string; columns: readonly Column<Row>[] }) {
  const [hidden, setHidden] = useHiddenColumns(things);
  return (
    <Menu position="bottom-end" shadow="md" withinPortal>
      <Menu.Target>
        <Button variant="default" leftSection={<IconColumns3 size={16} aria-hidden />}>
          Columns
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {columns.map(({ id, label }) => (
          <Menu.CheckboxItem
            key={id}
            checked={!hidden.includes(id)}
            onChange={(shows) => setHidden(shows ? hidden.filter((name) => name !== id) : [...hidden, id])}
          >
            {label}
          </Menu.CheckboxItem>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

/** Sort order where column headings are hidden: cards and phones. */
function OrderSelect<Row>({ parts: { columns, heading = 'Name', order, usual = 'name' } }: { parts: TableParts<Row> }) {
  const [params, set] = useAddressFilter();
  const orders = [{ label: heading, order }, ...columns].flatMap(({ label, order }) =>
    order
      ? [
          { value: order.name, label: `${label}, ascending` },
          { value: `-${order.name}`, label: `${label}, descending` },
        ]
      : [],
  );
  if (orders.length === 0) return null;
  return (
    <Select
      aria-label="Order"
      w={200}
      allowDeselect={false}
      data={orders}
      value={params.get('sort') ?? usual}
      onChange={(value) => set('sort', value === usual ? null : value)}
    />
  );
}

/** Texts, store and parts of a list screen. */
interface ListScreenProps<Row extends { id: number }> {
  title: string;
  /** Plural noun for the entries, such as "spaces". */
  things: string;
  store: ListStore<Row>;
  allowed: boolean;
  /** Target of "Add new"; undefined if the user may not add. */
  add?: string;
  /** Buttons next to "Add new". */
  actions?: ReactNode;
  /** Text for an empty list. */
  empty: string;
  /** Filters next to the search. */
  filters?: ReactNode;
  /** URL parameters that filter the list, besides search, page and sort. */
  filterNames?: readonly string[];
  /** Renders a row without columns. @param check checkbox for bulk selection */
  row?(row: Row, check: ReactNode): ReactNode;
  /** Columns, and the other parts of a row. */
  table?: TableParts<Row>;
  /** Bulk actions. */
  bulk?: Bulk<Row> | undefined;
  /** Renders an entry as a card, if the list has a card layout. */
  card?(row: Row): ReactNode;
}

/** List with search and pagination, both kept in the URL. */
export const ListScreen = observer(<Row extends { id: number }>(props: ListScreenProps<Row>) => {
  const {
    title,
    things,
    store,
    allowed,
    add,
    actions,
    empty,
    filters,
    filterNames = [],
    row,
    table,
    card,
    bulk,
  } = props;
  const [selection] = useState(() => new Selection());
  const [layout, setLayout] = useLocalStorage<'list' | 'cards'>({
    key: `enfilade.layout.${things}`,
    defaultValue: 'list',
    getInitialValueInEffect: false,
  });
  const isNarrow = useMediaQuery('(max-width: 600px)', undefined, { getInitialValueInEffect: false });
  const isCards = card !== undefined && layout === 'cards';
  const [params, setParams] = useSearchParams();
  const search = params.get('search') ?? '';
  const page = Math.max(1, Number(params.get('page')) || 1);
  const others = new URLSearchParams(
    [...filterNames, 'sort'].flatMap((name) => {
      const value = params.get(name);
      return value === null ? [] : [[name, value]];
    }),
  ).toString();
  useEffect(() => {
    const filters = Object.fromEntries(new URLSearchParams(others));
    selection.set([]);
    if (allowed) void store.load({ page, ...(search && { search }), ...(others && { filters }) });
  }, [store, allowed, search, page, others, selection]);

  const go = (changes: Record<string, string>) =>
    setParams(
      (before) => {
        const next = new URLSearchParams(before);
        for (const [name, value] of Object.entries(changes)) {
          if (value) next.set(name, value);
          else next.delete(name);
        }
        return next;
      },
      { replace: true },
    );
  const field = (
    <SearchField value={search} label={`Search ${things}`} onSearch={(value) => go({ search: value, page: '' })} />
  );
  const checkOf = (each: Row) =>
    bulk &&
    (bulk.except?.includes(each.id) ? (
      <NoCheck />
    ) : (
      <RowCheck selection={selection} id={each.id} name={bulk.nameOf(each)} />
    ));
  const isNarrowed = search !== '' || filterNames.some((name) => params.has(name));

  return (
    <Screen
      title={title}
      allowed={allowed}
      action={
        (add || actions) && (
          <Group gap="xs">
            {actions}
            {add && (
              <Button component={Link} to={add} leftSection={<IconPlus size={18} aria-hidden />}>
                Add new
              </Button>
            )}
          </Group>
        )
      }
    >
      <Group justify="space-between" align="flex-start">
        {field}
        <Group gap="xs">
          <SavedViews things={things} />
          {table && (isCards || isNarrow) && <OrderSelect parts={table} />}
          {table && !isCards && <ColumnsMenu things={things} columns={table.columns} />}
          {card && (
            <SegmentedControl
              aria-label="Layout"
              data={[
                { value: 'list', label: 'List' },
                { value: 'cards', label: 'Cards' },
              ]}
              value={layout}
              onChange={setLayout}
            />
          )}
        </Group>
      </Group>
      {filters}
      {store.listState === 'loading' && <LoadingRows />}
      {store.listState === 'forbidden' && <NoPermission />}
      {hasFailed(store.listState) && (
        <Failed what={`The ${things} could not be loaded`} onRetry={() => void store.load()} />
      )}
      {store.listState === 'ready' && store.meta.is_prefix_only && (
        <Text size="sm" c="dimmed">
          Only the beginnings of {things} are searched: the database lacks the extension pg_trgm.
        </Text>
      )}
      {store.listState === 'ready' && store.rows.length === 0 && (
        <Empty text={isNarrowed ? `No ${things} match. Try other words or fewer filters.` : empty}>
          {!isNarrowed && add && (
            <Button component={Link} to={add} variant="light">
              Add new
            </Button>
          )}
        </Empty>
      )}
      {store.listState === 'ready' && store.rows.length > 0 && (
        <Stack>
          {bulk && !isCards && <BulkBar store={store} selection={selection} things={things} bulk={bulk} />}
          {isCards && (
            <ul className={cards.cards} aria-label={title}>
              {store.rows.map(card)}
            </ul>
          )}
          {table && !isCards && <Table label={title} things={things} rows={store.rows} parts={table} lead={checkOf} />}
          {row && <List label={title}>{store.rows.map((each) => row(each, checkOf(each)))}</List>}
          {store.meta.last_page > 1 && (
            <Pagination
              total={store.meta.last_page}
              value={store.meta.page}
              onChange={(next) => {
                go({ page: next === 1 ? '' : String(next) });
                scrollTo(0, 0);
              }}
              getControlProps={(control) => ({ 'aria-label': `${control} page` })}
            />
          )}
          <Text size="sm" c="dimmed" aria-live="polite">
            {countText(store.meta.total, things, store.meta.is_more)}
            {store.rows.length < store.meta.total &&
              store.meta.last_page === 1 &&
              `, the first ${store.rows.length} shown`}
          </Text>
        </Stack>
      )}
    </Screen>
  );
});
