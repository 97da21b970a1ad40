import { type FocusEvent, type KeyboardEvent, useCallback, useRef, useState } from 'react';
import type { TreeItem, TreeRow } from './tree-rows.ts';

/** Milliseconds after which type-ahead starts anew. */
const PAUSE = 700;

/** Attribute of the control of a row that Enter and Space press. */
const PRIMARY = '[data-primary]';

interface TreeKeysOptions<T extends TreeItem<T>> {
  rows: readonly TreeRow<T>[];
  nameOf(item: T): string;
  /** Item that has the tab stop until a row gets the focus. */
  revealed: number | null;
  /** Whether rows can be selected together, so that Space toggles one. */
  isSelectable: boolean;
  /** Whether an item has children, loaded or not. */
  isBranch(item: T): boolean;
  onToggle(item: T): void;
  /** Scrolls a row into view. */
  onReveal(index: number): void;
}

/** Whether a key is part of a name, and searches it in a tree. */
export const isNameKey = ({
  key,
  ctrlKey,
  metaKey,
  altKey,
}: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'>): boolean =>
  !ctrlKey && !metaKey && !altKey && /^[\p{L}\p{N}]$/u.test(key);

/**
 * Keyboard navigation of a tree as in the WAI-ARIA pattern: one tab stop, arrow keys, Home, End and type-ahead. Tab moves
 * on to the controls of the row.
 */
export function useTreeKeys<T extends TreeItem<T>>(options: TreeKeysOptions<T>) {
  const { rows, nameOf, revealed, isSelectable, isBranch, onToggle, onReveal } = options;
  const [focusedId, setFocusedId] = useState<number | null>(null);
  /** Row that gets the focus once it is rendered. */
  const wanted = useRef<number | null>(null);
  const typed = useRef({ text: '', at: Number.NEGATIVE_INFINITY });
  const indexOf = (id: number | null) => rows.findIndex(({ item }) => item.id === id);
  const own = indexOf(focusedId);
  const stop = own >= 0 ? own : Math.max(0, indexOf(revealed));

  const focus = (index: number) => {
    const row = rows[index];
    if (!row) return;
    wanted.current = row.item.id;
    setFocusedId(row.item.id);
    onReveal(index);
    document.querySelector<HTMLElement>(`[role="treeitem"][data-id="${row.item.id}"]`)?.focus({ preventScroll: true });
  };
  const search = (key: string, at: number, from: number) => {
    const { current } = typed;
    current.text = (at - current.at > PAUSE ? '' : current.text) + key.toLowerCase();
    current.at = at;
    // The same letter again goes to the next match.
    const isRepeated = [...current.text].every((letter) => letter === current.text[0]);
    const text = isRepeated ? current.text[0]! : current.text;
    const start = isRepeated ? from + 1 : from;
    const order = [...rows.keys()].map((offset) => (start + offset) % rows.length);
    const found = order.find((index) => nameOf(rows[index]!.item).toLowerCase().startsWith(text));
    if (found !== undefined) focus(found);
  };
  /** Whether a space continues the name being typed. */
  const continues = (at: number): boolean => {
    const { text, at: before } = typed.current;
    if (text === '' || at - before > PAUSE) return false;
    return rows.some(({ item }) => nameOf(item).toLowerCase().startsWith(`${text} `));
  };
  const press = (event: KeyboardEvent<HTMLElement>) => {
    const isToggle = event.key === ' ' && isSelectable && !event.shiftKey;
    const { shiftKey, metaKey } = event;
    const click = { bubbles: true, cancelable: true, shiftKey, metaKey, ctrlKey: event.ctrlKey || isToggle };
    event.currentTarget.querySelector(PRIMARY)?.dispatchEvent(new MouseEvent('click', click));
  };
  /** What a navigation key does at a row. */
  const actionOf = (key: string, index: number): (() => unknown) | undefined => {
    const { item, parent, isOpen } = rows[index]!;
    const isClosed = isBranch(item) && !isOpen;
    switch (key) {
      case 'ArrowDown':
        return () => focus(index + 1);
      case 'ArrowUp':
        return () => focus(index - 1);
      case 'Home':
        return () => focus(0);
      case 'End':
        return () => focus(rows.length - 1);
      case 'ArrowRight':
        return () => (isClosed ? onToggle(item) : isOpen && focus(index + 1));
      case 'ArrowLeft':
        return () => (isOpen ? onToggle(item) : parent && focus(indexOf(parent.id)));
      default:
        return undefined;
    }
  };
  const onKeyDown = (index: number) => (event: KeyboardEvent<HTMLElement>) => {
    // The controls in a row have keys of their own.
    if (event.target !== event.currentTarget) return;
    const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey;
    const act = actionOf(event.key, index);
    const isInName = event.key === ' ' && continues(event.timeStamp);
    const isPress = event.key === 'Enter' || (event.key === ' ' && !isInName);
    if (!(isPress || isInName || (isPlain && act)) && !isNameKey(event)) return;
    event.preventDefault();
    event.stopPropagation();
    if (isPress) press(event);
    else if (act) act();
    else search(event.key, event.timeStamp, index);
  };
  const onFocus = (event: FocusEvent<HTMLElement>) => setFocusedId(Number(event.currentTarget.dataset.id));
  /** Focuses a row that was not rendered when it was wanted. */
  const whenRendered = useCallback((element: HTMLElement | null, id: number) => {
    if (wanted.current !== id) return;
    wanted.current = null;
    element?.focus({ preventScroll: true });
  }, []);
  return { stop, onKeyDown, onFocus, whenRendered, forget: useCallback(() => setFocusedId(null), []) };
}
