import { ActionIcon, VisuallyHidden } from '@mantine/core';
import { IconGripVertical } from '@tabler/icons-react';
import { observer } from 'mobx-react-lite';
import { type KeyboardEvent, type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react';
import classes from './sortable-list.module.css';

export interface SortableListProps<Item> {
  /** Accessible name of the list. */
  label: string;
  items: readonly Item[];
  /** Stable key of an item; its index if missing. */
  keyOf?(item: Item, index: number): string | number;
  /** Name of an item, for announcements. */
  nameOf(item: Item, index: number): string;
  /** Renders an item next to its drag handle. */
  children(item: Item, index: number): ReactNode;
  /** @param to new index */
  onMove(from: number, to: number): void;
  isLocked?: boolean;
}

/** Reorders items. */
export const moved = <Item,>(items: readonly Item[], from: number, to: number): Item[] =>
  items.toSpliced(from, 1).toSpliced(to, 0, items[from]!);

/** Step for a key: arrows on the handle, Alt+arrows anywhere in the item. */
function stepOf({ key, altKey, target, currentTarget }: KeyboardEvent<HTMLLIElement>): -1 | 0 | 1 {
  const isHandle = (target as HTMLElement).closest('[data-handle]') !== null;
  if (!currentTarget.contains(target as Node) || !(altKey || isHandle)) return 0;
  return key === 'ArrowUp' ? -1 : key === 'ArrowDown' ? 1 : 0;
}

/**
 * Short list, reordered by dragging the handle, by arrow keys on it, or by Alt+arrows in the item. Moves are announced.
 */
export const SortableList = observer(<Item,>(props: SortableListProps<Item>) => {
  const { label, items, keyOf = (_, index) => index, nameOf, children, onMove, isLocked = false } = props;
  const list = useRef<HTMLUListElement>(null);
  const [said, setSaid] = useState('');
  const focused = useRef<number | null>(null);
  const move = (from: number, to: number) => {
    if (isLocked || from === to || to < 0 || to >= items.length) return;
    setSaid(`${nameOf(items[from]!, from)}: place ${to + 1} of ${items.length}`);
    onMove(from, to);
  };
  const drop = useEffectEvent(move);
  useEffect(() => {
    // Keep focus on the moved handle.
    if (focused.current === null) return;
    list.current?.querySelectorAll<HTMLElement>('[data-handle]')[focused.current]?.focus();
    focused.current = null;
  });
  useEffect(() => {
    let end = () => {};
    let isGone = false;
    void import('sortablejs').then(({ default: Sortable }) => {
      if (isGone || !list.current || isLocked) return;
      const sortable = new Sortable(list.current, {
        handle: '[data-handle]',
        animation: matchMedia('(prefers-reduced-motion: reduce)').matches ? 0 : 150,
        // Native drag and drop doesn't support touch and would drop files into the room.
        forceFallback: true,
        fallbackOnBody: true,
        ghostClass: classes.place!,
        fallbackClass: classes.dragged!,
        onEnd: ({ item, from, oldIndex, newIndex }) => {
          if (oldIndex === undefined || newIndex === undefined) return;
          // Undo Sortable's DOM move: React renders the new order.
          item.remove();
          from.insertBefore(item, from.children[oldIndex] ?? null);
          drop(oldIndex, newIndex);
        },
      });
      end = () => sortable.destroy();
    });
    return () => {
      isGone = true;
      end();
    };
  }, [isLocked]);
  return (
    <>
      <ul ref={list} className={classes.list} aria-label={label}>
        {items.map((item, index) => (
          <li
            key={keyOf(item, index)}
            className={classes.item}
            onKeyDown={(event) => {
              const step = stepOf(event);
              if (step === 0) return;
              event.preventDefault();
              event.stopPropagation();
              const to = Math.min(Math.max(index + step, 0), items.length - 1);
              focused.current = to;
              move(index, to);
            }}
          >
            <ActionIcon
              data-handle
              className={classes.handle}
              variant="subtle"
              color="gray"
              disabled={isLocked}
              aria-label={`Move: ${nameOf(item, index)}`}
              aria-keyshortcuts="ArrowUp ArrowDown Alt+ArrowUp Alt+ArrowDown"
              title="Drag, or press ↑ and ↓"
            >
              <IconGripVertical size={16} aria-hidden />
            </ActionIcon>
            <div className={classes.content}>{children(item, index)}</div>
          </li>
        ))}
      </ul>
      <VisuallyHidden role="status">{said}</VisuallyHidden>
    </>
  );
});
