import { ActionIcon, Select, Tooltip } from '@mantine/core';
import {
  IconArrowsMove,
  IconCube,
  IconGridDots,
  IconHandMove,
  IconMagnet,
  IconResize,
  IconRotate,
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
import { canvasOf } from './canvas-store.ts';
import { focusCanvas } from './focus-canvas.ts';
import { SnapSteps } from './SnapSteps.tsx';

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

/** A switch of the bar, with its key. */
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

/** The numbers of the one that is selected: alone in following each frame in which it is dragged. */
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

/** How what is selected is moved, turned and sized, and the numbers of the one. @param select ways to select many */
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
              // Whoever has chosen goes on with the keys of the canvas.
              focusCanvas();
            }}
          />
        </EditingControls>
      )}
      {selection.selectedId !== null && <Coordinates mode={mode} />}
    </div>
  );
});
