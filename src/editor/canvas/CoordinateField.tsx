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

/** How the numbers of a mode read: degrees for people, radians in the document. */
const READING = {
  translate: { part: 'position', label: 'Position', unit: 1, digits: 0, step: 10, suffix: '' },
  rotate: { part: 'rotation', label: 'Rotation', unit: Math.PI / 180, digits: 2, step: 15, suffix: '°' },
  scale: { part: 'scale', label: 'Scale', unit: 1, digits: 3, step: 0.1, suffix: '' },
} as const;

/**
 * One number of the selected element. What is typed, also as a calculation, is shown at once and counts with Enter; Esc
 * takes it back, and with nothing typed it cancels.
 */
export const CoordinateField = observer(
  ({ axis, mode, store, onCancel }: { axis: Axis; mode: TransformMode; store: CanvasStore; onCancel(): void }) => {
    const { part, label, unit, digits, step, suffix } = READING[mode];
    const [typed, setTyped] = useState<string | null>(null);
    const isTyped = useRef(false);
    /** What is wrong with what was typed; undefined for nothing, or while it is typed. */
    const [problem, setProblem] = useState<string>();
    /** Fields begun anew: one that was left would not tell of the same number typed again. */
    const [turn, setTurn] = useState(0);
    const input = useRef<HTMLInputElement>(null);
    // Positions are floored wherever they are shown or kept.
    const read = (value = 0) =>
      mode === 'translate' ? Math.floor(value + 1e-6) : Number((value / unit).toFixed(digits));
    const shown = read(store.transform?.[part][axis]);
    // While an element is dragged, numbers run: only the words of the field, not the field.
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
      // The beginning of what is no number, or one that is too large, does not count.
      if (problemOf(text)) return takeBack();
      const next = numberIn(text, mode === 'rotate' ? 'degrees' : 'units')!;
      if (next === shown) return takeBack();
      isTyped.current = true;
      store.tools?.type(axis, next * unit);
    };
    /** Ends typing. @returns false where what was typed is wrong; then it stands, with what is wrong */
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
            // The field begins anew; whoever took a number back is still in it, so that Esc once more cancels.
            if (event.key === 'Escape' && !isCancel) requestAnimationFrame(() => input.current?.focus());
            else event.currentTarget.blur();
            if (isCancel) onCancel();
          }}
        />
      </Tooltip>
    );
  },
);
