import { ColorInput, Fieldset, Select, SimpleGrid, Switch } from '@mantine/core';
import { observer } from 'mobx-react-lite';
import { z } from 'zod';
import { useDraft, useSubjectType } from './contexts.ts';
import { labelAt, valueLabel } from './field-label.ts';
import { fieldSchema, helpOf } from './field-schema.ts';
import { NumberField } from './NumberField.tsx';
import type { NumberUnit } from './number-text.ts';
import { LineField, LinesField } from './TextFields.tsx';

/** Maximum length of text edited on a single line. */
const LINE = 1500;

export interface FieldProps {
  /** Path of the field, such as `config.title`. */
  path: string;
  /** Label, if the default does not fit. */
  label?: string;
  isReadOnly?: boolean;
  /** Whether the help text is omitted because it repeats nearby text. */
  isPlain?: boolean;
  /** Labels of enum values, where the values themselves are unsuitable. */
  names?: Readonly<Record<string, string>>;
  step?: number;
  /** Display unit, for numbers that are radians in the document. */
  unit?: NumberUnit;
}

type Vector = Readonly<Record<string, number>>;

/** Default step of the arrow keys. */
const stepOf = ({ maxValue }: z.ZodNumber, unit?: NumberUnit): number =>
  unit === 'degrees' ? 5 : maxValue !== null && maxValue <= 4 ? 0.05 : 1;

/** A field of the draft: the schema determines its input and its help text. */
export const Field = observer(({ path, label = labelAt(path), isReadOnly, isPlain, names, step, unit }: FieldProps) => {
  const draft = useDraft();
  const { schema, description, isNullable } = fieldSchema(useSubjectType(), path, unit);
  const value = draft.get(path);
  const set = (next: unknown) => draft.set({ [path]: next });
  const look = { label, description: isPlain ? undefined : helpOf(label, description), error: draft.errors[path] };
  if (schema instanceof z.ZodBoolean)
    return (
      <Switch
        {...look}
        checked={value === true}
        disabled={isReadOnly}
        onChange={(event) => set(event.currentTarget.checked)}
      />
    );
  if (schema instanceof z.ZodNumber)
    return (
      <NumberField
        {...look}
        value={value as number | null}
        limits={schema}
        isNullable={isNullable}
        isReadOnly={isReadOnly}
        unit={unit}
        step={step ?? stepOf(schema, unit)}
        onChange={set}
      />
    );
  if (schema instanceof z.ZodEnum)
    return (
      <Select
        {...look}
        allowDeselect={false}
        readOnly={isReadOnly}
        data={(schema.options as string[]).map((option) => ({
          value: option,
          label: names?.[option] ?? valueLabel(option),
        }))}
        value={value as string}
        onChange={(next) => next && set(next)}
      />
    );
  if (schema instanceof z.ZodObject) {
    const shape = schema.shape as Record<string, z.ZodType>;
    const parts = value as Vector;
    return (
      <Fieldset legend={label} p="xs">
        <SimpleGrid cols={3} spacing={6}>
          {Object.keys(shape).map((axis) => (
            <NumberField
              key={axis}
              label={axis.toUpperCase()}
              error={draft.errors[`${path}.${axis}`]}
              value={parts[axis] ?? 0}
              limits={fieldSchemaOf(shape[axis]!)}
              unit={unit}
              step={step ?? (unit === 'degrees' ? 5 : 10)}
              onChange={(next) => set({ ...parts, [axis]: next })}
            />
          ))}
        </SimpleGrid>
      </Fieldset>
    );
  }
  const text = {
    ...look,
    value: (value as string | null) ?? '',
    readOnly: isReadOnly,
    variant: isReadOnly ? 'filled' : undefined,
  };
  // Not corrected on blur, which would lose quick input.
  if (path.endsWith('color'))
    return (
      <ColorInput
        {...look}
        format="hex"
        fixOnBlur={false}
        value={text.value}
        onChange={(color) => set(isNullable && color === '' ? null : color)}
      />
    );
  const longest = (schema as z.ZodString).maxLength ?? 255;
  if (longest >= LINE && !path.endsWith('url') && !path.endsWith('src') && !path.endsWith('thumb'))
    return <LinesField {...text} minRows={2} maxRows={12} onChange={set} />;
  return <LineField {...text} onChange={set} />;
});

/** The number schema inside a default. */
function fieldSchemaOf(schema: z.ZodType): z.ZodNumber {
  return (schema instanceof z.ZodDefault ? schema.unwrap() : schema) as z.ZodNumber;
}

export function Fields({ paths }: { paths: readonly string[] }) {
  return paths.map((path) => <Field key={path} path={path} />);
}
