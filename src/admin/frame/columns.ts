import { useLocalStorage } from '@mantine/hooks';
import type { ReactNode } from 'react';

/** An order of a list, as `sort` in the address and in the call names it; the reverse has a minus in front. */
export interface ColumnOrder {
  name: string;
  /** Which way it goes when it is first chosen. */
  begins: 'ascending' | 'descending';
}

/** A column of a list, beside the one of the names. */
export interface Column<Row> {
  /** What it is kept under in the browser. */
  id: string;
  label: string;
  /** Its order; nothing where the list has none by it. */
  order?: ColumnOrder;
  cell(row: Row): ReactNode;
}

/**
 * Ids of the columns of a list that are hidden, in this browser, and how they are changed.
 * @param things what the entries of the list are called
 */
export function useHiddenColumns(things: string): [readonly string[], (ids: readonly string[]) => void] {
  const [kept, keep] = useLocalStorage<readonly string[]>({
    key: `enfilade.columns.${things}`,
    defaultValue: [],
    getInitialValueInEffect: false,
  });
  return [Array.isArray(kept) ? kept : [], (ids) => keep([...ids].sort())];
}
