import '../../../engine/stage/stage.css';
import '../../../engine/tools/tools.css';
import { Button, Group } from '@mantine/core';
import {
  IconArrowBackUp,
  IconArrowForwardUp,
  IconCameraCheck,
  IconChevronDown,
  IconChevronLeft,
  IconChevronRight,
  IconChevronUp,
  IconEye,
  IconMinus,
  IconPlus,
} from '@tabler/icons-react';
import { observer } from 'mobx-react-lite';
import { type ReactNode, useEffect, useRef } from 'react';
import { HOLD_REPEAT } from '../../../engine/stage/camera/keyboard.ts';
import { CAMERA_LIMITS } from '../../../engine/stage/camera/limits.ts';
import type { Look } from '../../../engine/tools/camera/free-camera.ts';
import { AXIS_COLORS } from '../../../engine/tools/gizmo/gizmo-shape.ts';
import { useHold } from '../../ui/use-hold.ts';
import { useEditor } from '../session/editor-context.ts';
import { Following } from '../together/Others.tsx';
import classes from './canvas.module.css';
import { canvasOf } from './canvas-store.ts';
import { DropLayer, type TakeSheet, type TakeText } from './DropLayer.tsx';
import { openCanvas } from './open-canvas.ts';

const { step } = CAMERA_LIMITS;
/** Radians per press of a rotation arrow. */
const PAD_TURN_STEP = Math.PI / 24;

/** An arrow button that repeats while it is held. */
function Arrow({ label, area, icon, onStep }: { label: string; area: string; icon: ReactNode; onStep(): void }) {
  const hold = useHold(onStep, HOLD_REPEAT);
  return (
    <button
      type="button"
      className={classes.arrow}
      style={{ gridArea: area }}
      aria-label={label}
      title={label}
      {...hold}
    >
      {icon}
    </button>
  );
}

/** Moves the camera forward, backward, sideways, up and down, and turns it. */
function ArrowPad() {
  const { document } = useEditor();
  const store = canvasOf(document);
  const walk = (forward: number, right: number, up = 0) => store.tools?.camera.walk(forward, right, up);
  const turn = (azimuth: number) => store.tools?.camera.turn(azimuth);
  return (
    <nav className={classes.pad} aria-label="Move the camera">
      <Arrow
        label="Turn left"
        area="turn-left"
        icon={<IconArrowBackUp size={16} />}
        onStep={() => turn(PAD_TURN_STEP)}
      />
      <Arrow label="Forward" area="forward" icon={<IconChevronUp size={16} />} onStep={() => walk(step, 0)} />
      <Arrow
        label="Turn right"
        area="turn-right"
        icon={<IconArrowForwardUp size={16} />}
        onStep={() => turn(-PAD_TURN_STEP)}
      />
      <Arrow label="Left" area="left" icon={<IconChevronLeft size={16} />} onStep={() => walk(0, -step)} />
      <Arrow label="Backward" area="backward" icon={<IconChevronDown size={16} />} onStep={() => walk(-step, 0)} />
      <Arrow label="Right" area="right" icon={<IconChevronRight size={16} />} onStep={() => walk(0, step)} />
      <Arrow label="Up" area="up" icon={<IconPlus size={16} />} onStep={() => walk(0, 0, step)} />
      <Arrow label="Down" area="down" icon={<IconMinus size={16} />} onStep={() => walk(0, 0, -step)} />
    </nav>
  );
}

/** Moves the camera to a stored view of the space, or stores the current view. */
export function ViewButtons({ onGo, onSet }: { onGo(): void; onSet(): void }) {
  return (
    <Group gap="xs">
      <Button size="xs" variant="default" leftSection={<IconCameraCheck size={16} aria-hidden />} onClick={onSet}>
        Set from current view
      </Button>
      <Button size="xs" variant="default" leftSection={<IconEye size={16} aria-hidden />} onClick={onGo}>
        Go there
      </Button>
    </Group>
  );
}

/** Ends of the axes, with the direction of each and of the view along it. */
const ENDS = [
  { axis: 'x', way: 1, look: 'side', label: 'Look from the right' },
  { axis: 'x', way: -1, look: 'left', label: 'Look from the left' },
  { axis: 'y', way: 1, look: 'top', label: 'Look from above' },
  { axis: 'y', way: -1, look: 'bottom', label: 'Look from below' },
  { axis: 'z', way: 1, look: 'front', label: 'Look from the front' },
  { axis: 'z', way: -1, look: 'back', label: 'Look from the back' },
] as const satisfies readonly { axis: 'x' | 'y' | 'z'; way: 1 | -1; look: Look; label: string }[];

/** Half the side length of the compass, and the distance of the ends from its center. */
const HALF = 40;
const ARM = 28;

/** Compass that shows the room's axes relative to the camera; pressing an end looks along its axis. */
const AxisCompass = observer(() => {
  const { document } = useEditor();
  const store = canvasOf(document);
  const { compass } = store;
  // Ends that point away are drawn first, so that nearer ones cover them.
  const ends = ENDS.map((end) => {
    const { x, y, z } = compass[end.axis];
    return { ...end, x: x * end.way * ARM, y: -y * end.way * ARM, depth: z * end.way };
  }).toSorted((a, b) => a.depth - b.depth);
  return (
    <nav className={classes.compass} aria-label="Look along an axis">
      <svg viewBox={`${-HALF} ${-HALF} ${HALF * 2} ${HALF * 2}`} aria-hidden>
        {ends.map(
          ({ axis, way, x, y, look }) =>
            way === 1 && <line key={look} x1={0} y1={0} x2={x} y2={y} stroke={AXIS_COLORS[axis]} strokeWidth={2.5} />,
        )}
      </svg>
      {ends.map(({ axis, way, look, label, x, y, depth }) => (
        <button
          key={look}
          type="button"
          className={classes.end}
          data-way={way}
          style={{
            transform: `translate(${x}px, ${y}px)`,
            zIndex: Math.round(depth * 10) + 10,
            opacity: 0.65 + 0.35 * Math.max(0, depth),
            ['--end' as string]: AXIS_COLORS[axis],
          }}
          aria-label={label}
          title={label}
          onClick={() => store.tools?.look(look)}
        >
          {way === 1 ? axis.toUpperCase() : ''}
        </button>
      ))}
    </nav>
  );
});

/** The canvas with the edited room. */
export const Canvas = observer(({ onText, onSheet }: { onText: TakeText; onSheet: TakeSheet }) => {
  const editor = useEditor();
  const store = canvasOf(editor.document);
  const surface = useRef<HTMLDivElement>(null);
  useEffect(() => openCanvas(surface.current!, editor, store), [editor, store]);
  return (
    <DropLayer onText={onText} onSheet={onSheet}>
      <div
        ref={surface}
        className={classes.surface}
        role="application"
        aria-label="Room"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the canvas handles the documented keys.
        tabIndex={0}
      />
      {store.state === 'ready' && <ArrowPad />}
      <Following />
      {store.state === 'ready' && <AxisCompass />}
      {store.state === 'loading' && (
        <p className={classes.note} role="status" aria-label="Loading">
          Opening the room…
        </p>
      )}
      {store.problem && (
        <p className={classes.note} role="alert">
          {store.problem}
        </p>
      )}
    </DropLayer>
  );
});
