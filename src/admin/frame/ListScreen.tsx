import { Button, type ButtonProps, Group, Pagination, SegmentedControl, Stack } from '@mantine/core';
import { useLocalStorage, useMediaQuery } from '@mantine/hooks';
import { IconChevronDown, IconEye, IconPlus, IconSettings, IconTrash } from '@tabler/icons-react';
import { observer } from 'mobx-react-lite';
import { type ReactNode, useDeferredValue, useEffect, useState } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import { type MenuAction, MenuOfActions } from '../../ui/ActionsMenu.tsx';
import { showProblemText } from '../../ui/notifications.ts';
import { useSession } from '../../ui/session/session-context.ts';
import { countText, hasFailed, type ListStore } from '../stores/list-store.ts';
import { type BulkAction, BulkBar, NoCheck, RowCheck, removalOf, Selection } from './BulkBar.tsx';
import cards from './cards.module.css';
import { FilterSheet } from './FilterSheet.tsx';
import { confirmRemoval, List, type RowActionItem, RowActions } from './List.tsx';
import { ColumnsMenu, OrderSelect } from './ListControls.tsx';
import { renameAction, useRenaming } from './renaming.tsx';
import type { Resource, RowParts } from './resource.ts';
import { SavedViews } from './SavedViews.tsx';
import { Empty, Failed, LoadingRows, NoPermission, Screen } from './Screen.tsx';
import { SearchField } from './SearchField.tsx';
import { Table } from './Table.tsx';
import { Quiet } from './text.tsx';

/** Everything about a list screen that its resource can't declare, since it depends on the screen's state. */
interface ListScreenProps<Row extends { id: number }> {
  of: Resource<Row>;
  store: ListStore<Row>;
  /** Whether the user may see the list, if their rights in its area don't decide. */
  allowed?: boolean;
  /** Opens the form of a new entry, if the resource has no path for it; missing if none can be added now. */
  onAdd?: (() => void) | undefined;
  /** Other ways to add entries, in a menu at "Add new". */
  otherAdds?: readonly MenuAction[];
  /** Buttons next to "Add new". */
  buttons?: ReactNode;
  /** Content between search and list, such as filters. */
  filters?: ReactNode;
  /** Navigation beside the list, such as folders. */
  aside?: ReactNode;
  /** Makes a row draggable. @param ids the dragged rows: the selection, if the row is in it @returns a function that stops it */
  carry?(element: HTMLElement, ids: () => readonly number[]): () => void;
  /** Whether the list is short: it has no search, views, or count. */
  isShort?: boolean;
  /** Ids that can be neither selected nor removed. */
  except?: readonly number[];
  /** Row actions between Rename and Remove; a link to the form by default. @param to target of the row's name */
  actions?(row: Row, to: string | undefined): readonly (RowActionItem | false | undefined)[];
  /** Bulk actions besides removal. */
  bulkActions?: readonly BulkAction[];
  /** Renders a row without columns. @param check checkbox for bulk selection @param actions row actions */
  row?(row: Row, check: ReactNode, actions: ReactNode): ReactNode;
  /** Renders the rows as a tree. */
  tree?(parts: RowParts<Row>, search: string): ReactNode;
  /** Renders an entry as a card, if the list has a card layout. */
  card?(
    row: Row,
    to: string | undefined,
    actions: ReactNode,
    parts: Pick<RowParts<Row>, 'checkOf' | 'carry'>,
  ): ReactNode;
  /** Whether cards show the checkboxes for bulk selection. */
  selectsCards?: boolean;
  /** Layout before the user chooses one; the list by default. */
  usualLayout?: 'list' | 'cards';
}

const toForm = (to: string | undefined): RowActionItem | false =>
  to !== undefined && { label: 'Settings', icon: <IconSettings size={18} />, to };

const textOf = <Row,>(text: string | ((row: Row) => string) | undefined, row: Row, usual: string): string =>
  typeof text === 'function' ? text(row) : (text ?? usual);

