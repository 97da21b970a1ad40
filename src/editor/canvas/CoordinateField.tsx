import { TextInput, Tooltip } from '@mantine/core';
import { autorun } from 'mobx';
import { observer } from 'mobx-react-lite';
import { useEffect, useRef, useState } from 'react';
import type { z } from 'zod';
import type { Axis, TransformMode } from '../../../engine/machines/transform.ts';
import { fieldSchema } from '../fields/field-schema.ts';
import { limitProblem, NO_NUMBER, numberIn, numberText } from '../fields/number-text.ts';
import classes from './canvas.module.css';
import type { CanvasStore } from './canvas-store.ts';

/** Number format of each mode: angles are degrees on screen and radians in the document. */
const READING = {
  translate: { part: 'position', label: 'Position', unit: 1, digits: 0, step: 10, suffix: '' },
  rotate: { part: 'rotation', label: 'Rotation', unit: Math.PI / 180, digits: 2, step: 15, suffix: '°' },
  scale: { part: 'scale', label: 'Scale', unit: 1, digits: 3, step: 0.1, suffix: '' },
} as const;

/**
 * One number of the selected element. Input, including a calculation, previews immediately and is committed by Enter.
 * Esc restores the previous value, or cancels if there is no input.
 */
export const CoordinateField = observer(
  ({ axis, mode, store, onCancel }: { axis: Axis; mode: TransformMode; store: CanvasStore; onCancel(): void }) => {
    const { part, label, unit, digits, step, suffix } = READING[mode];
    const [typed, setTyped] = useState<string | null>(null);
    const isTyped = useRef(false);
    /** Error of the input; undefined if there is none, or during typing. */
    const [problem, setProblem] = useState<string>();
    /** Incremented to remount the field: otherwise entering the same number again would not fire a change. */
    const [turn, setTurn] = useState(0);
    const input = useRef<HTMLInputElement>(null);
    // Positions are floored wherever they are shown or stored.
    const read = (value = 0) =>
      mode === 'translate' ? Math.floor(value + 1e-6) : Number((value / unit).toFixed(digits));
    const shown = read(store.transform?.[part][axis]);
    // During a drag, only the text of the field is updated, without rendering the field.
    useEffect(() =>
      autorun(() => {
        const { running, transform } = store;
        const isResting = running === transform;
        if (!input.current || (isResting && typed !== null)) return;
        const text = `${isResting ? shown : read(running?.[part][axis])}${suffix}`;
        if (input.current.value !== text) input.current.value = text;
      }),
    );
    const takeBack = () => {
      if (isTyped.current) store.tools?.cancelTyping();
      isTyped.current = false;
    };
    const problemOf = (text: string): string | undefined => {
      const next = numberIn(text, mode === 'rotate' ? 'degrees' : 'units');
      if (next === undefined) return NO_NUMBER;
      const { minValue, maxValue } = fieldSchema('group', `${part}_${axis}`).schema as z.ZodNumber;
      const limit = (of: number | null) => (of === null ? null : of / unit);
      return limitProblem(next, limit(minValue), limit(maxValue));
    };
    const change = (text: string) => {
      setTyped(text);
      setProblem(undefined);
      // Incomplete numbers and numbers out of range are not previewed.
      if (problemOf(text)) return takeBack();
      const next = numberIn(text, mode === 'rotate' ? 'degrees' : 'units')!;
      if (next === shown) return takeBack();
      isTyped.current = true;
      store.tools?.type(axis, next * unit);
    };
    /** Ends typing. @returns false if the input is invalid; it then stays, with its error */
    const end = (counts: boolean): boolean => {
      const wrong = counts && typed !== null ? problemOf(typed) : undefined;
      setProblem(wrong);
      if (wrong) return false;
      setTyped(null);
      if (!isTyped.current) return true;
      isTyped.current = false;
      if (counts) store.tools?.endTyping();
      else store.tools?.cancelTyping();
      setTurn(turn + 1);
      return true;
    };
    return (
      <Tooltip label={<span role="alert">{problem}</span>} opened={problem !== undefined} position="top" color="red">
        <TextInput
          key={turn}
          ref={input}
          className={classes.field}
          classNames={{ wrapper: classes.number }}
          size="xs"
          aria-label={`${label} ${axis.toUpperCase()}`}
          leftSection={axis.toUpperCase()}
          error={problem !== undefined}
          aria-description={problem}
          inputMode="decimal"
          autoComplete="off"
          value={typed ?? `${shown}${suffix}`}
          onFocus={() => setTyped((text) => text ?? `${shown}${suffix}`)}
          onChange={(event) => change(event.currentTarget.value)}
          onBlur={() => end(true)}
          onKeyDown={(event) => {
            const way = event.key === 'ArrowUp' ? 1 : event.key === 'ArrowDown' ? -1 : 0;
            if (way !== 0) {
              event.preventDefault();
              const now = numberIn(typed ?? '', mode === 'rotate' ? 'degrees' : 'units') ?? shown;
              change(`${numberText(now + way * step, digits)}${suffix}`);
            }
            if (event.key !== 'Enter' && event.key !== 'Escape') return;
            event.preventDefault();
            event.stopPropagation();
            const isCancel = event.key === 'Escape' && !isTyped.current && !problem;
            if (!end(event.key === 'Enter')) return;
            // The field remounts; it gets the focus back, so that another Esc cancels.
            if (event.key === 'Escape' && !isCancel) requestAnimationFrame(() => input.current?.focus());
            else event.currentTarget.blur();
            if (isCancel) onCancel();
          }}
        />
      </Tooltip>
    );
  },
);
