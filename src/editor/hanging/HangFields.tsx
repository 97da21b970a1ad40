import { Group, MultiSelect, NumberInput, SegmentedControl, Select, Stack } from '@mantine/core';
import { observer } from 'mobx-react-lite';
import { HANG_DEFAULTS } from '../../../engine/document/arrangements/hang.ts';
import type { Alignment, Layout } from '../../../engine/document/arrangements/layouts.ts';
import type { HangSettings } from './hang-settings.ts';

/** Limits of lengths in centimeters. */
const MAX_LINE = 1000;
const MAX_GAP = 500;
const MAX_HEIGHT = 1000;

const LAYOUT_NAMES: Record<Layout, string> = { row: 'One row', rows: 'Rows', salon: 'Salon' };
const ALIGN_NAMES: Record<Alignment, string> = { center: 'Center at', bottom: 'Lower edges at', top: 'Upper edges at' };

const optionsOf = <T extends string>(names: Record<T, string>) =>
  Object.entries<string>(names).map(([value, label]) => ({ value, label }));

function Length(props: { label: string; value: number | null; max: number; onChange(value: number): void }) {
  const { label, value, max, onChange } = props;
  if (value === null) return null;
  return (
    <NumberInput
      size="xs"
      aria-label={label}
      suffix=" cm"
      min={0}
      max={max}
      clampBehavior="strict"
      value={value}
      onChange={(next) => typeof next === 'number' && onChange(next)}
    />
  );
}

/** Walls, layout, line, gap and sizes. @param own what works have without a common height */
export const HangFields = observer(({ settings, own }: { settings: HangSettings; own: 'Keep' | 'Real size' }) => {
  const { walls, chosen, layout, align, line, gap, height } = settings;
  return (
    <Stack gap="xs">
      <MultiSelect
        size="xs"
        label="Walls"
        placeholder={chosen.length === 0 ? 'Choose walls' : undefined}
        data={walls.map(({ id, name }) => ({ value: id, label: name }))}
        value={[...chosen]}
        onChange={(next) => settings.set({ chosen: next })}
        checkIconPosition="right"
      />
      <SegmentedControl
        size="xs"
        fullWidth
        aria-label="Layout"
        data={optionsOf(LAYOUT_NAMES)}
        value={layout}
        onChange={(next) => settings.set({ layout: next as Layout })}
      />
      <Group grow gap="xs" align="flex-end">
        <Select
          size="xs"
          label="Above the floor"
          allowDeselect={false}
          disabled={layout === 'salon'}
          data={optionsOf(ALIGN_NAMES)}
          value={layout === 'salon' ? 'center' : align}
          onChange={(next) => next && settings.set({ align: next as Alignment })}
        />
        <Length
          label="Height above the floor"
          value={line}
          max={MAX_LINE}
          onChange={(next) => settings.set({ line: next })}
        />
      </Group>
      <Group grow gap="xs" align="flex-end">
        <Select
          size="xs"
          label="Gap"
          allowDeselect={false}
          data={optionsOf({ same: 'Fixed', even: 'Even' })}
          value={gap === null ? 'even' : 'same'}
          onChange={(next) => settings.set({ gap: next === 'even' ? null : HANG_DEFAULTS.gap })}
        />
        <Length label="Gap in centimeters" value={gap} max={MAX_GAP} onChange={(next) => settings.set({ gap: next })} />
      </Group>
      <Group grow gap="xs" align="flex-end">
        <Select
          size="xs"
          label="Size"
          allowDeselect={false}
          data={optionsOf({ own, height: 'Same height' })}
          value={height === null ? 'own' : 'height'}
          onChange={(next) => settings.set({ height: next === 'own' ? null : HANG_DEFAULTS.height })}
        />
        <Length
          label="Height of the works"
          value={height}
          max={MAX_HEIGHT}
          onChange={(next) => next > 0 && settings.set({ height: next })}
        />
      </Group>
    </Stack>
  );
});
