import { Text, VisuallyHidden } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react';
import { observer } from 'mobx-react-lite';
import type { CSSProperties, ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { useAddressFilter } from './FilterSelect.tsx';
import classes from './table.module.css';

/** A list column besides the name. */
export interface Column<Row> {
  /** Id under which the browser remembers it. */
  id: string;
  label: string;
  /** Sort key of the API, if sortable; with a leading minus, the first click sorts in descending order. */
  order?: string;
  cell(row: Row): ReactNode;
}

/**
 * Hidden columns of a list in this browser, and a setter.
 * @param nouns plural noun of the entries
 */
export function useHiddenColumns(nouns: string): [readonly string[], (ids: readonly string[]) => void] {
  const [kept, keep] = useLocalStorage<readonly string[]>({
    key: `enfilade.columns.${nouns}`,
    defaultValue: [],
    getInitialValueInEffect: false,
  });
  return [Array.isArray(kept) ? kept : [], (ids) => keep([...ids].sort())];
}

/** Parts of a row besides its columns. */
interface TableEntry {
  name: string;
  /** Replaces the name while it is renamed. */
  field?: ReactNode;
  /** Link target; plain text if the user may not edit the entry. */
  to?: string | undefined;
  /** Content before the name, such as a checkbox or a poster. */
  lead?: ReactNode;
  actions?: ReactNode;
}

/** Columns and rows of a list. */
export interface TableParts<Row> {
  columns: readonly Column<Row>[];
  /** Heading of the name column. */
  heading: string;
  /** Sort key of the name column; null if it is not sortable. */
  order: string | null;
  /** Default sort key. */
  usual: string;
  entry(row: Row): TableEntry;
}

/** A sort key without its direction. */
export const keyOf = (order: string) => order.replace(/^-/, '');

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
      <button type="button" className={classes.sort} onClick={() => set('sort', next === usual ? null : next)}>
        {label}
        {direction === 'ascending' && <IconChevronUp size={14} aria-hidden />}
        {direction === 'descending' && <IconChevronDown size={14} aria-hidden />}
      </button>
    </th>
  );
}

/** Table with sortable headings. On phones, each value shows its heading. */
export const Table = observer(
  <Row extends { id: number }>({
    label,
    nouns,
    rows,
    parts: { columns, heading, order, usual, entry },
  }: {
    label: string;
    nouns: string;
    rows: readonly Row[];
    parts: TableParts<Row>;
  }) => {
    const [hidden] = useHiddenColumns(nouns);
    const shown = columns.filter(({ id }) => !hidden.includes(id));
    const tracks = ['minmax(220px, 1fr)', ...shown.map(() => 'fit-content(300px)'), 'auto'].join(' ');
    return (
      <table aria-label={label} className={classes.table} style={{ '--tracks': tracks } as CSSProperties}>
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
            <TableRow key={row.id} row={row} entry={entry(row)} columns={shown} />
          ))}
        </tbody>
      </table>
    );
  },
);

/** Table row: the name links to the form; actions show on hover, focus and touch. */
function TableRow<Row extends { id: number }>({
  row,
  entry: { name, field, to, lead, actions },
  columns,
}: {
  row: Row;
  entry: TableEntry;
  columns: readonly Column<Row>[];
}) {
  return (
    <tr className={classes.row} data-id={row.id} data-field={field ? true : undefined}>
      <th scope="row" className={classes.head}>
        {lead}
        {field ||
          (to ? (
            <Link to={to} className={classes.name}>
              {name}
            </Link>
          ) : (
            <Text span className={classes.name}>
              {name}
            </Text>
          ))}
      </th>
      {columns.map(({ id, label, cell }) => (
        <td key={id} className={classes.cell} data-label={label}>
          {cell(row)}
        </td>
      ))}
      <td className={classes.actions}>{actions}</td>
    </tr>
  );
}
