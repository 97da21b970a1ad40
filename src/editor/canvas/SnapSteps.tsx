import { ActionIcon, NumberInput, Popover, Select, Stack } from '@mantine/core';
import { IconRuler2 } from '@tabler/icons-react';
import { useSelector } from '@xstate/react';
import { observer } from 'mobx-react-lite';
import { useEditor } from '../session/editor-context.ts';
import { canvasOf, EYE_LEVELS } from './canvas-store.ts';

/** Units and degrees that are offered. */
const UNITS = [1, 5, 10, 25, 50, 100, 250];
const DEGREES = [1, 5, 10, 15, 30, 45, 90];
const DEGREE = Math.PI / 180;

/** A value that is set and is not among those that are offered stands among them. */
const choices = (values: readonly number[], set: number, textOf: (value: number) => string) =>
  [...new Set([...values, set])]
    .toSorted((a, b) => a - b)
    .map((value) => ({ value: String(value), label: textOf(value) }));

/** The steps that drags snap to, and the height at which dropped images hang, which this browser keeps. */
export const SnapSteps = observer(() => {
  const { document } = useEditor();
  const store = canvasOf(document);
  const steps = useSelector(store.machine, ({ context }) => context.steps);
  const degrees = Number((steps.rotation / DEGREE).toFixed(3));
  return (
    <Popover position="top" withArrow withinPortal trapFocus>
      <Popover.Target>
        <ActionIcon variant="default" aria-label="Steps and eye level" title="Steps and eye level">
          <IconRuler2 size={16} aria-hidden />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown>
        <Stack gap="xs" w={200}>
          <Select
            size="xs"
            label="Step of moving"
            allowDeselect={false}
            comboboxProps={{ withinPortal: false }}
            data={choices(UNITS, steps.translation, (value) => `${value} ${value === 1 ? 'unit' : 'units'}`)}
            value={String(steps.translation)}
            onChange={(next) => next && store.setSteps({ ...steps, translation: Number(next) })}
          />
          <Select
            size="xs"
            label="Step of turning"
            allowDeselect={false}
            comboboxProps={{ withinPortal: false }}
            data={choices(DEGREES, degrees, (value) => `${value}°`)}
            value={String(degrees)}
            onChange={(next) => next && store.setSteps({ ...steps, rotation: Number(next) * DEGREE })}
          />
          <NumberInput
            size="xs"
            label="Eye level"
            description="Center of images that are dropped on a wall together, above the floor"
            suffix=" cm"
            {...EYE_LEVELS}
            step={5}
            allowDecimal={false}
            value={store.eyeLevel}
            onChange={(next) => {
              if (typeof next === 'number' && next >= EYE_LEVELS.min && next <= EYE_LEVELS.max) store.setEyeLevel(next);
            }}
          />
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
});
