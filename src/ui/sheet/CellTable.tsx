import { Alert, Text } from '@mantine/core';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type ClipboardEvent, type CSSProperties, type KeyboardEvent, type ReactNode, useRef, useState } from 'react';
import classes from './cell-table.module.css';
import { pastedRows } from './pasted-rows.ts';

/** Height of a row in pixels. */
const ROW = 36;
const OVERSCAN = 8;
/** Maximum number of listed problems. */
const MAX_SHOWN = 5;

/** A cell. Enter and leaving it keep the input; Esc discards it. In cells with several lines, Shift+Enter starts a new one. */
function Cell(props: {
  label: string;
  value: string;
  isReadOnly: boolean;
  isMultiline: boolean;
  onSet(text: string): void;
  onPaste(event: ClipboardEvent): void;
  onStep(step: 1 | -1): void;
}) {
  const { label, value, isReadOnly, isMultiline, onSet, onPaste, onStep } = props;
  const [typed, setTyped] = useState<string | null>(null);
  const end = () => {
    if (typed !== null && typed !== value) onSet(typed);
    setTyped(null);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && typed !== null) {
      event.stopPropagation();
      setTyped(null);
    }
    const steps = isMultiline
      ? { Enter: event.shiftKey ? undefined : 1 }
      : { ArrowDown: 1, ArrowUp: -1, Enter: event.shiftKey ? -1 : 1 };
    const step = (steps as Record<string, 1 | -1 | undefined>)[event.key];
    if (!step || event.nativeEvent.isComposing) return;
    event.preventDefault();
    end();
    onStep(step);
  };
  const field = {
    className: classes.input,
    'aria-label': label,
    dir: 'auto',
    readOnly: isReadOnly,
    value: typed ?? value,
    onBlur: end,
    onPaste,
    onKeyDown,
  };
  if (isMultiline)
    return <textarea {...field} rows={1} onChange={({ currentTarget }) => setTyped(currentTarget.value)} />;
  return (
    <input
      {...field}
      onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      onFocus={({ currentTarget }) => currentTarget.select()}
    />
  );
}

/** A row of texts. */
export interface CellRow {
  id: number;
  /** Icon or image before the first cell. */
  lead?: ReactNode;
  /** Texts by column; undefined for a column that the row doesn't have. */
  cells: readonly (string | undefined)[];
}

/** The first cell of an input. */
export interface CellPlace {
  row: number;
  column: number;
}

interface Props {
  /** Accessible name. */
  label: string;
  columns: readonly string[];
  /** Which columns have texts with several lines; none by default. */
  isMultiline?: readonly boolean[];
  /** Widths of the columns in CSS. */
  tracks: string;
  /** Minimum width in pixels, below which it scrolls. */
  least?: number;
  rows: readonly CellRow[];
  isReadOnly: boolean;
  /** Text without rows. */
  empty: string;
  /** Sets cells from one on, row by row. @returns messages about cells that were not set */
  onSet(from: CellPlace, rows: readonly (readonly string[])[]): readonly string[];
}

/** A virtualized table of texts. Cells can be pasted from a spreadsheet. */
export function CellTable({ label, columns, isMultiline = [], tracks, least, rows, isReadOnly, empty, onSet }: Props) {
  const [problems, setProblems] = useState<readonly string[]>([]);
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
  const table = useRef<HTMLDivElement>(null);
  const set = (...given: Parameters<Props['onSet']>) => setProblems(onSet(...given));
  const step = (row: number, column: number) => {
    if (!rows[row]) return;
    virtual.scrollToIndex(row);
    const focus = () =>
      table.current?.querySelector<HTMLElement>(`[data-cell="${row} ${column}"] :is(input, textarea)`)?.focus();
    requestAnimationFrame(focus);
  };
  const paste = (row: number, column: number) => (event: ClipboardEvent) => {
    const text = event.clipboardData.getData('text/plain').replace(/\r?\n$/, '');
    // Paragraphs stay in a cell with several lines; spreadsheets copy cells as a table.
    const isCells =
      !isMultiline[column] || text.includes('\t') || /<table/i.test(event.clipboardData.getData('text/html'));
    if (!/[\t\n]/.test(text) || !isCells || isReadOnly) return;
    event.preventDefault();
    set({ row, column }, pastedRows(text));
  };
  const widths = { '--tracks': tracks, ...(least && { '--least': `${least}px` }) } as CSSProperties;
  return (
    <>
      {problems.length > 0 && (
        <Alert mb="sm" color="red" title="Some cells were not changed" withCloseButton onClose={() => setProblems([])}>
          {problems.slice(0, MAX_SHOWN).map((problem) => (
            <div key={problem}>{problem}</div>
          ))}
          {problems.length > MAX_SHOWN && `And ${problems.length - MAX_SHOWN} more.`}
        </Alert>
      )}
      <div ref={setFrame} className={classes.frame} style={widths}>
        {/* biome-ignore lint/a11y/useSemanticElements: rows are placed by the virtual list. */}
        <div
          ref={table}
          role="table"
          aria-label={label}
          aria-rowcount={rows.length + 1}
          className={classes.table}
          style={{ height: virtual.getTotalSize() }}
        >
          {/* biome-ignore lint/a11y/useSemanticElements: as above. */}
          {/* biome-ignore lint/a11y/useFocusableInteractive: its cells are focusable. */}
          <div role="row" className={`${classes.row} ${classes.head}`} style={{ height: ROW }}>
            {columns.map((column) => (
              // biome-ignore lint/a11y/useSemanticElements: as above.
              // biome-ignore lint/a11y/useFocusableInteractive: as above.
              <div key={column} role="columnheader" className={classes.cell}>
                {column}
              </div>
            ))}
          </div>
          {virtual.getVirtualItems().map(({ index, key, start }) => {
            const { lead, cells } = rows[index]!;
            return (
              // biome-ignore lint/a11y/useSemanticElements: as above.
              // biome-ignore lint/a11y/useFocusableInteractive: its cells are focusable.
              <div
                key={key}
                role="row"
                aria-rowindex={index + 2}
                className={classes.row}
                style={{ height: ROW, transform: `translateY(${start}px)` }}
              >
                {columns.map((column, place) => {
                  const value = cells[place];
                  return (
                    // biome-ignore lint/a11y/useSemanticElements: as above.
                    <div key={column} role="cell" className={classes.cell} data-cell={`${index} ${place}`}>
                      {place === 0 && lead}
                      {value !== undefined && (
                        <Cell
                          label={`${column}, row ${index + 1}`}
                          value={value}
                          isReadOnly={isReadOnly}
                          isMultiline={isMultiline[place] === true}
                          onSet={(text) => set({ row: index, column: place }, [[text]])}
                          onPaste={paste(index, place)}
                          onStep={(by) => step(index + by, place)}
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
            {empty}
          </Text>
        )}
      </div>
      {!isReadOnly && (
        <Text size="xs" c="dimmed" mt="xs">
          Cells copied from a spreadsheet are pasted from the focused cell on.
          {isMultiline.includes(true) && ' Shift+Enter starts a new line.'}
        </Text>
      )}
    </>
  );
}
