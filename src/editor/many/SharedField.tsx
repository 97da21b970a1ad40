import { Checkbox, Select, TextInput } from '@mantine/core';
import { observer } from 'mobx-react-lite';
import { useState } from 'react';
import { z } from 'zod';
import type { Element } from '../../../engine/document/element.ts';
import { labelAt, valueLabel } from '../fields/field-label.ts';
import { fieldSchema } from '../fields/field-schema.ts';
import {
  digitsOf,
  NO_NUMBER,
  type NumberUnit,
  numberIn,
  numberText,
  readIn,
  writtenIn,
} from '../fields/number-text.ts';
import { useEditor } from '../session/editor-context.ts';
import { MIXED, setShared, sharedValue } from './shared-fields.ts';

const AXIS = /^(position|rotation|scale)_([xyz])$/;

/** Label of a field; axes omit the name of their vector, which is in the heading. */
const nameOf = (path: string): string => {
  const axis = AXIS.exec(path);
  return axis ? `${labelAt(axis[1]!)} ${axis[2]!.toUpperCase()}` : labelAt(path);
};

/** A text or number field that commits on Enter or blur; Esc discards the input. */
function TypedField(props: {
  label: string;
  isBare: boolean;
  shown: string;
  isMixed: boolean;
  isNumber: boolean;
  suffix: string;
  /** @returns error text */
  onEnd(text: string): string;
}) {
  const { label, isBare, shown, isMixed, isNumber, suffix, onEnd } = props;
  const [typed, setTyped] = useState<string | null>(null);
  const [error, setError] = useState('');
  const end = () => {
    if (typed === null) return;
    const wrong = typed === shown ? '' : onEnd(typed);
    setError(wrong);
    if (wrong === '') setTyped(null);
  };
  return (
    <TextInput
      size="xs"
      {...(isBare ? { 'aria-label': label } : { label })}
      {...(isNumber && { inputMode: 'decimal' as const })}
      placeholder={isMixed ? 'Mixed' : undefined}
      rightSection={suffix === '' || (isMixed && typed === null) ? undefined : <span aria-hidden>{suffix}</span>}
      rightSectionWidth={20}
      error={error}
      value={typed ?? shown}
      onFocus={(event) => event.currentTarget.select()}
      onChange={(event) => {
        setError('');
        setTyped(event.currentTarget.value);
      }}
      onBlur={end}
      onKeyDown={(event) => {
        if (event.key === 'Enter') end();
        if (event.key !== 'Escape' || typed === null) return;
        event.stopPropagation();
        setError('');
        setTyped(null);
      }}
    />
  );
}

/** A field that all selected elements have: shows their common value, and sets it for all of them. */
export const SharedField = observer(
  ({ elements, path, isBare = false }: { elements: readonly Element[]; path: string; isBare?: boolean }) => {
    const { document } = useEditor();
    const [error, setError] = useState('');
    const [first] = elements;
    if (!first) return null;
    const { schema, isNullable } = fieldSchema(first.element, path);
    const label = nameOf(path);
    const value = sharedValue(elements, path);
    const isMixed = value === MIXED;
    const set = (next: unknown) => setShared(document, elements, path, next, label);
    if (schema instanceof z.ZodBoolean)
      return (
        <Checkbox
          size="xs"
          label={isMixed ? `${label} (mixed)` : label}
          checked={value === true}
          indeterminate={isMixed}
          onChange={(event) => set(isMixed || event.currentTarget.checked)}
        />
      );
    if (schema instanceof z.ZodEnum)
      return (
        <Select
          size="xs"
          label={label}
          error={error}
          placeholder={isMixed ? 'Mixed' : undefined}
          allowDeselect={false}
          data={(schema.options as string[]).map((option) => ({ value: option, label: valueLabel(option) }))}
          value={isMixed ? null : (value as string)}
          onChange={(next) => next && setError(set(next))}
        />
      );
    const isNumber = schema instanceof z.ZodNumber;
    const unit: NumberUnit | undefined = path.startsWith('rotation_') ? 'degrees' : undefined;
    const shown = isMixed || value === null || value === undefined ? '' : value;
    return (
      <TypedField
        label={label}
        isBare={isBare}
        isMixed={isMixed}
        isNumber={isNumber}
        suffix={unit === 'degrees' ? '°' : ''}
        shown={isNumber && shown !== '' ? numberText(readIn(shown as number, unit), digitsOf(unit)) : String(shown)}
        onEnd={(text) => {
          if (!isNumber) return set(text);
          if (text.trim() === '') return isNullable ? set(null) : NO_NUMBER;
          const number = numberIn(text, unit ?? 'units');
          return number === undefined ? NO_NUMBER : set(writtenIn(number, unit));
        }}
      />
    );
  },
);
