import { useHotkeys } from '@mantine/hooks';
import { IconPencil } from '@tabler/icons-react';
import { useState } from 'react';
import { type RenameCalls, Renaming, type Stamped } from '../stores/renaming.ts';
import type { RowActionItem } from './RowActions.tsx';

/** Inline renaming in a list: by F2 in a row with `data-id`, or by its action. */
export function useRenaming<Row extends Stamped>(calls: RenameCalls<Row>): Renaming<Row> {
  const [renaming] = useState(() => new Renaming(calls));
  const begin = () => {
    const id = document.activeElement?.closest<HTMLElement>('[data-id]')?.dataset.id;
    if (id !== undefined) renaming.begin(Number(id));
  };
  // Row checkboxes are inputs, too.
  useHotkeys([['F2', begin]], []);
  return renaming;
}

/** The rename action, if the user may rename. */
export const renameAction = <Row extends Stamped>(renaming: Renaming<Row>, row: Row): RowActionItem | false =>
  renaming.may(row) && {
    label: 'Rename',
    icon: <IconPencil size={18} />,
    takesFocus: true,
    onClick: () => renaming.begin(row.id),
  };
