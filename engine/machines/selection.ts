import { assign, setup } from 'xstate';

/** An element as far as selecting it goes. */
export interface Selectable {
  id: number;
  visible: boolean;
  editable: boolean;
}

export type SelectionEvent =
  /** A click on the canvas or in the tree, or an element that was just added or shown again: it alone is selected. */
  | { type: 'select'; element: Selectable }
  /** A click with Shift or Ctrl: it joins what is selected, or leaves it. */
  | { type: 'toggle'; element: Selectable }
  /** These and nothing else: a box, a range of the tree, all, the others. The last one is active. */
  | { type: 'select.many'; elements: readonly Selectable[] }
  /** Esc, or the edit window was closed. */
  | { type: 'deselect' }
  /** These left the canvas, or may no longer be edited. Children are named with their group. */
  | { type: 'element.hidden' | 'element.removed' | 'element.locked'; element_ids: readonly number[] };

export interface SelectionContext {
  /** Ids of what is selected, each once, in the order in which they were; the last one is active. */
  selected: readonly number[];
}

const isAllowed = ({ visible, editable }: Selectable) => visible && editable;

/** What is selected after an event. */
function after(selected: readonly number[], event: SelectionEvent): readonly number[] {
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

/** Where every event leads: what is selected after it says in which state. */
const CHANGES = [
  { guard: 'isSame' },
  { guard: 'leavesNone', target: '.none', actions: 'take' },
  { guard: 'leavesOne', target: '.one', actions: 'take' },
  { target: '.many', actions: 'take' },
] as const;

/**
 * Which elements of a room are being edited: none, one or many, and only such that are visible and editable.
 *
 * ```
 *         select          toggle                     select.many       deselect  element.hidden, .removed, .locked
 *         allowed refused another    selected refused                            what is left
 * none    one     ·       one        –        ·      none, one, many   ·         none
 * one     one     ·       many       none     ·      none, one, many   none      none, one
 * many    one     ·       many       one,many ·      none, one, many   none      none, one, many
 * ```
 */
export const selectionMachine = setup({
  types: { context: {} as SelectionContext, events: {} as SelectionEvent },
  guards: {
    isSame: ({ context, event }) => after(context.selected, event) === context.selected,
    leavesNone: ({ context, event }) => after(context.selected, event).length === 0,
    leavesOne: ({ context, event }) => after(context.selected, event).length === 1,
  },
  actions: {
    take: assign(({ context, event }) => ({ selected: after(context.selected, event) })),
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
