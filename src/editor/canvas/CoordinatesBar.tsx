import { ActionIcon, NumberInput, Popover, Select, Stack, Tooltip } from '@mantine/core';
import {
  IconArrowsMove,
  IconCube,
  IconGridDots,
  IconHandMove,
  IconMagnet,
  IconResize,
  IconRotate,
  IconRuler2,
  IconRulerMeasure,
  IconWorld,
} from '@tabler/icons-react';
import { useSelector } from '@xstate/react';
import { observer } from 'mobx-react-lite';
import type { ReactNode } from 'react';
import type { Axis, Pivot, TransformMode } from '../../../engine/machines/transform.ts';
import { EditingControls } from '../layout/EditingControls.tsx';
import { useEditor } from '../session/editor-context.ts';
import { CoordinateField } from './CoordinateField.tsx';
import classes from './canvas.module.css';
import { canvasOf, EYE_LEVELS, focusCanvas } from './canvas-store.ts';

/** Snap steps to choose from, in units and degrees. */
const UNITS = [1, 5, 10, 25, 50, 100, 250];
const DEGREES = [1, 5, 10, 15, 30, 45, 90];
const DEGREE = Math.PI / 180;

/** Adds the current value to the choices if it is missing. */
const choices = (values: readonly number[], set: number, textOf: (value: number) => string) =>
  [...new Set([...values, set])]
    .toSorted((a, b) => a - b)
    .map((value) => ({ value: String(value), label: textOf(value) }));

/** The snap steps of drags, and the height of dropped images; both are stored in this browser. */
const SnapSteps = observer(() => {
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

const MODES: readonly { mode: TransformMode; label: string; key: string; icon: ReactNode }[] = [
  { mode: 'translate', label: 'Move', key: 'W', icon: <IconArrowsMove size={16} aria-hidden /> },
  { mode: 'scale', label: 'Scale', key: 'E', icon: <IconResize size={16} aria-hidden /> },
  { mode: 'rotate', label: 'Rotate', key: 'R', icon: <IconRotate size={16} aria-hidden /> },
];

const AXES: readonly Axis[] = ['x', 'y', 'z'];

const PIVOTS: readonly { value: Pivot; label: string }[] = [
  { value: 'center', label: 'About the center' },
  { value: 'active', label: 'About the last selected' },
  { value: 'each', label: 'Each about itself' },
];

/** A toggle of the bar, with its shortcut. */
function Toggle(props: { label: string; keyName: string; isOn: boolean; icon: ReactNode; onPress(): void }) {
  const { label, keyName, isOn, icon, onPress } = props;
  return (
    <Tooltip label={`${label} (${keyName})`}>
      <ActionIcon
        variant={isOn ? 'filled' : 'default'}
        aria-label={label}
        aria-pressed={isOn}
        aria-keyshortcuts={keyName}
        onClick={onPress}
      >
        {icon}
      </ActionIcon>
    </Tooltip>
  );
}

/** The numbers of the selected element. Only this component renders on each frame of a drag. */
const Coordinates = observer(({ mode }: { mode: TransformMode }) => {
  const { document, drafts, selection } = useEditor();
  const store = canvasOf(document);
  if (!store.transform) return null;
  return (
    <EditingControls className={classes.group}>
      {AXES.map((axis) => (
        <CoordinateField
          key={`${selection.selectedId} ${mode} ${axis}`}
          axis={axis}
          mode={mode}
          store={store}
          onCancel={() => drafts.cancel()}
        />
      ))}
    </EditingControls>
  );
});

/** Transform mode and numbers of the selected element. @param select controls for multiple selection */
export const CoordinatesBar = observer(({ select }: { select: ReactNode }) => {
  const { document, selection } = useEditor();
  const store = canvasOf(document);
  const { mode, space, snap, pivot, axes, handlesVisible } = useSelector(store.machine, ({ context }) => context);
  return (
    <div className={classes.bar} role="toolbar" aria-label="Coordinates">
      <EditingControls className={classes.group}>
        {MODES.map((each) => (
          <Toggle
            key={each.mode}
            label={each.label}
            keyName={each.key}
            icon={each.icon}
            isOn={mode === each.mode}
            onPress={() => store.send({ type: 'mode.set', mode: each.mode })}
          />
        ))}
        <Toggle
          label={space === 'local' ? 'Local axes' : 'World axes'}
          keyName="Q"
          icon={space === 'local' ? <IconCube size={16} aria-hidden /> : <IconWorld size={16} aria-hidden />}
          isOn={space === 'local'}
          onPress={() => store.send({ type: 'space.toggle' })}
        />
        <Toggle
          label="Snap"
          keyName="S"
          icon={<IconMagnet size={16} aria-hidden />}
          isOn={snap}
          onPress={() => store.send({ type: 'snap.toggle' })}
        />
        <SnapSteps />
      </EditingControls>
      <div className={classes.group}>
        <Toggle
          label="Grid"
          keyName="G"
          icon={<IconGridDots size={16} aria-hidden />}
          isOn={store.isGridVisible}
          onPress={() => store.toggleGrid()}
        />
        <Toggle
          label="Measure"
          keyName="M"
          icon={<IconRulerMeasure size={16} aria-hidden />}
          isOn={store.isMeasuring}
          onPress={() => store.toggleMeasure()}
        />
      </div>
      {selection.ids.length > 0 && (
        <EditingControls className={classes.group}>
          <Toggle
            label="Handles"
            keyName="Space"
            icon={<IconHandMove size={16} aria-hidden />}
            isOn={handlesVisible}
            onPress={() => store.send({ type: 'handles.toggle' })}
          />
          {AXES.map((axis) => (
            <Toggle
              key={axis}
              label={`${axis.toUpperCase()} axis`}
              keyName={axis.toUpperCase()}
              icon={<b aria-hidden>{axis.toUpperCase()}</b>}
              isOn={axes[axis]}
              onPress={() => store.send({ type: 'axis.toggle', axis })}
            />
          ))}
        </EditingControls>
      )}
      {select}
      {selection.ids.length > 1 && (
        <EditingControls>
          <Select
            size="xs"
            w={190}
            aria-label="Pivot"
            allowDeselect={false}
            data={PIVOTS}
            value={pivot}
            onChange={(next) => {
              if (next) store.send({ type: 'pivot.set', pivot: next as Pivot });
              // Shortcuts work on the canvas right after a choice.
              focusCanvas();
            }}
          />
        </EditingControls>
      )}
      {selection.selectedId !== null && <Coordinates mode={mode} />}
    </div>
  );
});

/** Position of the camera in whole units. */
export const CameraReadOut = observer(() => {
  const { document } = useEditor();
  const { camera } = canvasOf(document);
  return (
    <dl className={classes.readout} aria-label="Camera position">
      {(['x', 'y', 'z'] as const).map((axis) => (
        <div key={axis}>
          <dt>{axis.toUpperCase()}</dt>
          <dd>{camera[axis]}</dd>
        </div>
      ))}
    </dl>
  );
});
