import { Alert, Checkbox, Group, Modal, Select, Text, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useVirtualizer } from '@tanstack/react-virtual';
import { observer } from 'mobx-react-lite';
import { type ClipboardEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { descriptors, type Element, type ElementType } from '../../../engine/document/element.ts';
import { labelOf } from '../../../engine/document/field-labels.ts';
import { findElement } from '../../../engine/document/tree.ts';
import { useTypedAhead } from '../../ui/typed-ahead.ts';
import { iconOf } from '../elements/forms.ts';
import type { DocumentStore } from '../session/document-store.ts';
import { useEditor } from '../session/editor-context.ts';
import { titlesOf } from '../session/element-names.ts';
import { searchTextOf } from '../session/element-words.ts';
import { COLUMNS, type Column, cellOf, pastedRows, setCells } from './text-cells.ts';
import classes from './texts-table.module.css';

/** Height of a row in pixels. */
const ROW = 36;
const OVERSCAN = 8;
/** Maximum number of listed problems. */
const MAX_SHOWN = 5;

interface Filter {
  words: string;
  type: ElementType | null;
  /** Only elements that could have an alternative text, and have none. */
  lacksAlt: boolean;
}

/** Ids of the listed elements. */
function idsOf(elements: readonly Element[], { words, type, lacksAlt }: Filter): number[] {
  const wanted = words.trim().toLowerCase();
  const isListed = (element: Element) =>
    (type === null || element.element === type) &&
    searchTextOf(element).includes(wanted) &&
    (!lacksAlt || (cellOf(element, 'config.alt') === '' && !(element.config as { decorative?: boolean }).decorative));
  return elements.filter(isListed).map(({ id }) => id);
}

/** A cell. Enter and leaving it keep the input; Esc discards it. */
function Cell(props: {
  label: string;
  value: string;
  isReadOnly: boolean;
  onSet(text: string): void;
  onPaste(event: ClipboardEvent<HTMLInputElement>): void;
  onStep(step: 1 | -1, input: HTMLInputElement): void;
}) {
  const { label, value, isReadOnly, onSet, onPaste, onStep } = props;
  const [typed, setTyped] = useState<string | null>(null);
  const end = () => {
    if (typed !== null && typed !== value) onSet(typed);
    setTyped(null);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === 'Escape' && typed !== null) {
      event.stopPropagation();
      setTyped(null);
    }
    const step = { ArrowDown: 1, ArrowUp: -1, Enter: event.shiftKey ? -1 : 1 }[event.key] as 1 | -1 | undefined;
    if (!step || event.nativeEvent.isComposing) return;
    event.preventDefault();
    end();
    onStep(step, event.currentTarget);
  };
  return (
    <input
      className={classes.input}
      aria-label={label}
      dir="auto"
      readOnly={isReadOnly}
      value={typed ?? value}
      onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      onBlur={end}
      onFocus={({ currentTarget }) => currentTarget.select()}
      onPaste={onPaste}
      onKeyDown={onKeyDown}
    />
  );
}

const edit = (document: DocumentStore, elements: readonly Element[], ...[from, rows]: PasteOf) => {
  const { commands, problems } = setCells(elements, from, rows);
  const changed = commands.flatMap((command) => ('id' in command ? [findElement(elements, command.id)!] : []));
  document.run(commands, { label: `Texts of ${titlesOf(changed)}` });
  return problems;
};
type PasteOf = [from: { row: number; column: number }, rows: readonly (readonly string[])[]];

