import { useLocalStorage } from '@mantine/hooks';
import type { ReactNode } from 'react';

/** Sort key, as in the URL and the API's `sort`; a leading minus reverses it. */
export interface ColumnOrder {
  name: string;
  /** Initial direction. */
  begins: 'ascending' | 'descending';
}

/** A list column besides the name. */
export interface Column<Row> {
  /** Id under which the browser remembers it. */
  id: string;
  label: string;
  /** Sort key, if sortable. */
  order?: ColumnOrder;
  cell(row: Row): ReactNode;
}

/**
 * Hidden columns of a list in this browser, and a setter.
 * @param things plural noun of the entries
 */
export function useHiddenColumns(things: string): [readonly string[], (ids: readonly string[]) => void] {
  const [kept, keep] = useLocalStorage<readonly string[]>({
    key: `enfilade.columns.${things}`,
    defaultValue: [],
    getInitialValueInEffect: false,
  });
  return [Array.isArray(kept) ? kept : [], (ids) => keep([...ids].sort())];
}
