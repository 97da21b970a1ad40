import type { NumberInputParams } from '@tweakpane/core';
import { autorun } from 'mobx';
import { type BindingParams, Pane } from 'tweakpane';
import { digitsOf, type NumberUnit, numberIn, numberText } from '../fields/number-text.ts';
import { errorOf, type NumericDraft, type NumericField, readNumber, writeNumber } from './numeric-field.ts';
import classes from './numeric-panel.module.css';

/** Pointer movement in pixels per step. */
const PIXELS_PER_STEP = 2;

/** Rounds a number to its displayed decimal places. */
const rounded = (value: number, unit?: NumberUnit) => Number(numberText(value, digitsOf(unit)));

/** Parameters of a number. Bounds are checked elsewhere, because the pane would clamp typed values. */
const numberParams = (step: number, unit?: NumberUnit): NumberInputParams => ({
  format: (value: number) => String(rounded(value, unit)),
  pointerScale: step / PIXELS_PER_STEP,
  keyScale: step,
});

const paramsOf = ({ label, step, axes, unit }: NumericField): BindingParams => ({
  label,
  ...(axes.length === 1
    ? numberParams(step, unit)
    : Object.fromEntries(axes.map((axis) => [axis, numberParams(step, unit)]))),
});

let ids = 0;

/** Adds a field with accessible names to a pane. @returns a function that disposes of it */
function addField(pane: Pane, draft: NumericDraft, field: NumericField): () => void {
  const { path, label, description, axes, bounds } = field;
  const read = () => Object.fromEntries(axes.map((axis) => [axis, readNumber(draft, field, axis)]));
  const known = axes.length === 1 ? { [path]: readNumber(draft, field, '') } : { [path]: read() };
  const numbers = (axes.length === 1 ? known : known[path]) as Record<string, number>;
  const nameOf = (axis: string) => axis || path;
  const binding = pane.addBinding(known as Record<string, number>, path, paramsOf(field));
  const { element } = binding;
  element.title = description;
  const inputs = [...element.querySelectorAll('input')];
  const problem = document.createElement('p');
  problem.className = classes.problem!;
  problem.id = `numeric-problem-${++ids}`;
  element.append(problem);
  if (axes.length > 1) {
    element.role = 'group';
    element.ariaLabel = label;
  }
  for (const [index, input] of inputs.entries()) {
    input.ariaLabel = axes[index]!.toUpperCase() || label;
    input.ariaDescription = description;
    input.inputMode = 'decimal';
    input.autocomplete = 'off';
  }

  // Typed values out of bounds are rejected with an error; dragging and stepping stop at the bounds.
  let isMoved = false;
  let isShowing = false;
  const show = () => {
    isShowing = true;
    for (const axis of axes) numbers[nameOf(axis)] = readNumber(draft, field, axis);
    binding.refresh();
    isShowing = false;
  };
  binding.on('change', () => {
    if (isShowing) return;
    for (const axis of axes) {
      const value = numbers[nameOf(axis)]!;
      const { min, max } = bounds;
      writeNumber(draft, field, axis, isMoved ? Math.min(Math.max(rounded(value, field.unit), min), max) : value);
    }
    if (axes.some((axis) => numbers[nameOf(axis)] !== readNumber(draft, field, axis))) show();
  });
  element.addEventListener('pointerdown', () => {
    isMoved = true;
  });
  element.addEventListener(
    'keydown',
    ({ key }) => {
      if (key === 'ArrowUp' || key === 'ArrowDown') isMoved = true;
    },
    { capture: true },
  );
  for (const [index, input] of inputs.entries()) {
    const axis = axes[index]!;
    // The pane commits input on blur; committing it immediately loses nothing if the window is closed.
    input.addEventListener('input', () => {
      isMoved = false;
      const value = numberIn(input.value, field.unit ?? 'units');
      if (value === undefined) return;
      numbers[nameOf(axis)] = value;
      writeNumber(draft, field, axis, value);
    });
    // Invalid input is replaced by the previous number.
    input.addEventListener('change', show);
  }
  return autorun(() => {
    const now = axes.map((axis) => readNumber(draft, field, axis));
    if (now.some((value, index) => rounded(value) !== rounded(numbers[nameOf(axes[index]!)]!))) show();
    const errors = axes.map((axis) => errorOf(draft, field, axis));
    problem.textContent = [...new Set(errors)].filter(Boolean).join(' ');
    for (const [index, input] of inputs.entries()) {
      input.ariaInvalid = errors[index] ? 'true' : null;
      if (errors[index]) input.setAttribute('aria-describedby', problem.id);
      else input.removeAttribute('aria-describedby');
    }
  });
}

/**
 * Renders numbers that can be dragged, stepped and typed, and keeps them up to date with their draft.
 * @returns a function that removes them
 */
export function openPanel(container: HTMLElement, draft: NumericDraft, fields: readonly NumericField[]): () => void {
  const pane = new Pane({ container });
  const stops = fields.map((field) => addField(pane, draft, field));
  return () => {
    for (const stop of stops) stop();
    pane.dispose();
  };
}
