import { Checkbox, Group } from '@mantine/core';
import { observer } from 'mobx-react-lite';
import type { ReactNode } from 'react';
import type { Selection } from '../stores/selection.ts';
import classes from './selection.module.css';

/** Checks all of a page, or none, and offers what can be done with what is checked. */
export const SelectionBar = observer(
  ({
    selection,
    rows,
    children,
  }: {
    selection: Selection;
    rows: readonly { id: number }[];
    /** Buttons, shown while anything is checked. */
    children: ReactNode;
  }) => {
    const count = selection.ids.size;
    const all = rows.length > 0 && count === rows.length;
    return (
      <Group className={classes.bar}>
        <Checkbox
          label={count > 0 ? `${count} selected` : 'All on this page'}
          aria-label="All on this page"
          checked={all}
          indeterminate={count > 0 && !all}
          onChange={() => selection.set(all ? [] : rows.map(({ id }) => id))}
        />
        {count > 0 && children}
      </Group>
    );
  },
);

/** Stands in the place of a box that a row has not. */
export const NoCheck = () => <span className={classes.noCheck} />;

/** Checks one row of a list. */
export const RowCheck = observer(({ selection, id, name }: { selection: Selection; id: number; name: string }) => (
  <input
    type="checkbox"
    className={classes.check}
    aria-label={`Select ${name}`}
    checked={selection.ids.has(id)}
    onChange={() => selection.toggle(id)}
  />
));
