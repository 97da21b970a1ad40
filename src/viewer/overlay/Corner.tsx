import type { ReactNode } from 'react';
import { formatTime } from '../../../engine/scene/timed/time-format.ts';
import { say } from '../texts/say-all.ts';
import type { VisitActions, VisitState } from '../visit/visit-store.ts';
import styles from './overlay.module.css';

interface Props {
  place: 'top_left' | 'top_right' | 'bottom_left' | 'bottom_right';
  state: VisitState;
  actions: VisitActions;
  /** Other content of this corner, nearest to the edge. */
  children?: ReactNode;
}

/** A corner of the overlay with the room's link and timer, if set for it. */
export function Corner({ place, state, actions, children }: Props) {
  const { config } = state.endpoint!.room!;
  const link = config[`${place}_link`];
  const isBottom = place.startsWith('bottom');
  return (
    <div className={styles.corner} data-place={place}>
      {!isBottom && children}
      {link?.name && link.navigation.type !== 'disabled' && (
        <button type="button" className={styles.link} lang="" onClick={() => actions.follow(link.navigation)}>
          {link.name}
        </button>
      )}
      {config.show_timed_timer === place && state.timer !== null && (
        <p className={styles.timer} role="timer" aria-label={say('timeLeft')}>
          {formatTime(state.timer)}
        </p>
      )}
      {isBottom && children}
    </div>
  );
}
