import { Button } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { observer } from 'mobx-react-lite';
import { type ReactNode, useState } from 'react';
import { confirm } from '../../ui/confirmation/confirmation-store.ts';
import { showProblem, showProblemText } from '../../ui/notifications.ts';
import type { ListStore } from '../stores/list-store.ts';
import type { Selection } from '../stores/selection.ts';
import { SelectionBar } from './SelectionBar.tsx';

/** One thing that is done with many entries of a list. */
export interface BulkAction {
  /** What it does; how many of what stands behind it. */
  label: string;
  icon: ReactNode;
  destroys?: boolean;
  /** What is said when it is asked about; it is done without a question when left out. */
  question?: string;
  /** Gives why some were left as they are, as sentences. */
  run(ids: readonly number[]): Promise<string[]>;
}

/** What can be done with many entries of a list. */
export interface Bulk<Row> {
  /** What stands in the place of "Select" for a row. */
  nameOf(row: Row): string;
  /** Those that are never among them. */
  except?: readonly number[];
  actions: readonly BulkAction[];
}

/** Removes many entries, which the bin keeps. @param remove gives why some stayed, as sentences */
export const removesMany = (remove: BulkAction['run']): BulkAction => ({
  label: 'Remove',
  icon: <IconTrash size={16} aria-hidden />,
  destroys: true,
  question: 'They stay in the bin for 30 days. What is in use elsewhere may be missed there.',
  run: remove,
});

/** Checks a page of a list, or all that match, and does something with what is checked. */
export const BulkBar = observer(
  <Row extends { id: number }>({
    store,
    selection,
    things,
    bulk: { except = [], actions },
  }: {
    store: ListStore<Row>;
    selection: Selection;
    things: string;
    bulk: Bulk<Row>;
  }) => {
    const [isBusy, setBusy] = useState(false);
    const count = selection.ids.size;
    const total = store.meta.total - except.length;
    const words = `${count} ${count === 1 ? things.replace(/s$/, '') : things}`;
    const doBusy = async (work: () => Promise<void>) => {
      setBusy(true);
      await work().catch(showProblem);
      setBusy(false);
    };
    const isTaken = (id: number) => !except.includes(id);
    const selectAll = () => doBusy(async () => selection.set((await store.matchingIds()).filter(isTaken)));
    const start = ({ label, question, destroys = false, run }: BulkAction) =>
      doBusy(async () => {
        if (question !== undefined) {
          const title = `${label} ${words}?`;
          if (!(await confirm({ title, text: question, action: label, destroys }))) return;
        }
        for (const problem of await run([...selection.ids])) showProblemText(problem);
        selection.set([]);
      });
    return (
      <SelectionBar selection={selection} rows={store.rows.filter(({ id }) => isTaken(id))}>
        {store.meta.total > store.rows.length && count < total && (
          <Button variant="subtle" size="compact-sm" loading={isBusy} onClick={() => void selectAll()}>
            Select all {store.meta.total} that match
          </Button>
        )}
        {actions.map((action) => (
          <Button
            key={action.label}
            {...(action.destroys && { color: 'red' })}
            variant="light"
            size="compact-sm"
            loading={isBusy}
            leftSection={action.icon}
            onClick={() => void start(action)}
          >
            {action.label} {words}
          </Button>
        ))}
        <Button variant="subtle" color="gray" size="compact-sm" onClick={() => selection.set([])}>
          Clear
        </Button>
      </SelectionBar>
    );
  },
);
