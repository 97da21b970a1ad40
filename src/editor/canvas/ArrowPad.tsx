import {
  IconArrowBackUp,
  IconArrowForwardUp,
  IconChevronDown,
  IconChevronLeft,
  IconChevronRight,
  IconChevronUp,
  IconMinus,
  IconPlus,
} from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { HOLD_REPEAT } from '../../../engine/stage/camera/keyboard.ts';
import { CAMERA_LIMITS } from '../../../engine/stage/camera/limits.ts';
import { useHold } from '../../ui/use-hold.ts';
import { useEditor } from '../session/editor-context.ts';
import classes from './canvas.module.css';
import { canvasOf } from './canvas-store.ts';

const { step } = CAMERA_LIMITS;
/** Radians of one press on a turning arrow. */
const PAD_TURN_STEP = Math.PI / 24;

/** One arrow: steps when pressed, and goes on while it is held. */
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

/** Walks through the room: ahead, back, to the sides, up and down; and turns. */
export function ArrowPad() {
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
