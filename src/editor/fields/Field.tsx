import { ColorInput, Fieldset, Select, SimpleGrid, Switch } from '@mantine/core';
import { observer } from 'mobx-react-lite';
import { z } from 'zod';
import { labelOf } from '../../../engine/document/field-labels.ts';
import { useDraft, useSubjectType } from './contexts.ts';
import { fieldSchema, helpOf } from './field-schema.ts';
import { NumberField } from './NumberField.tsx';
import type { NumberUnit } from './number-text.ts';
import { LineField, LinesField } from './TextFields.tsx';

/** Texts longer than this are written on several lines. */
const LINE = 1500;

export interface FieldProps {
  /** Path of the field, such as `config.title`. */
  path: string;
  /** Name shown to people, where the usual one does not fit. */
  label?: string;
  isReadOnly?: boolean;
  /** Whether it goes without its help: what stands beside it says the same. */
  isPlain?: boolean;
  /** Names of a selection's values, where they are not good enough as they are. */
  names?: Readonly<Record<string, string>>;
  step?: number;
  /** What its numbers are read in, where the document has radians. */
  unit?: NumberUnit;
}

type Vector = Readonly<Record<string, number>>;

const words = (value: string) => value.charAt(0).toUpperCase() + value.slice(1).replaceAll('_', ' ');

/** What an arrow key adds where nothing else is said. */
const stepOf = ({ maxValue }: z.ZodNumber, unit?: NumberUnit): number =>
  unit === 'degrees' ? 5 : maxValue !== null && maxValue <= 4 ? 0.05 : 1;

/** A field of the draft, in the form that its schema asks for, with the schema's sentence as its help. */
export const Field = observer(({ path, label = labelOf(path), isReadOnly, isPlain, names, step, unit }: FieldProps) => {
  const draft = useDraft();
  const { schema, description, isNullable } = fieldSchema(useSubjectType(), path);
  const value = draft.get(path);
  const set = (next: unknown) => draft.set({ [path]: next });
  const said = unit === 'degrees' ? description.replace(' in radians', '') : description;
  const look = { label, description: isPlain ? undefined : helpOf(label, said), error: draft.errors[path] };
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
          label: names?.[option] ?? words(option),
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
  // What is typed stands until it is saved or refused: put right on leaving the field, quick typing would be lost.
  if (path.endsWith('color'))
    return <ColorInput {...look} format="hex" fixOnBlur={false} value={text.value} onChange={set} />;
  const longest = (schema as z.ZodString).maxLength ?? 255;
  if (longest >= LINE && !path.endsWith('url') && !path.endsWith('src') && !path.endsWith('thumb'))
    return <LinesField {...text} minRows={2} maxRows={12} onChange={set} />;
  return <LineField {...text} maxLength={longest} onChange={set} />;
});

/** The number below a default. */
function fieldSchemaOf(schema: z.ZodType): z.ZodNumber {
  return (schema instanceof z.ZodDefault ? schema.unwrap() : schema) as z.ZodNumber;
}

/** Several fields, one below the other. */
export function Fields({ paths }: { paths: readonly string[] }) {
  return paths.map((path) => <Field key={path} path={path} />);
}
