import { Button, Menu, Select } from '@mantine/core';
import { IconColumns3 } from '@tabler/icons-react';
import { useAddressFilter } from './FilterSelect.tsx';
import type { Column, Resource } from './resource.ts';
import { keyOf, useHiddenColumns } from './Table.tsx';

/** Chooses visible columns; the name column always shows. */
export function ColumnsMenu<Row extends { id: number }>({
  of,
  columns,
}: {
  of: Resource<Row>;
  columns: readonly Column<Row>[];
}) {
  const [hidden, setHidden] = useHiddenColumns(of);
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
export function OrderSelect<Row extends { id: number }>({
  of: { columns = [], heading = 'Name', order = 'name', usual = 'name', usualLabel },
}: {
  of: Resource<Row>;
}) {
  const [params, set] = useAddressFilter();
  const orders = [{ label: heading, order }, ...columns].flatMap(({ label, order }) =>
    order
      ? [
          { value: keyOf(order), label: `${label}, ascending` },
          { value: `-${keyOf(order)}`, label: `${label}, descending` },
        ]
      : [],
  );
  if (orders.length === 0) return null;
  return (
    <Select
      aria-label="Order"
      w={{ base: '100%', xs: 200 }}
      allowDeselect={false}
      data={usualLabel ? [{ value: usual, label: usualLabel }, ...orders] : orders}
      value={params.get('sort') ?? usual}
      onChange={(value) => set('sort', value === usual ? null : value)}
    />
  );
}
