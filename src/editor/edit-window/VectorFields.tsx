import { Fieldset, NumberInput, SimpleGrid } from '@mantine/core';
import { observer } from 'mobx-react-lite';
import type { Vector } from '../../../engine/document/fields.ts';

/** A point in units, axis by axis. */
export const VectorFields = observer(
  ({
    legend,
    value,
    errorOf,
    onChange,
  }: {
    legend: string;
    value: Vector;
    errorOf(axis: string): string | undefined;
    onChange(value: Vector): void;
  }) => {
    return (
      <Fieldset legend={legend} p="xs">
        <SimpleGrid cols={3} spacing={6}>
          {(['x', 'y', 'z'] as const).map((axis) => (
            <NumberInput
              key={axis}
              label={axis.toUpperCase()}
              step={10}
              value={value[axis]}
              error={errorOf(axis)}
              onChange={(next) =>
                next !== '' && Number.isFinite(Number(next)) && onChange({ ...value, [axis]: Number(next) })
              }
            />
          ))}
        </SimpleGrid>
      </Fieldset>
    );
  },
);
