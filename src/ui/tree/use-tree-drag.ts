import { combine } from '@atlaskit/pragmatic-drag-and-drop/combine';
import { draggable, dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter';
import {
  attachInstruction,
  extractInstruction,
  type Instruction,
} from '@atlaskit/pragmatic-drag-and-drop-hitbox/list-item';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { isWithin, type TreeItem, type TreePlace, type TreeRow } from './tree-rows.ts';

/** Row data for drag and drop. */
export interface TreeDragOptions<T> {
  /** Identifies the tree, so that trees on one page don't mix. */
  treeId: string;
  row: TreeRow<T>;
  canMove: boolean;
  /** Whether the whole row is a drag handle for the mouse. */
  dragsByRow: boolean;
  canHold(item: T, parent: T | null): boolean;
  /** Siblings, in order. */
  siblings: readonly T[];
  onMove(item: T, place: TreePlace): void;
}

const isTyping = (element: Element | null): boolean => element instanceof HTMLInputElement;

/** Makes a tree row draggable and a drop target. */
export function useTreeDrag<T extends TreeItem<T>>(
  line: RefObject<HTMLElement | null>,
  grip: RefObject<HTMLElement | null>,
  options: TreeDragOptions<T>,
): { hint: Instruction | null; isDragged: boolean } {
  const [hint, setHint] = useState<Instruction | null>(null);
  const [isDragged, setDragged] = useState(false);
  // Listeners survive re-renders and read the latest row when called.
  const latest = useRef(options);
  latest.current = options;
  const { treeId, canMove, dragsByRow } = options;

  useEffect(() => {
    const element = line.current;
    const dragHandle = grip.current;
    if (!element) return;
    const draggedOf = (data: Record<string | symbol, unknown>) => (data.treeId === treeId ? (data.item as T) : null);
    const target = dropTargetForElements({
      element,
      canDrop: ({ source }) => {
        const item = draggedOf(source.data);
        return item !== null && !isWithin(latest.current.row.item, item);
      },
      getData: ({ input, source }) => {
        const item = draggedOf(source.data)!;
        const { row, canHold } = latest.current;
        const beside = canHold(item, row.parent) ? 'available' : 'not-available';
        return attachInstruction(
          {},
          {
            element,
            input,
            operations: {
              'reorder-before': beside,
              // Below an open row means before its first child.
              'reorder-after': row.isOpen ? (canHold(item, row.item) ? 'available' : 'not-available') : beside,
              combine: canHold(item, row.item) ? 'available' : 'not-available',
            },
          },
        );
      },
      onDrag: ({ self }) => setHint(extractInstruction(self.data)),
      onDragLeave: () => setHint(null),
      onDrop: ({ self, source }) => {
        setHint(null);
        const instruction = extractInstruction(self.data);
        const item = draggedOf(source.data);
        if (!instruction || !item) return;
        const { row, siblings, onMove } = latest.current;
        const at = siblings.findIndex(({ id }) => id === row.item.id);
        const parentId = row.parent?.id ?? null;
        if (instruction.operation === 'combine') onMove(item, { parentId: row.item.id, beforeId: null });
        else if (instruction.operation === 'reorder-before') onMove(item, { parentId, beforeId: row.item.id });
        else if (row.isOpen) {
          const first = row.item.children.find(({ id }) => id !== item.id);
          onMove(item, { parentId: row.item.id, beforeId: first?.id ?? null });
        } else {
          const next = siblings.slice(at + 1).find(({ id }) => id !== item.id);
          onMove(item, { parentId, beforeId: next?.id ?? null });
        }
      },
    });
    if (!canMove || !dragHandle) return target;
    return combine(
      target,
      draggable({
        element,
        ...(!(dragsByRow && matchMedia('(pointer: fine)').matches) && { dragHandle }),
        // Allow text selection in a row's inputs.
        canDrag: ({ input }) => !isTyping(document.elementFromPoint(input.clientX, input.clientY)),
        getInitialData: () => ({ treeId, item: latest.current.row.item }),
        onDragStart: () => setDragged(true),
        onDrop: () => setDragged(false),
      }),
    );
  }, [line, grip, treeId, canMove, dragsByRow]);
  return { hint, isDragged };
}
