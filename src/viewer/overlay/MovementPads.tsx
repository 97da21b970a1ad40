import { type CSSProperties, type PointerEvent, useEffect, useRef, useState } from 'react';
import { JOYSTICK_REACH, joystickSpeed } from '../../../engine/stage/camera/joystick.ts';
import { HOLD_REPEAT, KEY_TURN_STEP } from '../../../engine/stage/camera/keyboard.ts';
import { CAMERA_LIMITS } from '../../../engine/stage/camera/limits.ts';
import { storedText } from '../../ui/storage.ts';
import { useHold } from '../../ui/use-hold.ts';
import { Icon } from '../parts/Icon.tsx';
import { say } from '../texts/say-all.ts';
import type { VisitActions } from '../visit/visit-store.ts';
import styles from './joystick.module.css';
import overlayStyles from './overlay.module.css';

const { step } = CAMERA_LIMITS;
type ArrowProps = { className?: string; label: string; icon: Parameters<typeof Icon>[0]['name']; onStep(): void };

/** Arrow button: acts on press and repeats while held. */
function Arrow({ className = '', label, icon, onStep }: ArrowProps) {
  const hold = useHold(onStep, HOLD_REPEAT);
  return (
    <button type="button" className={`${overlayStyles.arrow} ${className}`} aria-label={label} title={label} {...hold}>
      <Icon name={icon} />
    </button>
  );
}

/** Default movement controls: forward, backward, left, right. */
export function ArrowPad({ actions }: { actions: VisitActions }) {
  return (
    <nav className={overlayStyles.pad} aria-label={say('move')}>
      <Arrow className={overlayStyles.up} label={say('forward')} icon="up" onStep={() => actions.step(step, 0)} />
      <Arrow className={overlayStyles.left} label={say('left')} icon="left" onStep={() => actions.step(0, -step)} />
      <Arrow className={overlayStyles.right} label={say('right')} icon="right" onStep={() => actions.step(0, step)} />
      <Arrow className={overlayStyles.down} label={say('backward')} icon="down" onStep={() => actions.step(-step, 0)} />
    </nav>
  );
}

/** Controls of a panorama, where visitors only turn. Touch visitors drag, so there it appears on keyboard focus only. */
export function TurnPad({ actions }: { actions: VisitActions }) {
  const turn = (left: number, up: number) => () => actions.turn(left * KEY_TURN_STEP, up * KEY_TURN_STEP);
  return (
    <nav className={`${overlayStyles.pad} ${styles.turnPad}`} aria-label={say('lookAround')}>
      <Arrow className={overlayStyles.up} label={say('lookUp')} icon="up" onStep={turn(0, 1)} />
      <Arrow className={overlayStyles.left} label={say('turnLeft')} icon="left" onStep={turn(1, 0)} />
      <Arrow className={overlayStyles.right} label={say('turnRight')} icon="right" onStep={turn(-1, 0)} />
      <Arrow className={overlayStyles.down} label={say('lookDown')} icon="down" onStep={turn(0, -1)} />
    </nav>
  );
}

const CENTER = { x: 0, y: 0 };

/** Joystick knob: speed grows with distance from the center. */
function Stick({ actions }: { actions: VisitActions }) {
  const [knob, setKnob] = useState(CENTER);
  const held = useRef(CENTER);
  const move = () => {
    const { x, y } = held.current;
    const distance = Math.hypot(x, y);
    const speed = joystickSpeed(distance);
    if (speed > 0) actions.step((-y / distance) * speed * step, (x / distance) * speed * step);
  };
  const hold = useHold(move, HOLD_REPEAT);
  const drag = ({ currentTarget, clientX, clientY }: PointerEvent) => {
    const box = currentTarget.getBoundingClientRect();
    const x = clientX - box.left - box.width / 2;
    const y = clientY - box.top - box.height / 2;
    const inside = Math.min(1, JOYSTICK_REACH / (Math.hypot(x, y) || 1));
    held.current = { x: x * inside, y: y * inside };
    setKnob(held.current);
  };
  const release = () => {
    hold.onPointerUp();
    held.current = CENTER;
    setKnob(CENTER);
  };
  return (
    <div
      className={styles.stick}
      role="img"
      aria-label={say('joystick')}
      title={say('joystick')}
      onPointerDown={(event) => {
        if (event.button === 0) drag(event);
        hold.onPointerDown(event);
      }}
      onPointerMove={(event) => {
        if (event.currentTarget.hasPointerCapture(event.pointerId)) drag(event);
      }}
      onPointerUp={release}
      onPointerCancel={release}
      onLostPointerCapture={release}
      onContextMenu={hold.onContextMenu}
    >
      <span className={styles.knob} style={{ '--x': knob.x, '--y': knob.y } as CSSProperties} />
    </div>
  );
}

