import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createActor } from 'xstate';
import { type Selectable, type SelectionEvent, selectionMachine } from '../../../engine/machines/selection.ts';
import { restableStates, walkPaths } from './walk-paths.ts';

const element = (id: number, flags: Partial<Selectable> = {}): Selectable => ({
  id,
  visible: true,
  editable: true,
  ...flags,
});
const select = (id: number, flags?: Partial<Selectable>): SelectionEvent => ({
  type: 'select',
  element: element(id, flags),
});

function editor(...events: SelectionEvent[]) {
  const actor = createActor(selectionMachine).start();
  for (const event of events) actor.send(event);
  return actor.getSnapshot();
}

const selectedAfter = (...events: SelectionEvent[]) => editor(...events).context.selected;

const report = walkPaths({
  machine: selectionMachine,
  events: [
    ...[1, 2].flatMap((id) => [
      select(id),
      select(id, { visible: false }),
      select(id, { editable: false }),
      { type: 'element.hidden', element_ids: [id] },
      { type: 'element.removed', element_ids: [id] },
      { type: 'element.locked', element_ids: [id] },
    ]),
    { type: 'element.removed', element_ids: [1, 2] },
    { type: 'deselect' },
  ],
  invariant: ({ value, context }) => expect(context.selected !== null).toBe(value === 'selected'),
  isResting: ({ value }) => value === 'idle',
});

describe('every path', () => {
  test('nothing selected and something selected are both reached, and an id is there exactly when selected', () => {
    expect(report).toMatchObject({ broken: [], reached: restableStates(selectionMachine) });
  });

  test('something can always be done, and everything can be let go', () => {
    expect(report.deadEnds).toEqual([]);
    expect(report.stranded).toEqual([]);
  });
});

describe('selecting', () => {
  test('a click selects a visible, editable element', () => {
    expect(selectedAfter(select(1))).toBe(1);
  });

  test('a hidden or a locked element is not selected, and what was selected stays so', () => {
    expect(selectedAfter(select(1, { visible: false }))).toBe(null);
    expect(selectedAfter(select(1, { editable: false }))).toBe(null);
    expect(selectedAfter(select(1), select(2, { visible: false }))).toBe(1);
    expect(selectedAfter(select(1), select(2, { editable: false }))).toBe(1);
  });

  test('another element is selected directly', () => {
    expect(selectedAfter(select(1), select(2))).toBe(2);
  });

  test('Esc and closing the edit window let go', () => {
    expect(editor(select(1), { type: 'deselect' })).toMatchObject({ value: 'idle', context: { selected: null } });
  });
});

describe('elements that come and go', () => {
  test.each(['element.hidden', 'element.removed', 'element.locked'] as const)(
    '%s lets go of the selected one',
    (type) => {
      expect(selectedAfter(select(1), { type, element_ids: [1] })).toBe(null);
      expect(selectedAfter(select(1), { type, element_ids: [2] })).toBe(1);
    },
  );

  test('hiding a group lets go of a child that is named with it', () => {
    expect(selectedAfter(select(3), { type: 'element.hidden', element_ids: [1, 2, 3] })).toBe(null);
  });
});

test('after anything at all, what is selected is the last that could be and has not gone since', () => {
  const id = fc.integer({ min: 1, max: 4 });
  const subject = fc.record({ id, visible: fc.boolean(), editable: fc.boolean() });
  const event: fc.Arbitrary<SelectionEvent> = fc.oneof(
    fc.record({ type: fc.constant('select' as const), element: subject }),
    fc.record({
      type: fc.constantFrom('element.hidden' as const, 'element.removed' as const, 'element.locked' as const),
      element_ids: fc.array(id, { maxLength: 3 }),
    }),
    fc.constant({ type: 'deselect' as const }),
  );
  fc.assert(
    fc.property(fc.array(event, { maxLength: 30 }), (events) => {
      let expected: number | null = null;
      for (const each of events) {
        if ('element' in each) {
          if (each.element.visible && each.element.editable) expected = each.element.id;
        } else if (each.type === 'deselect' || (expected !== null && each.element_ids.includes(expected))) {
          expected = null;
        }
      }
      expect(selectedAfter(...events)).toBe(expected);
    }),
    { numRuns: 500, seed: 1 },
  );
});
