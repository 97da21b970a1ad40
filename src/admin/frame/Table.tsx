import { Text, VisuallyHidden } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react';
import { observer } from 'mobx-react-lite';
import type { ComponentProps, CSSProperties } from 'react';
import { Link } from 'react-router-dom';
import { useAddressFilter } from './FilterSelect.tsx';
import { NameField } from './renaming.tsx';
import type { Resource, RowParts } from './resource.ts';
import classes from './table.module.css';

/** What a list says about its columns. */
export type HiddenColumns = { nouns: string; hidden?: readonly string[] };

/**
 * Hidden columns of a list in this browser, and a setter.
 * @param of the resource: plural noun of its entries, and the columns hidden at first
 */
export function useHiddenColumns({
  nouns,
  hidden = [],
}: HiddenColumns): [readonly string[], (ids: readonly string[]) => void] {
  const [kept, keep] = useLocalStorage<readonly string[]>({
    key: `enfilade.columns.${nouns}`,
    defaultValue: hidden,
    getInitialValueInEffect: false,
  });
  return [Array.isArray(kept) ? kept : [], (ids) => keep([...ids].sort())];
}

/** Number of columns up to which they share the width. */
const FEW = 4;
/** Width of the names beside few columns: more than twice that of the actions, which cover their end. */
const NAME = 'minmax(min(400px, 40vw), 3fr)';

/** A sort key without its direction. */
export const keyOf = (order: string) => order.replace(/^-/, '');

/** Button of a column heading that sorts a list. @param direction current direction, if the list is sorted by the column */
export const SortButton = ({
  direction,
  children,
  ...rest
}: { direction: 'ascending' | 'descending' | 'none' } & ComponentProps<'button'>) => (
  <button type="button" className={classes.sort} {...rest}>
    {children}
    {direction === 'ascending' && <IconChevronUp size={14} aria-hidden />}
    {direction === 'descending' && <IconChevronDown size={14} aria-hidden />}
  </button>
);

/** Column heading; a button if sortable. */
function Heading({ label, order, usual }: { label: string; order: string | null | undefined; usual: string }) {
  const [params, set] = useAddressFilter();
  if (!order) return <th scope="col">{label}</th>;
  const current = params.get('sort') ?? usual;
  const isCurrent = keyOf(current) === keyOf(order);
  const direction = isCurrent ? (current.startsWith('-') ? 'descending' : 'ascending') : 'none';
  const reversed = current.startsWith('-') ? keyOf(current) : `-${current}`;
  const next = isCurrent ? reversed : order;
  return (
    <th scope="col" aria-sort={direction}>
      <SortButton direction={direction} onClick={() => set('sort', next === usual ? null : next)}>
        {label}
      </SortButton>
    </th>
  );
}

/** Table with sortable headings; names link to the form. On phones, each value shows its heading. */
export const Table = observer(
  <Row extends { id: number }>({
    of,
    of: { title, nameOf, columns = [], heading = 'Name', order = 'name', usual = 'name', lead, isCode },
    rows,
    parts: { renaming, checkOf, linkOf, actionsOf, carry },
  }: {
    of: Resource<Row>;
    rows: readonly Row[];
    parts: RowParts<Row>;
  }) => {
    const [hidden] = useHiddenColumns(of);
    const shown = columns.filter(({ id }) => !hidden.includes(id));
    // Few columns share the width, so that none is far from the name.
    const track = shown.length <= FEW ? 'minmax(auto, 1fr)' : 'fit-content(300px)';
    const tracks = [shown.length <= FEW ? NAME : 'minmax(220px, 1fr)', ...shown.map(() => track), 'auto'].join(' ');
    const nameIn = (row: Row) => {
      const to = linkOf(row);
      if (renaming.has(row)) return <NameField row={row} renaming={renaming} />;
      if (to === undefined)
        return (
          <Text span className={classes.name} data-code={isCode || undefined}>
            {nameOf(row)}
          </Text>
        );
      return (
        <Link to={to} className={classes.name} data-code={isCode || undefined}>
          {nameOf(row)}
        </Link>
      );
    };
    return (
      <table aria-label={title} className={classes.table} style={{ '--tracks': tracks } as CSSProperties}>
        <thead>
          <tr className={classes.headings}>
            <Heading label={heading} usual={usual} order={order} />
            {shown.map(({ id, label, order: own }) => (
              <Heading key={id} label={label} usual={usual} order={own} />
            ))}
            <th scope="col">
              <VisuallyHidden>Actions</VisuallyHidden>
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr
              key={row.id}
              ref={carry && ((element) => (element ? carry(element, row) : undefined))}
              className={classes.row}
              data-id={row.id}
              data-field={renaming.has(row) || undefined}
            >
              <th scope="row" className={classes.head}>
                {checkOf(row)}
                {lead?.(row)}
                {nameIn(row)}
              </th>
              {shown.map(({ id, label, cell }) => (
                <td key={id} className={classes.cell} data-label={label}>
                  {cell(row)}
                </td>
              ))}
              <td className={classes.actions}>{actionsOf(row)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    );
  },
);