/** Height slider; follows the camera. */
function HeightSlider({ actions }: { actions: VisitActions }) {
  const { stage, events } = actions;
  const slider = useRef<HTMLInputElement>(null);
  const { min, max } = stage?.rig.heights ?? { min: 0, max: 0 };
  useEffect(() => {
    const follow = (height: number | undefined) => {
      if (!slider.current || height === undefined) return;
      if (!slider.current.matches(':active')) slider.current.value = String(Math.round(height));
      // Heights in units mean nothing to visitors.
      slider.current.ariaValueText = `${Math.round(((height - min) / (max - min || 1)) * 100)} %`;
    };
    follow(stage?.pose.position.y);
    return events.subscribe((event) => {
      if (event.type === 'moved') follow(event.pose.position.y);
    });
  }, [stage, events, min, max]);
  return (
    <div className={styles.height}>
      <input
        ref={slider}
        type="range"
        aria-label={say('height')}
        aria-orientation="vertical"
        title={say('height')}
        min={Math.floor(min)}
        max={Math.ceil(max)}
        step="any"
        onInput={({ currentTarget }) => {
          stage?.rig.moveToHeight(Number(currentTarget.value));
          stage?.invalidate();
        }}
      />
    </div>
  );
}

/** Whether the joystick is shown, stored between visits. */
const kept = storedText('enfilade.joystick');

/** Hidden at first on small or touch screens, where it needs much space. */
const showsAtFirst = () => !matchMedia('(pointer: coarse), (max-width: 560px)').matches;

/** Movement controls for rooms with rotation: joystick, height slider and turn arrows. */
export function Joystick({ actions }: { actions: VisitActions }) {
  const [isOpen, open] = useState(() => (kept.get() === null ? showsAtFirst() : kept.get() === 'shown'));
  const toggle = () => {
    kept.set(isOpen ? 'hidden' : 'shown');
    open(!isOpen);
  };
  return (
    <nav className={styles.joystick} data-open={isOpen} aria-label={say('move')}>
      <button
        type="button"
        className={styles.toggle}
        aria-expanded={isOpen}
        aria-label={say(isOpen ? 'hideJoystick' : 'showJoystick')}
        title={say(isOpen ? 'hideJoystick' : 'showJoystick')}
        onClick={toggle}
      >
        <Icon name={isOpen ? 'collapse' : 'joystick'} />
      </button>
      {isOpen && <Knobs actions={actions} />}
      <div className={styles.unseen}>
        <Arrow label={say('forward')} icon="up" onStep={() => actions.step(step, 0)} />
        <Arrow label={say('left')} icon="left" onStep={() => actions.step(0, -step)} />
        <Arrow label={say('right')} icon="right" onStep={() => actions.step(0, step)} />
        <Arrow label={say('backward')} icon="down" onStep={() => actions.step(-step, 0)} />
      </div>
    </nav>
  );
}

/** Contents of the joystick panel. */
function Knobs({ actions }: { actions: VisitActions }) {
  return (
    <>
      <HeightSlider actions={actions} />
      <div className={styles.turns}>
        <Arrow label={say('turnLeft')} icon="turnLeft" onStep={() => actions.turn(KEY_TURN_STEP)} />
        <Arrow label={say('turnRight')} icon="turnRight" onStep={() => actions.turn(-KEY_TURN_STEP)} />
      </div>
      <Stick actions={actions} />
    </>
  );
}
