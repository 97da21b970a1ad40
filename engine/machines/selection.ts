import { assign, setup } from 'xstate';

/** An element as far as selecting it goes. */
export interface Selectable {
  id: number;
  visible: boolean;
  editable: boolean;
}

export type SelectionEvent =
  /** A click on the canvas or in the tree, or an element that was just added or shown again. */
  | { type: 'select'; element: Selectable }
  /** Esc, or the edit window was closed. */
  | { type: 'deselect' }
  /** These left the canvas, or may no longer be edited. Children are named with their group. */
  | { type: 'element.hidden' | 'element.removed' | 'element.locked'; element_ids: readonly number[] };

export interface SelectionContext {
  /** Id of the selected element; null while idle. */
  selected: number | null;
}

/**
 * Which element of a room is being edited: at most one, and only one that is visible and editable.
 *
 * ```
 *            select,   select,  deselect  element.hidden, .removed, .locked
 *            allowed   refused            of it     of others
 * idle       selected  ·        ·         ·         ·
 * selected   selected  ·        idle      idle      ·
 * ```
 */
export const selectionMachine = setup({
  types: { context: {} as SelectionContext, events: {} as SelectionEvent },
  guards: {
    isSelectable: ({ event }) => 'element' in event && event.element.visible && event.element.editable,
    isSelected: ({ context, event }) =>
      'element_ids' in event && context.selected !== null && event.element_ids.includes(context.selected),
  },
  actions: {
    takeElement: assign(({ context, event }) => ('element' in event ? { selected: event.element.id } : context)),
    release: assign({ selected: null }),
  },
}).createMachine({
  id: 'selection',
  context: { selected: null },
  initial: 'idle',
  on: {
    select: { guard: 'isSelectable', target: '.selected', actions: 'takeElement' },
  },
  states: {
    idle: {},
    selected: {
      on: {
        deselect: { target: 'idle', actions: 'release' },
        'element.hidden': { guard: 'isSelected', target: 'idle', actions: 'release' },
        'element.removed': { guard: 'isSelected', target: 'idle', actions: 'release' },
        'element.locked': { guard: 'isSelected', target: 'idle', actions: 'release' },
      },
    },
  },
});
