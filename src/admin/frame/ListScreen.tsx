import { Button, Group, Pagination, SegmentedControl, Stack, Text } from '@mantine/core';
import { useLocalStorage, useMediaQuery } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import { observer } from 'mobx-react-lite';
import { type ReactNode, useEffect, useState } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import { hasFailed, type ListStore } from '../stores/list-store.ts';
import { Selection } from '../stores/selection.ts';
import { type Bulk, BulkBar } from './BulkBar.tsx';
import { ColumnsMenu } from './ColumnsMenu.tsx';
import cards from './cards.module.css';
import { countText } from './count-text.ts';
import { List } from './List.tsx';
import { OrderSelect } from './OrderSelect.tsx';
import { SavedViews } from './SavedViews.tsx';
import { Screen } from './Screen.tsx';
import { SearchField } from './SearchField.tsx';
import { NoCheck, RowCheck } from './SelectionBar.tsx';
import { Empty, Failed, LoadingRows, NoPermission } from './states.tsx';
import { Table, type TableParts } from './Table.tsx';

/** What a list screen says and shows. */
export interface ListScreenProps<Row extends { id: number }> {
  title: string;
  /** What the entries are called, such as "spaces". */
  things: string;
  store: ListStore<Row>;
  allowed: boolean;
  /** Where "Add new" leads; undefined for whoever may not add. */
  add?: string;
  /** Buttons beside "Add new". */
  actions?: ReactNode;
  /** What is said when there is nothing yet. */
  empty: string;
  /** Filters beside the search. */
  filters?: ReactNode;
  /** Names in the address, besides search, page and order, that narrow the list. */
  filterNames?: readonly string[];
  /** An entry of a list without columns. @param check its check box, where many are chosen at once */
  row?(row: Row, check: ReactNode): ReactNode;
  /** Columns, and what a row is beside them. */
  table?: TableParts<Row>;
  /** What can be done with many at once; nothing when left out. */
  bulk?: Bulk<Row> | undefined;
  /** The same as a card, where the list can be shown as cards, too. */
  card?(row: Row): ReactNode;
}

/** A list with search and pages, both kept in the address. */
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
            {countText(store.meta.total, things)}
          </Text>
        </Stack>
      )}
    </Screen>
  );
});
