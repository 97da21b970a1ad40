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

const toggle = (id: number, flags?: Partial<Selectable>): SelectionEvent => ({
  type: 'toggle',
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
      toggle(id),
      toggle(id, { visible: false }),
      { type: 'element.hidden', element_ids: [id] },
      { type: 'element.removed', element_ids: [id] },
      { type: 'element.locked', element_ids: [id] },
    ]),
    { type: 'element.removed', element_ids: [1, 2] },
    { type: 'select.many', elements: [element(2), element(1), element(3, { editable: false })] },
    { type: 'select.many', elements: [] },
    { type: 'deselect' },
  ],
  invariant: ({ value, context: { selected } }) => {
    expect(value).toBe(['none', 'one'][selected.length] ?? 'many');
    expect(new Set(selected).size).toBe(selected.length);
  },
  isResting: ({ value }) => value === 'none',
});

describe('every path', () => {
  test('none, one and many are reached, and are told apart by the number of ids, each of which is there once', () => {
    expect(report).toMatchObject({ broken: [], reached: restableStates(selectionMachine) });
  });

  test('something can always be done, and everything can be let go', () => {
    expect(report.deadEnds).toEqual([]);
    expect(report.stranded).toEqual([]);
  });
});

describe('selecting', () => {
  test('a click selects a visible, editable element', () => {
    expect(selectedAfter(select(1))).toEqual([1]);
  });

  test('a hidden or a locked element is not selected, and what was selected stays so', () => {
    expect(selectedAfter(select(1, { visible: false }))).toEqual([]);
    expect(selectedAfter(select(1, { editable: false }))).toEqual([]);
    expect(selectedAfter(select(1), select(2, { visible: false }))).toEqual([1]);
    expect(selectedAfter(select(1), select(2, { editable: false }))).toEqual([1]);
  });

  test('another element is selected directly', () => {
    expect(selectedAfter(select(1), select(2))).toEqual([2]);
  });

  test('many are selected one after the other, in that order, or together; a further click takes one out again', () => {
    expect(selectedAfter(select(1), toggle(3), toggle(2))).toEqual([1, 3, 2]);
    expect(selectedAfter(select(1), toggle(3), toggle(2), toggle(3))).toEqual([1, 2]);
    expect(selectedAfter(select(1), toggle(1))).toEqual([]);
    expect(selectedAfter(select(1), toggle(2, { visible: false }), toggle(3, { editable: false }))).toEqual([1]);
    expect(
      selectedAfter(select(9), {
        type: 'select.many',
        elements: [element(2), element(1), element(2), element(4, { visible: false })],
      }),
    ).toEqual([2, 1]);
    expect(selectedAfter(toggle(1), toggle(2), select(2))).toEqual([2]);
  });

  test('Esc and closing the edit window let go', () => {
    expect(editor(select(1), { type: 'deselect' })).toMatchObject({ value: 'none', context: { selected: [] } });
  });
});

describe('elements that come and go', () => {
  test.each(['element.hidden', 'element.removed', 'element.locked'] as const)(
    '%s lets go of the selected one',
    (type) => {
      expect(selectedAfter(select(1), { type, element_ids: [1] })).toEqual([]);
      expect(selectedAfter(select(1), { type, element_ids: [2] })).toEqual([1]);
    },
  );

  test('hiding a group lets go of a child that is named with it', () => {
    expect(selectedAfter(select(3), { type: 'element.hidden', element_ids: [1, 2, 3] })).toEqual([]);
  });
});

test('after anything at all, what is selected is what could be and has not gone since', () => {
  const id = fc.integer({ min: 1, max: 4 });
  const subject = fc.record({ id, visible: fc.boolean(), editable: fc.boolean() });
  const event: fc.Arbitrary<SelectionEvent> = fc.oneof(
    fc.record({ type: fc.constantFrom('select' as const, 'toggle' as const), element: subject }),
    fc.record({ type: fc.constant('select.many' as const), elements: fc.array(subject, { maxLength: 4 }) }),
    fc.record({
      type: fc.constantFrom('element.hidden' as const, 'element.removed' as const, 'element.locked' as const),
      element_ids: fc.array(id, { maxLength: 3 }),
    }),
    fc.constant({ type: 'deselect' as const }),
  );
  fc.assert(
    fc.property(fc.array(event, { maxLength: 30 }), (events) => {
      const expected = new Set<number>();
      for (const each of events) {
        if ('element_ids' in each) for (const gone of each.element_ids) expected.delete(gone);
        else if (each.type === 'toggle' && expected.delete(each.element.id)) continue;
        else {
          const wanted = each.type === 'select.many' ? each.elements : each.type === 'deselect' ? [] : [each.element];
          const allowed = wanted.filter(({ visible, editable }) => visible && editable);
          const replaces = each.type === 'select' ? allowed.length > 0 : each.type !== 'toggle';
          if (replaces) expected.clear();
          for (const { id: taken } of allowed) expected.add(taken);
        }
      }
      expect(selectedAfter(...events)).toEqual([...expected]);
    }),
    { numRuns: 500, seed: 1 },
  );
});