/** List of a resource with search and pagination, both kept in the URL. */
export const ListScreen = observer(<Row extends { id: number }>(props: ListScreenProps<Row>) => {
  const session = useSession();
  const {
    of: resource,
    store,
    onAdd,
    otherAdds = [],
    buttons,
    filters,
    aside,
    carry,
    isShort = false,
    except = [],
    bulkActions = [],
    row,
    card,
    selectsCards = false,
    usualLayout = 'list',
    tree,
  } = props;
  const {
    title,
    noun,
    nouns,
    area,
    path,
    nameOf,
    columns,
    removal,
    rename,
    filters: filterNames = [],
    place = '',
  } = resource;
  const { actions = (_: Row, to: string | undefined) => [toForm(to)] } = props;
  const allowed = props.allowed ?? session.may(area, 'view_any');
  const may = (each: Row, right: 'update' | 'delete') =>
    resource.may ? resource.may(each, right, session) : session.may(area, right);
  const { addPath: ownPath = `${path}/add` } = resource;
  const addPath = columns || tree ? (ownPath ?? undefined) : undefined;
  const mayAdd = session.may(area, 'create') && (onAdd ?? addPath) !== undefined;
  const [selection] = useState(() => new Selection());
  const renaming = useRenaming<Row>({
    nameOf,
    may: (each) => rename !== undefined && may(each, 'update'),
    rename: async (each, name, stamp) => rename!(session.client, each, name, stamp),
    load: () => store.load(),
  });
  const [layout, setLayout] = useLocalStorage<'list' | 'cards'>({
    key: `enfilade.layout.${nouns}`,
    defaultValue: usualLayout,
    getInitialValueInEffect: false,
  });
  const isNarrow = useMediaQuery('(max-width: 600px)', undefined, { getInitialValueInEffect: false });
  // The control responds at once; many cards or rows are rendered in slices after it.
  const shownLayout = useDeferredValue(layout);
  const isCards = card !== undefined && shownLayout === 'cards';
  const [params, setParams] = useSearchParams();
  const search = params.get('search') ?? '';
  const page = Math.max(1, Number(params.get('page')) || 1);
  const others = new URLSearchParams(
    [...filterNames, place, 'sort'].flatMap((name) => {
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
  const remove = async (each: Row) => {
    const refusal = removal?.refuse?.(each);
    if (refusal !== undefined) return showProblemText(refusal);
    await confirmRemoval(
      {
        title: textOf(removal?.title, each, `Are you sure you want to remove this ${noun}?`),
        text: textOf(removal?.text, each, `The ${noun} will be removed. This cannot be undone.`),
      },
      () => store.remove(each.id),
    );
  };
  const linkOf = (each: Row) =>
    may(each, 'update') ? (resource.linkOf ? resource.linkOf(each) : `${path}/${each.id}`) : undefined;
  // Users who may only see an entry find its form among the actions.
  const viewOf = (each: Row, to: string | undefined): RowActionItem | false =>
    resource.isViewed === true &&
    to === undefined && { label: 'View', icon: <IconEye size={18} />, to: `${path}/${each.id}` };
  const actionsOf = (each: Row, mayRename = true) => (
    <RowActions
      name={nameOf(each)}
      isMenu={!mayRename && selectsCards}
      items={[
        mayRename && renameAction(renaming, each),
        ...actions(each, linkOf(each)),
        viewOf(each, linkOf(each)),
        removal !== undefined &&
          !except.includes(each.id) &&
          may(each, 'delete') && {
            label: 'Remove',
            icon: <IconTrash size={18} />,
            destroys: true,
            onClick: () => void remove(each),
          },
      ]}
    />
  );
  const removesMany = removal !== undefined && session.may(area, 'delete');
  const question = removal?.question;
  const bulk = (bulkActions.length > 0 || removesMany) && {
    nameOf,
    except,
    actions: [
      ...bulkActions,
      ...(removesMany
        ? [
            removalOf(
              (ids, onProgress) => store.removeMany(ids, onProgress),
              typeof question === 'function' ? (ids) => question(ids, session.client) : question,
            ),
          ]
        : []),
    ],
  };
  const checkOf = (each: Row) =>
    bulk &&
    (except.includes(each.id) ? <NoCheck /> : <RowCheck selection={selection} id={each.id} name={nameOf(each)} />);
  const parts: RowParts<Row> = {
    renaming,
    checkOf,
    linkOf,
    actionsOf,
    ...(carry && {
      carry: (element, { id }) => carry(element, () => (selection.ids.has(id) ? [...selection.ids] : [id])),
    }),
  };
  const shown = store.rows.length;
  const narrowing = filterNames.filter((name) => params.has(name)).length;
  const isNarrowed = search !== '' || narrowing > 0;
  const addButton = (look: ButtonProps) =>
    addPath ? (
      <Button component={Link} to={addPath} {...look}>
        Add new
      </Button>
    ) : (
      <Button onClick={onAdd} {...look}>
        Add new
      </Button>
    );

  const controls = (
    <>
      <SavedViews of={resource} />
      {columns && (isCards || isNarrow) && <OrderSelect of={resource} />}
      {columns && !isCards && <ColumnsMenu of={resource} columns={columns} />}
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
    </>
  );

  const content = (
    <>
      {store.listState === 'loading' && <LoadingRows />}
      {store.listState === 'forbidden' && <NoPermission />}
      {hasFailed(store.listState) && (
        <Failed what={`The ${nouns} could not be loaded`} onRetry={() => void store.load()} />
      )}
      {store.listState === 'ready' && store.meta.is_prefix_only && (
        <Quiet>Only the beginnings of {nouns} are searched: the database lacks the extension pg_trgm.</Quiet>
      )}
      {store.listState === 'ready' && store.rows.length === 0 && (
        <Empty text={isNarrowed ? `No ${nouns} match. Try other words or fewer filters.` : resource.empty}>
          {!isNarrowed && mayAdd && addButton({ variant: 'light' })}
        </Empty>
      )}
      {store.listState === 'ready' && store.rows.length > 0 && (
        <Stack {...(tree && { gap: 'lg' })}>
          {bulk && (!isCards || selectsCards) && (
            <BulkBar store={store} selection={selection} nouns={nouns} bulk={bulk} rows={store.rows} />
          )}
          {tree?.(parts, search)}
          {isCards && (
            <ul className={cards.cards} aria-label={title}>
              {store.rows.map((each) => card(each, linkOf(each), actionsOf(each, false), parts))}
            </ul>
          )}
          {columns && !isCards && !tree && <Table of={resource} rows={store.rows} parts={parts} />}
          {row && <List label={title}>{store.rows.map((each) => row(each, checkOf(each), actionsOf(each)))}</List>}
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
          {!isShort && (
            <Quiet aria-live="polite">
              {countText(store.meta.total, nouns, store.meta.is_more)}
              {shown < store.meta.total && store.meta.last_page === 1 && `, the first ${shown} shown`}
            </Quiet>
          )}
        </Stack>
      )}
    </>
  );

  return (
    <Screen
      title={title}
      allowed={allowed}
      action={
        (mayAdd || buttons) && (
          <Group gap="xs">
            {buttons}
            {mayAdd && (
              <Button.Group>
                {addButton({ leftSection: <IconPlus size={18} aria-hidden /> })}
                {otherAdds.length > 0 && (
                  <MenuOfActions
                    items={otherAdds}
                    target={
                      <Button aria-label="More ways to add" px={8}>
                        <IconChevronDown size={18} aria-hidden />
                      </Button>
                    }
                  />
                )}
              </Button.Group>
            )}
          </Group>
        )
      }
    >
      {!isShort && (
        <Group justify="space-between" align="flex-start" wrap={isNarrow ? 'nowrap' : 'wrap'}>
          <SearchField value={search} label={`Search ${nouns}`} onSearch={(value) => go({ search: value, page: '' })} />
          {isNarrow ? (
            <FilterSheet
              count={narrowing}
              onClear={() => go(Object.fromEntries([...filterNames, 'page'].map((name) => [name, ''])))}
            >
              {controls}
              {filters}
            </FilterSheet>
          ) : (
            <Group gap="xs">{controls}</Group>
          )}
        </Group>
      )}
      {(isShort || !isNarrow) && filters}
      {aside ? (
        <div className={cards.beside}>
          {aside}
          <Stack gap="lg">{content}</Stack>
        </div>
      ) : (
        content
      )}
    </Screen>
  );
});
