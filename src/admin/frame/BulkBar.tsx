import { Button } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { observer } from 'mobx-react-lite';
import { type ReactNode, useState } from 'react';
import { confirm } from '../../ui/confirmation/confirmation-store.ts';
import { showProblem, showProblemText } from '../../ui/notifications.ts';
import type { ListStore } from '../stores/list-store.ts';
import type { Selection } from '../stores/selection.ts';
import { countText } from './count-text.ts';
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

/** Checks all that match, whatever page they are on, where there is more than one. */
export const SelectMatching = observer(
  <Row extends { id: number }>({
    store,
    selection,
    isTaken = () => true,
    onSelect,
  }: {
    store: ListStore<Row>;
    selection: Selection;
    /** Whether a row can be checked. */
    isTaken?(id: number): boolean;
    /** Is given what was checked. */
    onSelect?(rows: readonly Row[]): void;
  }) => {
    const [isBusy, setBusy] = useState(false);
    const { total, last_page } = store.meta;
    const { most } = store;
    if (last_page === 1 || selection.ids.size > store.rows.length) return null;
    const select = async () => {
      setBusy(true);
      try {
        const rows = (await store.matching()).filter(({ id }) => isTaken(id));
        onSelect?.(rows);
        selection.set(rows.map(({ id }) => id));
      } catch (error) {
        showProblem(error);
      }
      setBusy(false);
    };
    return (
      <Button variant="subtle" size="compact-sm" loading={isBusy} onClick={() => void select()}>
        Select {total > most ? `the first ${most}` : `all ${total}`} that match
      </Button>
    );
  },
);

/** Checks a page of a list, or all that match, and does something with what is checked. */
export const BulkBar = observer(
  <Row extends { id: number }>({
    store,
    selection,
    things,
    rows = store.rows,
    bulk: { except = [], actions },
  }: {
    store: ListStore<Row>;
    selection: Selection;
    things: string;
    /** What "All on this page" checks, where those are not the rows of the list. */
    rows?: readonly Row[];
    bulk: Bulk<Row>;
  }) => {
    const [isBusy, setBusy] = useState(false);
    const words = countText(selection.ids.size, things);
    const doBusy = async (work: () => Promise<void>) => {
      setBusy(true);
      await work().catch(showProblem);
      setBusy(false);
    };
    const isTaken = (id: number) => !except.includes(id);
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
      <SelectionBar selection={selection} rows={rows.filter(({ id }) => isTaken(id))}>
        <SelectMatching store={store} selection={selection} isTaken={isTaken} />
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
