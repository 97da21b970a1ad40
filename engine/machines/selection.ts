import { assign, setup } from 'xstate';

/** The properties of an element that matter for selecting it. */
export interface Selectable {
  id: number;
  visible: boolean;
  editable: boolean;
}

export type SelectionEvent =
  /**
   * A click on the canvas or in the tree, or an element that was just added or shown again: selects only this
   * element.
   */
  | { type: 'select'; element: Selectable }
  /** A click with Shift or Ctrl: adds the element to the selection or removes it. */
  | { type: 'toggle'; element: Selectable }
  /** Selects exactly these: a box, a range of the tree, all, or the inverse. The last one is active. */
  | { type: 'select.many'; elements: readonly Selectable[] }
  /** Esc, or the edit window was closed. */
  | { type: 'deselect' }
  /** Elements left the canvas or became read-only. Children are listed along with their group. */
  | { type: 'element.hidden' | 'element.removed' | 'element.locked'; element_ids: readonly number[] };

export interface SelectionContext {
  /** Ids of the selected elements, unique, in the order of selection; the last one is active. */
  selected: readonly number[];
}

const isAllowed = ({ visible, editable }: Selectable) => visible && editable;

/** The selection after an event. */
function selectionAfter(selected: readonly number[], event: SelectionEvent): readonly number[] {
  switch (event.type) {
    case 'select':
      return isAllowed(event.element) ? [event.element.id] : selected;
    case 'toggle': {
      const { id } = event.element;
      if (selected.includes(id)) return selected.filter((other) => other !== id);
      return isAllowed(event.element) ? [...selected, id] : selected;
    }
    case 'select.many':
      return [...new Set(event.elements.filter(isAllowed).map(({ id }) => id))];
    case 'deselect':
      return selected.length > 0 ? [] : selected;
    default: {
      const gone = new Set(event.element_ids);
      return selected.some((id) => gone.has(id)) ? selected.filter((id) => !gone.has(id)) : selected;
    }
  }
}

/** Transitions of every event: the state follows from the size of the new selection. */
const CHANGES = [
  { guard: 'isSame' },
  { guard: 'leavesNone', target: '.none', actions: 'take' },
  { guard: 'leavesOne', target: '.one', actions: 'take' },
  { target: '.many', actions: 'take' },
] as const;

/**
 * Tracks which elements of a room are being edited: none, one or many, all of them visible and editable.
 *
 * ```
 *         select          toggle                     select.many       deselect  element.hidden, .removed, .locked
 *         allowed refused another    selected refused                            remaining
 * none    one     ·       one        –        ·      none, one, many   ·         none
 * one     one     ·       many       none     ·      none, one, many   none      none, one
 * many    one     ·       many       one,many ·      none, one, many   none      none, one, many
 * ```
 */
export const selectionMachine = setup({
  types: { context: {} as SelectionContext, events: {} as SelectionEvent },
  guards: {
    isSame: ({ context, event }) => selectionAfter(context.selected, event) === context.selected,
    leavesNone: ({ context, event }) => selectionAfter(context.selected, event).length === 0,
    leavesOne: ({ context, event }) => selectionAfter(context.selected, event).length === 1,
  },
  actions: {
    take: assign(({ context, event }) => ({ selected: selectionAfter(context.selected, event) })),
  },
}).createMachine({
  id: 'selection',
  context: { selected: [] },
  initial: 'none',
  on: {
    select: CHANGES,
    toggle: CHANGES,
    'select.many': CHANGES,
    deselect: CHANGES,
    'element.hidden': CHANGES,
    'element.removed': CHANGES,
    'element.locked': CHANGES,
  },
  states: { none: {}, one: {}, many: {} },
});
