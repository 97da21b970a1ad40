import { useEffect, useRef, useState } from 'react';
import { placePanorama } from '../../../engine/document/places.ts';
import { autorotate } from '../../../engine/stage/camera/autorotate.ts';
import { Icon } from '../parts/Icon.tsx';
import { say } from '../texts/say-all.ts';
import type { VisitedRoom } from '../visit/visit-data.ts';
import type { VisitActions, VisitState } from '../visit/visit-store.ts';
import edge from './edge.module.css';
import styles from './overlay.module.css';

/** Milliseconds that the camera rests before screen readers get its heading. */
const SETTLED = 400;

/** A dial that shows where north (−z) is; a press turns there. */
function Compass({ actions }: { actions: VisitActions }) {
  const dial = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const follow = () => {
      if (!actions.stage || !dial.current) return;
      const azimuth = (actions.stage.rig.azimuth * 180) / Math.PI;
      dial.current.style.setProperty('--north', `${azimuth}deg`);
      clearTimeout(timer);
      timer = setTimeout(() => {
        const degrees = ((Math.round(-azimuth) % 360) + 360) % 360;
        dial.current?.setAttribute('aria-label', say('compass', { degrees }));
      }, SETTLED);
    };
    follow();
    const stop = actions.events.subscribe(({ type }) => (type === 'moved' || type === 'first_frame') && follow());
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [actions]);
  const turnNorth = () => {
    const azimuth = actions.stage?.rig.azimuth ?? 0;
    actions.turn(-Math.atan2(Math.sin(azimuth), Math.cos(azimuth)));
  };
  return (
    <button
      type="button"
      className={`${styles.round} ${edge.compass}`}
      ref={dial}
      aria-label={say('turnNorth')}
      title={say('turnNorth')}
      onClick={turnNorth}
    >
      <svg viewBox="-22 -22 44 44" width="44" height="44" aria-hidden="true">
        <path className={edge.north} d="M0-13L5 0h-10z" />
        <path className={edge.south} d="M0 13L5 0h-10z" />
        <path className={edge.ticks} d="M0-20v3M0 20v-3M20 0h-3M-20 0h3" />
      </svg>
    </button>
  );
}

/** Turns the view while the visitor is idle, and lets the visitor stop that. */
function Turning({ speed, isBlocked, actions }: { speed: number; isBlocked: boolean; actions: VisitActions }) {
  const [choice, choose] = useState<'idle' | 'now' | 'off'>('idle');
  const [isTurning, setTurning] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const { stage } = actions;
  useEffect(() => {
    if (choice === 'off' || isBlocked || !stage) return;
    return autorotate(stage, {
      speed,
      begins: choice === 'now',
      ignores: ({ target }) => target instanceof Node && button.current?.contains(target) === true,
      notify: setTurning,
    });
  }, [choice, isBlocked, speed, stage]);
  const name = say(choice === 'off' ? 'startTurning' : 'stopTurning');
  return (
    <button
      type="button"
      className={styles.round}
      ref={button}
      data-turning={isTurning}
      aria-label={name}
      title={name}
      onClick={() => choose(choice === 'off' ? 'now' : 'off')}
    >
      <Icon name={choice === 'off' ? 'turning' : 'pause'} />
    </button>
  );
}

/** The compass, and the control of the turning view, where visitors look around. */
export function EdgeControls({
  room,
  state,
  actions,
}: {
  room: VisitedRoom;
  state: VisitState;
  actions: VisitActions;
}) {
  const { autorotate_speed: speed, compass } = room.config;
  const isAtPlace = Boolean(placePanorama(room, state.viewPoint ?? 0)?.position);
  if (!room.config.camera.rotate && !isAtPlace) return null;
  const turns = Boolean(speed) && !matchMedia('(prefers-reduced-motion: reduce)').matches;
  if (!turns && !compass) return null;
  const isCovered = state.dialog !== null || state.slide !== null || state.fullPage !== null;
  return (
    <div className={edge.controls}>
      {turns && (
        <Turning
          speed={speed}
          isBlocked={!state.entered || isCovered || state.followsDevice === true}
          actions={actions}
        />
      )}
      {compass && <Compass actions={actions} />}
    </div>
  );
}