/** Names, titles and alternatives of all elements in a table. Cells can be pasted from a spreadsheet. */
export const TextsDialog = observer(({ onClose }: { onClose(): void }) => {
  const { document } = useEditor();
  const { elements } = document.room;
  const [filter, setFilter] = useState<Filter>({ words: '', type: null, lacksAlt: false });
  // A row stays while its texts change.
  const [ids, setIds] = useState(() => idsOf(elements, filter));
  const [problems, setProblems] = useState<readonly string[]>([]);
  const count = elements.length;
  // biome-ignore lint/correctness/useExhaustiveDependencies: rows stay while their texts change.
  useEffect(() => setIds(idsOf(elements, filter)), [filter, count]);
  const rows = ids.flatMap((id) => findElement(elements, id) ?? []);
  const types = [...new Set(elements.map(({ element }) => element))].map((value) => ({
    value,
    label: descriptors[value].label,
  }));
  const [frame, setFrame] = useState<HTMLDivElement | null>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => frame,
    estimateSize: () => ROW,
    getItemKey: (index) => rows[index]!.id,
    overscan: OVERSCAN,
    paddingStart: ROW,
    scrollPaddingStart: ROW,
  });
  const change = (part: Partial<Filter>) => setFilter((before) => ({ ...before, ...part }));
  const onFocus = useTypedAhead((typed) => change({ words: filter.words + typed }));
  const set = (...paste: PasteOf) => setProblems(edit(document, rows, ...paste));
  const table = useRef<HTMLDivElement>(null);
  const step = (row: number, column: Column) => {
    if (!rows[row]) return;
    virtual.scrollToIndex(row);
    const focus = () => table.current?.querySelector<HTMLInputElement>(`[data-cell="${row} ${column}"] input`)?.focus();
    requestAnimationFrame(focus);
  };
  const paste = (row: number, column: number) => (event: ClipboardEvent<HTMLInputElement>) => {
    const text = event.clipboardData.getData('text/plain').replace(/\r?\n$/, '');
    if (!/[\t\n]/.test(text) || document.isReadOnly) return;
    event.preventDefault();
    set({ row, column }, pastedRows(text));
  };
  return (
    <Modal opened onClose={onClose} title="Texts" size={1200} centered>
      <Group mb="sm" align="end">
        <TextInput
          data-autofocus
          flex={1}
          aria-label="Search"
          placeholder="Search"
          leftSection={<IconSearch size={16} aria-hidden />}
          value={filter.words}
          onFocus={onFocus}
          onChange={({ currentTarget }) => change({ words: currentTarget.value })}
        />
        <Select
          aria-label="Type"
          placeholder="All types"
          clearable
          data={types}
          value={filter.type}
          onChange={(type) => change({ type: type as ElementType | null })}
        />
        <Checkbox
          mb={8}
          label="Without alternative text"
          checked={filter.lacksAlt}
          onChange={({ currentTarget }) => change({ lacksAlt: currentTarget.checked })}
        />
      </Group>
      {problems.length > 0 && (
        <Alert mb="sm" color="red" title="Some cells were not changed" withCloseButton onClose={() => setProblems([])}>
          {problems.slice(0, MAX_SHOWN).map((problem) => (
            <div key={problem}>{problem}</div>
          ))}
          {problems.length > MAX_SHOWN && `And ${problems.length - MAX_SHOWN} more.`}
        </Alert>
      )}
      <div ref={setFrame} className={classes.frame}>
        {/* biome-ignore lint/a11y/useSemanticElements: rows are placed by the virtual list. */}
        <div
          ref={table}
          role="table"
          aria-label="Texts of elements"
          aria-rowcount={rows.length + 1}
          className={classes.table}
          style={{ height: virtual.getTotalSize() }}
        >
          {/* biome-ignore lint/a11y/useSemanticElements: as above. */}
          {/* biome-ignore lint/a11y/useFocusableInteractive: its cells are focusable. */}
          <div role="row" className={`${classes.row} ${classes.head}`} style={{ height: ROW }}>
            {COLUMNS.map((column) => (
              // biome-ignore lint/a11y/useSemanticElements: as above.
              // biome-ignore lint/a11y/useFocusableInteractive: as above.
              <div key={column} role="columnheader" className={classes.cell}>
                {labelOf(column)}
              </div>
            ))}
          </div>
          {virtual.getVirtualItems().map(({ index, key, start }) => {
            const element = rows[index]!;
            const TypeIcon = iconOf(element.element);
            return (
              // biome-ignore lint/a11y/useSemanticElements: as above.
              // biome-ignore lint/a11y/useFocusableInteractive: as above.
              <div
                key={key}
                role="row"
                aria-rowindex={index + 2}
                className={classes.row}
                style={{ height: ROW, transform: `translateY(${start}px)` }}
              >
                {COLUMNS.map((column, place) => {
                  const value = cellOf(element, column);
                  return (
                    // biome-ignore lint/a11y/useSemanticElements: as above.
                    <div key={column} role="cell" className={classes.cell} data-cell={`${index} ${column}`}>
                      {place === 0 && <TypeIcon size={16} role="img" aria-label={descriptors[element.element].label} />}
                      {value !== undefined && (
                        <Cell
                          label={`${labelOf(column)}, row ${index + 1}`}
                          value={value}
                          isReadOnly={document.isReadOnly}
                          onSet={(text) => set({ row: index, column: place }, [[text]])}
                          onPaste={paste(index, place)}
                          onStep={(by) => step(index + by, column)}
                        />
                      )}
                    </div>
                  );
                })}
              </div>
            );
          })}
        </div>
        {rows.length === 0 && (
          <Text size="sm" c="dimmed" p="md">
            No element matches.
          </Text>
        )}
      </div>
      {!document.isReadOnly && (
        <Text size="xs" c="dimmed" mt="xs">
          Cells copied from a spreadsheet are pasted from the focused cell on.
        </Text>
      )}
    </Modal>
  );
});
