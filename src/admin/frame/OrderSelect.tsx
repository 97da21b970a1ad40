import { Select } from '@mantine/core';
import type { TableParts } from './Table.tsx';
import { useAddressFilter } from './use-address-filter.ts';

/** The orders of a list where its headings are not shown: as cards, and on a phone. */
export function OrderSelect<Row>({
  parts: { columns, heading = 'Name', order, usual = 'name' },
}: {
  parts: TableParts<Row>;
}) {
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
