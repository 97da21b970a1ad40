import { TextInput, Tooltip } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { IconPencil } from '@tabler/icons-react';
import { makeAutoObservable } from 'mobx';
import { type KeyboardEvent, useRef, useState } from 'react';
import { ApiError } from '../../contract/errors.ts';
import { showNotification, showProblem } from '../../ui/notifications.ts';
import type { RowActionItem } from './List.tsx';

/** A stored entry with its version. */
export interface Stamped {
  id: number;
  updated_at: string;
}

/** How to read and change an entry's name. */
interface RenameCalls<Row extends { id: number }> {
  nameOf(row: Row): string;
  /** Whether the user may rename. */
  may(row: Row): boolean;
  /** @param stamp version of the entry, if not that of the row */
  rename(row: Row, name: string, stamp?: string): Promise<Stamped>;
  /** Reloads the list. */
  load(): Promise<unknown>;
}

const STALE = 'Someone else changed this entry. Press Enter again to save your name anyway.';

/** Inline renaming, one entry at a time. */
export class Renaming<Row extends { id: number }> {
  readonly #calls: RenameCalls<Row>;
  /** Id of the entry being renamed, or null. */
  id: number | null = null;

  constructor(calls: RenameCalls<Row>) {
    this.#calls = calls;
    makeAutoObservable(this);
  }

  /** Opens the field of an entry. */
  begin(id: number): void {
    this.id = id;
  }

  /** Closes the field of an entry, unless another one is open. */
  end(id: number): void {
    if (this.id === id) this.id = null;
  }

  nameOf(row: Row): string {
    return this.#calls.nameOf(row);
  }

  /** Whether an entry is being renamed. */
  has(row: Row): boolean {
    return this.id === row.id && this.may(row);
  }

  may(row: Row): boolean {
    return this.#calls.may(row);
  }

  /**
   * Renames an entry and offers undo.
   * @returns the error message; null if saved
   */
  async save(row: Row, typed: string): Promise<string | null> {
    const { nameOf, rename, load } = this.#calls;
    const before = nameOf(row);
    const name = typed.trim();
    if (name !== before) {
      try {
        const saved = await rename(row, name);
        showNotification(`“${before}” is now “${name}”.`, {
          label: 'Undo',
          act: () => void rename(row, before, saved.updated_at).catch(showProblem).then(load),
        });
      } catch (error) {
        if (!(error instanceof ApiError)) return 'The server could not be reached. Try again.';
        if (error.code === 'not_found') showProblem(error);
        if (error.code === 'not_found' || error.code === 'stale') await load();
        if (error.code === 'stale') return STALE;
        if (error.code !== 'not_found') return Object.values(error.msg).flat()[0] ?? error.message;
      }
      await load();
    }
    return null;
  }
}

/** Inline rename field: Enter and blur save, Esc cancels. Errors show at the field. */
export function NameField<Row extends { id: number }>({ row, renaming }: { row: Row; renaming: Renaming<Row> }) {
  const [before] = useState(() => renaming.nameOf(row));
  const [name, setName] = useState(before);
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  // Esc unmounts the field, which also fires blur.
  const isDone = useRef(false);
  const field = useRef<HTMLInputElement>(null);
  /** Closes the field and returns focus to the row. */
  const finish = () => {
    isDone.current = true;
    const line = document.activeElement === field.current ? field.current?.closest('[data-id]') : null;
    renaming.end(row.id);
    requestAnimationFrame(() => line?.querySelector('a')?.focus());
  };
  const save = async () => {
    if (isDone.current || isBusy) return;
    if (name.trim() === before) return finish();
    setBusy(true);
    const wrong = await renaming.save(row, name);
    setBusy(false);
    if (wrong === null) return finish();
    setProblem(wrong);
  };
  const onKey = (event: KeyboardEvent) => {
    event.stopPropagation();
    if (event.key === 'Enter') void save();
    if (event.key === 'Escape') finish();
  };
  return (
    <Tooltip
      label={<span role="alert">{problem}</span>}
      opened={problem !== null}
      color="red"
      multiline
      maw={320}
      position="bottom-start"
    >
      <TextInput
        ref={field}
        size="xs"
        flex={1}
        miw={0}
        aria-label={`Name of ${before}`}
        aria-busy={isBusy}
        autoFocus
        autoComplete="off"
        readOnly={isBusy}
        error={problem !== null}
        value={name}
        onFocus={(event) => event.currentTarget.select()}
        onChange={(event) => {
          setName(event.currentTarget.value);
          setProblem(null);
        }}
        onKeyDown={onKey}
        onBlur={() => problem === null && void save()}
      />
    </Tooltip>
  );
}

/** Inline renaming in a list: by F2 in a row with `data-id`, or by its action. */
export function useRenaming<Row extends { id: number }>(calls: RenameCalls<Row>): Renaming<Row> {
  const [renaming] = useState(() => new Renaming(calls));
  const begin = () => {
    const id = document.activeElement?.closest<HTMLElement>('[data-id]')?.dataset.id;
    if (id !== undefined) renaming.begin(Number(id));
  };
  // Row checkboxes are inputs, too.
  useHotkeys([['F2', begin]], []);
  return renaming;
}

export const renameAction = <Row extends { id: number }>(renaming: Renaming<Row>, row: Row): RowActionItem | false =>
  renaming.may(row) && {
    label: 'Rename',
    icon: <IconPencil size={18} />,
    takesFocus: true,
    onClick: () => renaming.begin(row.id),
  };
