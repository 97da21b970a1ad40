import { HOLD_REPEAT } from '../../../engine/stage/camera/keyboard.ts';
import { CAMERA_LIMITS } from '../../../engine/stage/camera/limits.ts';
import { useHold } from '../../ui/use-hold.ts';
import { Icon } from '../parts/Icon.tsx';
import { say } from '../texts/say-all.ts';
import type { VisitActions } from '../visit/visit-store.ts';
import styles from './overlay.module.css';

const { step } = CAMERA_LIMITS;
/** Radians per press on a turn arrow. */
export const ARROW_TURN_STEP = Math.PI / 24;

type ArrowProps = { className?: string; label: string; icon: Parameters<typeof Icon>[0]['name']; onStep(): void };

/** Arrow button: acts on press and repeats while held. */
export function Arrow({ className = '', label, icon, onStep }: ArrowProps) {
  const hold = useHold(onStep, HOLD_REPEAT);
  return (
    <button type="button" className={`${styles.arrow} ${className}`} aria-label={label} title={label} {...hold}>
      <Icon name={icon} />
    </button>
  );
}

/** Default movement controls: forward, backward, left, right. */
export function ArrowPad({ actions }: { actions: VisitActions }) {
  return (
    <nav className={styles.pad} aria-label={say('move')}>
      <Arrow className={styles.up} label={say('forward')} icon="up" onStep={() => actions.step(step, 0)} />
      <Arrow className={styles.left} label={say('left')} icon="left" onStep={() => actions.step(0, -step)} />
      <Arrow className={styles.right} label={say('right')} icon="right" onStep={() => actions.step(0, step)} />
      <Arrow className={styles.down} label={say('backward')} icon="down" onStep={() => actions.step(-step, 0)} />
    </nav>
  );
}
