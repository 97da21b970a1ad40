import { Text, VisuallyHidden } from '@mantine/core';
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react';
import { observer } from 'mobx-react-lite';
import type { CSSProperties, ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { type Column, type ColumnOrder, useHiddenColumns } from './columns.ts';
import classes from './table.module.css';
import { useAddressFilter } from './use-address-filter.ts';

/** What a row shows besides its columns. */
export interface TableEntry {
  name: string;
  /** What stands in the place of its name while that is changed. */
  field?: ReactNode;
  /** Where its name leads; plain text for whoever may not change it. */
  to?: string | undefined;
  /** What stands before its name, such as a poster. */
  lead?: ReactNode;
  actions?: ReactNode;
}

/** The columns of a list, and what a row is. */
export interface TableParts<Row> {
  columns: readonly Column<Row>[];
  /** What the names are; "Name" unless told otherwise. */
  heading?: string;
  /** Order by name, where the list has one. */
  order?: ColumnOrder;
  /** The order that it has without being asked; by name unless told otherwise. */
  usual?: string;
  /** @param lead what stands before everything else, such as a check box */
  entry(row: Row, lead?: ReactNode): TableEntry;
}

const reverse = (order: string) => (order.startsWith('-') ? order.slice(1) : `-${order}`);

/** The heading of a column: a button where the list has an order by it. */
function Heading({ label, order, usual }: { label: string; order?: ColumnOrder; usual: string }) {
  const [params, set] = useAddressFilter();
  if (!order) return <th scope="col">{label}</th>;
  const current = params.get('sort') ?? usual;
  const direction =
    current === order.name ? 'ascending' : current === reverse(order.name) ? 'descending' : ('none' as const);
  const first = order.begins === 'ascending' ? order.name : reverse(order.name);
  const next = direction === 'none' ? first : reverse(current);
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

/** A list with columns: their headings order it where it can be ordered; on a phone, each value has its heading before it. */
export const Table = observer(
  <Row extends { id: number }>({
    label,
    things,
    rows,
    parts: { columns, heading = 'Name', order, usual = 'name', entry },
    lead,
  }: {
    label: string;
    things: string;
    rows: readonly Row[];
    parts: TableParts<Row>;
    /** What stands before a row, such as a check box. */
    lead(row: Row): ReactNode;
  }) => {
    const [hidden] = useHiddenColumns(things);
    const shown = columns.filter(({ id }) => !hidden.includes(id));
    const tracks = ['minmax(220px, 1fr)', ...shown.map(() => 'fit-content(300px)'), 'auto'].join(' ');
    return (
      <table aria-label={label} className={classes.table} style={{ '--tracks': tracks } as CSSProperties}>
        <thead>
          <tr className={classes.headings}>
            <Heading label={heading} usual={usual} {...(order && { order })} />
            {shown.map(({ id, label, order: own }) => (
              <Heading key={id} label={label} usual={usual} {...(own && { order: own })} />
            ))}
            <th scope="col">
              <VisuallyHidden>Actions</VisuallyHidden>
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <TableRow key={row.id} row={row} entry={entry(row, lead(row))} columns={shown} />
          ))}
        </tbody>
      </table>
    );
  },
);

/** One row: its name leads to its form for whoever may change it; actions show on hover, on focus and on touch. */
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
