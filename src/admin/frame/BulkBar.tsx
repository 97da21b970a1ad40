import { Button } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { observer } from 'mobx-react-lite';
import { useState } from 'react';
import { confirm } from '../../ui/confirmation/confirmation-store.ts';
import { showProblem, showProblemText } from '../../ui/notifications.ts';
import type { ListStore } from '../stores/list-store.ts';
import type { Selection } from '../stores/selection.ts';
import { SelectionBar } from './SelectionBar.tsx';

/** What can be done with many entries of a list. */
export interface Bulk<Row> {
  /** What stands in the place of "Select" for a row. */
  nameOf(row: Row): string;
  /** Removes entries. Gives why some stayed, as sentences. */
  remove(ids: readonly number[]): Promise<string[]>;
}

/** Checks a page of a list, or all that match, and removes what is checked. */
export const BulkBar = observer(
  <Row extends { id: number }>({
    store,
    selection,
    things,
    remove,
  }: {
    store: ListStore<Row>;
    selection: Selection;
    things: string;
    remove: Bulk<Row>['remove'];
  }) => {
    const [isBusy, setBusy] = useState(false);
    const count = selection.ids.size;
    const words = `${count} ${count === 1 ? things.replace(/s$/, '') : things}`;
    const doBusy = async (work: () => Promise<void>) => {
      setBusy(true);
      await work().catch(showProblem);
      setBusy(false);
    };
    const selectAll = () => doBusy(async () => selection.set(await store.matchingIds()));
    const removeAll = () =>
      doBusy(async () => {
        const yes = await confirm({
          title: `Remove ${words}?`,
          text: 'They stay in the bin for 30 days. What is in use elsewhere may be missed there.',
          action: 'Remove',
          destroys: true,
        });
        if (!yes) return;
        for (const problem of await remove([...selection.ids])) showProblemText(problem);
        selection.set([]);
      });
    return (
      <SelectionBar selection={selection} rows={store.rows}>
        {store.meta.total > store.rows.length && count < store.meta.total && (
          <Button variant="subtle" size="compact-sm" loading={isBusy} onClick={() => void selectAll()}>
            Select all {store.meta.total} that match
          </Button>
        )}
        <Button
          color="red"
          variant="light"
          size="compact-sm"
          loading={isBusy}
          leftSection={<IconTrash size={16} aria-hidden />}
          onClick={() => void removeAll()}
        >
          Remove {words}
        </Button>
        <Button variant="subtle" color="gray" size="compact-sm" onClick={() => selection.set([])}>
          Clear
        </Button>
      </SelectionBar>
    );
  },
);
