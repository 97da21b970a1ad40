import { TextInput } from '@mantine/core';
import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react';
import classes from './number-field.module.css';
import {
  digitsOf,
  limitProblem,
  NO_NUMBER,
  type NumberUnit,
  numberIn,
  numberText,
  readIn,
  writtenIn,
} from './number-text.ts';

/** Pointer movement in pixels before a press on a label becomes a drag, and pixels per step of the drag. */
const [STILL, PIXELS_PER_STEP] = [3, 2];

/** Step factor of Shift and Alt. */
const factorOf = ({ shiftKey, altKey }: { shiftKey: boolean; altKey: boolean }) => (shiftKey ? 10 : altKey ? 0.1 : 1);

/** Minimum and maximum in document units; null for no limit. */
export interface Limits {
  minValue: number | null;
  maxValue: number | null;
}

interface NumberFieldProps {
  label: string;
  description?: string;
  error?: string;
  isReadOnly?: boolean;
  /** In document units. */
  value: number | null;
  limits: Limits;
  /** Step of the arrow keys and of label drags, in display units. */
  step: number;
  /** Display unit; numbers of the document are then radians. */
  unit?: NumberUnit;
  /** Whether an empty field means null; otherwise it keeps its value. */
  isNullable?: boolean;
  onChange(value: number | null): void;
}

/**
 * A number input that accepts calculations and units, steps with the arrow keys, and is dragged by its label.
 * Input is applied immediately, and formatted on blur.
 */
export function NumberField(props: NumberFieldProps) {
  const { label, description, error, isReadOnly, value, limits, step, unit, isNullable, onChange } = props;
  const [typed, setTyped] = useState<string | null>(null);
  const [isRefused, setRefused] = useState(false);
  /** Value when the field got the focus. */
  const before = useRef(value);
  const drag = useRef<{ x: number; value: number; isMoved: boolean } | null>(null);
  const shown = value === null ? '' : numberText(readIn(value, unit), digitsOf(unit));
  const limit = (of: number | null) => (of === null ? null : readIn(of, unit));
  const [min, max] = [limit(limits.minValue), limit(limits.maxValue)];
  const problem = value === null ? undefined : limitProblem(readIn(value, unit), min, max);
  const type = (text: string) => {
    setTyped(text);
    const number = numberIn(text, unit ?? 'units');
    setRefused(false);
    if (number !== undefined) onChange(writtenIn(number, unit));
    else if (text.trim() === '' && isNullable) onChange(null);
  };
  /** Changes a value by steps within the limits. */
  const move = (from: number, steps: number) => {
    const next = Number(numberText(from + steps * step));
    setTyped(null);
    setRefused(false);
    onChange(writtenIn(Math.min(Math.max(next, min ?? -Infinity), max ?? Infinity), unit));
  };
  const leave = () => {
    const isNumber = typed === null || typed.trim() === '' || numberIn(typed, unit ?? 'units') !== undefined;
    setRefused(!isNumber);
    if (isNumber) setTyped(null);
    // Reverts values of incomplete input that were applied during typing.
    else if (value !== before.current) onChange(before.current);
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'Enter') leave();
    const way = event.key === 'ArrowUp' ? 1 : event.key === 'ArrowDown' ? -1 : 0;
    if (way === 0 || isReadOnly) return;
    event.preventDefault();
    move(readIn(value ?? 0, unit), way * factorOf(event));
  };
  const label_ = {
    className: isReadOnly ? undefined : classes.label,
    onPointerDown: (event: PointerEvent<HTMLLabelElement>) => {
      if (event.button !== 0 || isReadOnly) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      drag.current = { x: event.clientX, value: readIn(value ?? 0, unit), isMoved: false };
    },
    onPointerMove: (event: PointerEvent<HTMLLabelElement>) => {
      const { current } = drag;
      if (!current || !event.currentTarget.hasPointerCapture(event.pointerId)) return;
      const way = event.clientX - current.x;
      if (!current.isMoved && Math.abs(way) < STILL) return;
      current.isMoved = true;
      move(current.value, Math.round(way / PIXELS_PER_STEP) * factorOf(event));
    },
    // A press without a drag focuses the field, as with every label.
    onClick: (event: { preventDefault(): void }) => drag.current?.isMoved && event.preventDefault(),
  };
  return (
    <TextInput
      label={label}
      description={description}
      error={isRefused ? NO_NUMBER : error && (problem ?? error)}
      readOnly={isReadOnly}
      variant={isReadOnly ? 'filled' : undefined}
      inputMode="decimal"
      autoComplete="off"
      value={typed ?? shown}
      labelProps={label_}
      onChange={(event) => type(event.currentTarget.value)}
      onFocus={() => {
        before.current = value;
      }}
      onBlur={leave}
      onKeyDown={onKey}
    />
  );
}
