import { autoScrollForElements } from '@atlaskit/pragmatic-drag-and-drop-auto-scroll/element';
import { useId } from '@mantine/hooks';
import { IconChevronDown, IconChevronRight, IconGripVertical } from '@tabler/icons-react';
import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import { observer } from 'mobx-react-lite';
import {
  type CSSProperties,
  type FocusEventHandler,
  type KeyboardEvent,
  type KeyboardEventHandler,
  type ReactNode,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { IconAction, TabStopContext } from '../IconAction.tsx';
import classes from './tree.module.css';
import {
  pathTo,
  placeAfterStep,
  type TreeItem,
  type TreePlace,
  type TreeRow,
  type TreeStep,
  treeRows,
} from './tree-rows.ts';
import { useTreeDrag } from './use-tree-drag.ts';
import { useTreeKeys } from './use-tree-keys.ts';

/** Overscan rows. */
const OVERSCAN = 12;

const STEPS: Record<string, TreeStep> = { ArrowUp: 'up', ArrowDown: 'down', ArrowRight: 'in', ArrowLeft: 'out' };

const NO_IDS: ReadonlySet<number> = new Set();

/** Items and operations of a tree. */
export interface TreeProps<T extends TreeItem<T>> {
  /** Accessible name. */
  label: string;
  items: readonly T[];
  /** Row height in pixels. */
  rowHeight: number;
  /** CSS max-height. */
  maxHeight: string;
  nameOf(item: T): string;
  /** States of an item for screen readers, such as “hidden”. */
  statesOf?(item: T): readonly string[];
  /** Id of the element in a row that names it, if it shows more than the name. */
  labelledBy?(item: T): string;
  /** Whether an item is selected, if several can be. Observed by its row. */
  isSelected?(item: T): boolean;
  /** Whether an item can be moved. */
  canMove(item: T): boolean;
  /** Whether the whole row is a drag handle for the mouse. */
  dragsByRow?: boolean;
  /** Whether an item may be a child of a parent; null is the root. */
  canHold(item: T, parent: T | null): boolean;
  onMove(item: T, place: TreePlace): void;
  /** Whether an item has children that are not loaded. */
  hasUnloaded?(item: T): boolean;
  /** Loads the children of an item. */
  onLoad?(item: T): void;
  /** Search text; a new search opens all branches. */
  search?: string;
  /** Item to reveal when it changes, and when a search ends. */
  revealed?: number | null;
  /**
   * Renders a row. Enter and Space press the control with `data-primary`.
   * @param grip drag handle; null if the item can't be moved
   * @param rows all open rows, top to bottom
   */
  row(row: TreeRow<T>, grip: ReactNode, rows: readonly TreeRow<T>[]): ReactNode;
}

interface LineProps<T extends TreeItem<T>> {
  tree: TreeProps<T>;
  treeId: string;
  line: TreeRow<T>;
  rows: readonly TreeRow<T>[];
  style: CSSProperties;
  /** Whether the row is the tab stop of the tree. */
  isStop: boolean;
  onKeyDown: KeyboardEventHandler<HTMLElement>;
  onFocus: FocusEventHandler<HTMLElement>;
  whenRendered(element: HTMLElement | null, id: number): void;
  onToggle(): void;
  onStep(line: TreeRow<T>, step: TreeStep): void;
}

function TreeLine<T extends TreeItem<T>>(props: LineProps<T>) {
  const { tree, treeId, line, rows, style, isStop, onKeyDown, onFocus, whenRendered, onToggle, onStep } = props;
  const { item, parent, depth, isOpen } = line;
  const element = useRef<HTMLLIElement>(null);
  const grip = useRef<HTMLButtonElement>(null);
  const canMove = tree.canMove(item);
  const siblings = parent?.children ?? tree.items;
  const { hint, isDragged } = useTreeDrag(element, grip, {
    treeId,
    row: line,
    canMove,
    dragsByRow: tree.dragsByRow ?? false,
    canHold: tree.canHold,
    siblings,
    onMove: tree.onMove,
  });
  const name = tree.nameOf(item);
  const isSelected = tree.isSelected?.(item);
  useEffect(() => whenRendered(element.current, item.id), [whenRendered, item.id]);
  const step = (event: KeyboardEvent) => {
    const wanted = STEPS[event.key];
    if (!wanted) return;
    event.preventDefault();
    onStep(line, wanted);
  };
  return (
    <li
      ref={element}
      role="treeitem"
      tabIndex={isStop ? 0 : -1}
      aria-label={tree.labelledBy ? undefined : [name, ...(tree.statesOf?.(item) ?? [])].join(', ')}
      aria-labelledby={tree.labelledBy?.(item)}
      aria-description={tree.labelledBy && tree.statesOf?.(item).join(', ')}
      aria-level={depth + 1}
      aria-setsize={siblings.length}
      aria-posinset={siblings.indexOf(item) + 1}
      aria-expanded={isBranch(item, tree) ? isOpen : undefined}
      aria-selected={isSelected}
      onKeyDown={onKeyDown}
      onFocus={onFocus}
      className={classes.line}
      style={{ ...style, '--depth': depth } as CSSProperties}
      data-hint={hint?.blocked ? undefined : hint?.operation}
      data-open={isOpen || undefined}
      data-dragged={isDragged || undefined}
      data-id={item.id}
    >
      {isBranch(item, tree) ? (
        <IconAction
          label={isOpen ? `Close ${name}` : `Open ${name}`}
          isSkipped
          icon={isOpen ? <IconChevronDown size={16} /> : <IconChevronRight size={16} />}
          onClick={onToggle}
        />
      ) : (
        <span className={classes.noToggle} />
      )}
      <TabStopContext value={isStop}>
        {tree.row(
          line,
          canMove && (
            <IconAction
              buttonRef={grip}
              label={`Reorder: ${name}. Drag, or press the arrow keys.`}
              hint="Reorder"
              icon={<IconGripVertical size={18} />}
              onKeyDown={step}
            />
          ),
          rows,
        )}
      </TabStopContext>
    </li>
  );
}

/** Whether an item has children, loaded or not. */
const isBranch = <T extends TreeItem<T>>(item: T, { hasUnloaded }: TreeProps<T>): boolean =>
  item.children.length > 0 || hasUnloaded?.(item) === true;

/** A row, which renders again when its selection changes. */
const Line = observer(TreeLine) as typeof TreeLine;

/** Virtualized tree, reordered by dragging or keyboard. */
export function Tree<T extends TreeItem<T>>(props: TreeProps<T>) {
  const { label, items, rowHeight, maxHeight, nameOf, canHold, onMove, search = '', revealed = null } = props;
  const treeId = useId();
  const frame = useRef<HTMLDivElement>(null);
  const [ownClosed, setOwnClosed] = useState<ReadonlySet<number>>(new Set());
  // Branches closed during a search stay closed in that search only.
  const [found, setFound] = useState({ search, closed: NO_IDS });
  const closed = search === '' ? ownClosed : found.search === search ? found.closed : NO_IDS;
  const setClosed = (next: ReadonlySet<number>) =>
    search === '' ? setOwnClosed(next) : setFound({ search, closed: next });
  const [said, setSaid] = useState('');
  const rows = useMemo(() => treeRows(items, closed), [items, closed]);
  const keys = useTreeKeys({
    rows,
    nameOf,
    revealed,
    isSelectable: props.isSelected !== undefined,
    isBranch: (item) => isBranch(item, props),
    onToggle: (item) => toggle(item),
    onReveal: (index) => virtual.scrollToIndex(index, { align: 'auto' }),
  });
  const { stop, forget } = keys;
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => frame.current,
    estimateSize: () => rowHeight,
    getItemKey: (index) => rows[index]!.item.id,
    overscan: OVERSCAN,
    // The tab stop is always rendered, so that the focus stays while scrolling.
    rangeExtractor: (range) => [...new Set([...defaultRangeExtractor(range), stop])].sort((a, b) => a - b),
  });
  useEffect(() => autoScrollForElements({ element: frame.current! }), []);

  const isSearching = search !== '';
  // biome-ignore lint/correctness/useExhaustiveDependencies: scroll once per reveal, and after a search.
  useEffect(() => {
    if (revealed === null || isSearching) return;
    if (!frame.current?.contains(document.activeElement)) forget();
    const opened = new Set(closed);
    for (const id of pathTo(items, revealed)) opened.delete(id);
    if (opened.size < closed.size) setClosed(opened);
    const index = treeRows(items, opened).findIndex(({ item }) => item.id === revealed);
    if (index >= 0) virtual.scrollToIndex(index, { align: 'auto' });
  }, [revealed, isSearching]);

  const toggle = (item: T) => {
    if (item.children.length === 0) return props.onLoad?.(item);
    const next = new Set(closed);
    if (!next.delete(item.id)) next.add(item.id);
    setClosed(next);
  };
  const onStep = (line: TreeRow<T>, step: TreeStep) => {
    const place = placeAfterStep(items, rows, line, step);
    const parent = rows.find(({ item }) => item.id === place?.parentId)?.item ?? null;
    if (!place || !canHold(line.item, parent)) return setSaid(`${nameOf(line.item)} can't be moved there.`);
    onMove(line.item, place);
    setSaid(`${nameOf(line.item)} moved${parent ? ` below ${nameOf(parent)}` : ''}.`);
  };

  return (
    <div ref={frame} className={classes.frame} style={{ maxHeight }}>
      <ul
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: the WAI-ARIA tree pattern.
        role="tree"
        aria-label={label}
        aria-multiselectable={props.isSelected !== undefined}
        className={classes.tree}
        style={{ height: virtual.getTotalSize() }}
      >
        {virtual.getVirtualItems().map(({ index, key, start }) => (
          <Line
            key={key}
            tree={props}
            treeId={treeId}
            line={rows[index]!}
            rows={rows}
            isStop={index === stop}
            onKeyDown={keys.onKeyDown(index)}
            onFocus={keys.onFocus}
            whenRendered={keys.whenRendered}
            style={{ height: rowHeight, transform: `translateY(${start}px)` }}
            onToggle={() => toggle(rows[index]!.item)}
            onStep={onStep}
          />
        ))}
      </ul>
      <div role="status" className={classes.said}>
        {said}
      </div>
    </div>
  );
}
