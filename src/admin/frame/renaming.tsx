import { useHotkeys } from '@mantine/hooks';
import { IconPencil } from '@tabler/icons-react';
import { useState } from 'react';
import { type RenameCalls, Renaming, type Stamped } from '../stores/renaming.ts';
import type { RowActionItem } from './RowActions.tsx';

/** The names of a list that can be changed where they stand: by F2 in a row, which has `data-id`, or by its action. */
export function useRenaming<Row extends Stamped>(calls: RenameCalls<Row>): Renaming<Row> {
  const [renaming] = useState(() => new Renaming(calls));
  const begin = () => {
    const id = document.activeElement?.closest<HTMLElement>('[data-id]')?.dataset.id;
    if (id !== undefined) renaming.begin(Number(id));
  };
  // Boxes that check rows are fields, too.
  useHotkeys([['F2', begin]], []);
  return renaming;
}

/** The action that changes a name, for whoever may. */
export const renameAction = <Row extends Stamped>(renaming: Renaming<Row>, row: Row): RowActionItem | false =>
  renaming.may(row) && {
    label: 'Rename',
    icon: <IconPencil size={18} />,
    takesFocus: true,
    onClick: () => renaming.begin(row.id),
  };
