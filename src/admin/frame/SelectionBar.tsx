import { Checkbox, Group } from '@mantine/core';
import { makeAutoObservable } from 'mobx';
import { observer } from 'mobx-react-lite';
import type { ReactNode } from 'react';
import classes from './selection.module.css';

/** Selected ids of a list. */
export class Selection {
  ids = new Set<number>();

  constructor() {
    makeAutoObservable(this);
  }

  toggle(id: number): void {
    if (!this.ids.delete(id)) this.ids.add(id);
  }

  set(ids: readonly number[]): void {
    this.ids = new Set(ids);
  }

  /** Deselects ids that left the list. */
  keep(rows: readonly { id: number }[]): void {
    const shown = new Set(rows.map(({ id }) => id));
    this.set([...this.ids].filter((id) => shown.has(id)));
  }
}

/** Selects all rows of a page, and shows actions for the selection. */
export const SelectionBar = observer(
  ({
    selection,
    rows,
    children,
  }: {
    selection: Selection;
    rows: readonly { id: number }[];
    /** Actions, shown while anything is selected. */
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

/** Placeholder for rows without a checkbox. */
export const NoCheck = () => <span className={classes.noCheck} />;

/** Checkbox of a row. */
export const RowCheck = observer(({ selection, id, name }: { selection: Selection; id: number; name: string }) => (
  <input
    type="checkbox"
    className={classes.check}
    aria-label={`Select ${name}`}
    checked={selection.ids.has(id)}
    onChange={() => selection.toggle(id)}
  />
));
