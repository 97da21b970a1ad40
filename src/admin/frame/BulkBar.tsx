import { Button, Checkbox, Group, Progress, Text } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { makeAutoObservable } from 'mobx';
import { observer } from 'mobx-react-lite';
import { type ReactNode, useEffect, useState } from 'react';
import type { Client } from '../../contract/client.ts';
import type { BulkActionName } from '../../contract/entities.ts';
import { confirm } from '../../ui/confirmation/confirmation-store.ts';
import { showNotification, showProblem, showProblemText } from '../../ui/notifications.ts';
import { type BulkProgress, runBulk } from '../stores/bulk.ts';
import { countText, type ListStore } from '../stores/list-store.ts';
import classes from './selection.module.css';

/** Selected ids of a list. */
export class Selection {
  ids = new Set<number>();
  /** Selectable ids in the order of the list. */
  order: readonly number[] = [];
  /** Id that was toggled last, from which Shift selects. */
  #last: number | null = null;

  constructor() {
    makeAutoObservable(this, { order: false });
  }

  /** Selects or deselects an id. @param isRange whether to do the same with all ids from the last toggled one on */
  toggle(id: number, isRange = false): void {
    const [from, to] = [this.order.indexOf(this.#last ?? -1), this.order.indexOf(id)];
    const range = isRange && from >= 0 && to >= 0 ? this.order.slice(Math.min(from, to), Math.max(from, to) + 1) : [id];
    const selects = !this.ids.has(id);
    for (const each of range)
      if (selects) this.ids.add(each);
      else this.ids.delete(each);
    this.#last = id;
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

export const RowCheck = observer(({ selection, id, name }: { selection: Selection; id: number; name: string }) => (
  <input
    type="checkbox"
    className={classes.check}
    aria-label={`Select ${name}`}
    checked={selection.ids.has(id)}
    onChange={({ nativeEvent }) => selection.toggle(id, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)}
  />
));

/** A bulk action on list entries. */
export interface BulkAction {
  /** Label; the number of entries is appended. */
  label: string;
  icon: ReactNode;
  destroys?: boolean;
  /** Confirmation text; without one, the action runs immediately. */
  question?: string | ((ids: readonly number[]) => Promise<string>);
  /** Returns messages for entries that were not changed; null if canceled. */
  run(ids: readonly number[], onProgress: (progress: BulkProgress) => void): Promise<string[] | null>;
}

/** Bulk actions of a list. */
interface Bulk<Row> {
  /** Row name, used in the checkbox label. */
  nameOf(row: Row): string;
  /** Ids that can't be selected. */
  except?: readonly number[];
  actions: readonly BulkAction[];
}

/**
 * Bulk removal to the bin.
 * @param remove returns messages for entries that were not removed
 * @param question confirmation text
 */
export const removalOf = (
  remove: BulkAction['run'],
  question: BulkAction['question'] = 'They stay in the bin for 30 days. Whatever uses them loses them.',
): BulkAction => ({
  label: 'Remove',
  icon: <IconTrash size={16} aria-hidden />,
  destroys: true,
  question,
  run: remove,
});

/** One of two states between which a bulk action switches entries. */
interface SwitchSide<Row> extends Pick<BulkAction, 'label' | 'icon' | 'destroys' | 'question'> {
  action: BulkActionName;
  /** Notification after the number of entries, such as "paused." */
  done: string;
  /** Name of the state. */
  state: string;
  /** Whether an entry is known to be in the state, so that it is left alone. */
  has?(row: Row): boolean;
}

/** Two bulk actions that switch entries between two states, each in one job that can be undone. */
export function switchActions<Row extends { id: number }>(
  client: Client,
  store: ListStore<Row>,
  nouns: string,
  sides: readonly [SwitchSide<Row>, SwitchSide<Row>],
): BulkAction[] {
  const switchTo = async (
    side: SwitchSide<Row>,
    ids: readonly number[],
    onProgress?: Parameters<BulkAction['run']>[1],
  ): Promise<string[]> => {
    const { changed, problems } = await runBulk(client, ids, { action: side.action, onProgress });
    await store.load();
    const undo = async () => {
      const other = side === sides[0] ? sides[1] : sides[0];
      for (const problem of await switchTo(other, changed)) showProblemText(problem);
    };
    if (changed.length > 0)
      showNotification(`${countText(changed.length, nouns)} ${side.done}`, {
        label: 'Undo',
        act: () => void undo().catch(showProblem),
      });
    else if (problems.length === 0) showNotification(`They were already ${side.state}.`);
    return problems;
  };
  return sides.map((side) => ({
    ...side,
    run: (ids, onProgress) => {
      const done = new Set(store.rows.filter((row) => side.has?.(row)).map(({ id }) => id));
      return switchTo(
        side,
        ids.filter((id) => !done.has(id)),
        onProgress,
      );
    },
  }));
}

/** Selects all matches across pages, if there is more than one page. */
export const SelectMatching = observer(
  <Row extends { id: number }>({
    store,
    selection,
    isTaken = () => true,
    onSelect,
  }: {
    store: ListStore<Row>;
    selection: Selection;
    /** Whether a row can be selected. */
    isTaken?(id: number): boolean;
    /** Called with the selected ids. */
    onSelect?(rows: readonly Row[]): void;
  }) => {
    const [isBusy, setBusy] = useState(false);
    const { total, last_page } = store.meta;
    const { maxSelected } = store;
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
        Select {total > maxSelected ? `the first ${maxSelected}` : `all ${total}`} that match
      </Button>
    );
  },
);

/** Selection bar of a list: selects a page or all matches, and runs bulk actions. */
export const BulkBar = observer(
  <Row extends { id: number }>({
    store,
    selection,
    nouns,
    rows,
    bulk: { except = [], actions },
  }: {
    store: ListStore<Row>;
    selection: Selection;
    nouns: string;
    /** Rows covered by "All on this page". */
    rows: readonly Row[];
    bulk: Bulk<Row>;
  }) => {
    const [isBusy, setBusy] = useState(false);
    const [progress, setProgress] = useState<BulkProgress | null>(null);
    const words = countText(selection.ids.size, nouns);
    const doBusy = async (work: () => Promise<void>) => {
      setBusy(true);
      await work().catch(showProblem);
      setBusy(false);
      setProgress(null);
    };
    const isTaken = (id: number) => !except.includes(id);
    const selectable = rows.filter(({ id }) => isTaken(id));
    useEffect(() => {
      selection.order = selectable.map(({ id }) => id);
    });
    const start = ({ label, question, destroys = false, run }: BulkAction) =>
      doBusy(async () => {
        if (question !== undefined) {
          const title = `${label} ${words}?`;
          const text = typeof question === 'string' ? question : await question([...selection.ids]);
          if (!(await confirm({ title, text, action: label, destroys }))) return;
        }
        const problems = await run([...selection.ids], setProgress);
        if (problems === null) return;
        for (const problem of problems) showProblemText(problem);
        selection.set([]);
      });
    return (
      <SelectionBar selection={selection} rows={selectable}>
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
        {progress ? (
          <Group gap="xs" role="status">
            <Progress w={140} value={(100 * progress.finished) / progress.total} aria-label="Progress" />
            <Text size="sm">
              {progress.finished} of {progress.total}
            </Text>
          </Group>
        ) : (
          <Button variant="subtle" color="gray" size="compact-sm" disabled={isBusy} onClick={() => selection.set([])}>
            Clear
          </Button>
        )}
      </SelectionBar>
    );
  },
);
