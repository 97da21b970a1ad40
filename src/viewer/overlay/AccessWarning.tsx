import { useEffect, useState } from 'react';
import { Icon } from '../parts/Icon.tsx';
import { say } from '../texts/say-all.ts';
import type { VisitActions, VisitState } from '../visit/visit-store.ts';
import styles from './overlay.module.css';

/** Minutes before the end of access at which to warn. */
const WARNED = 5;
const MINUTE = 60_000;
/** Check interval in milliseconds; also checked on wake-up. */
const LOOK = 1000;

/** Minutes until access ends, rounded up; null before the warning starts, or if access doesn't end. */
function minutesLeft({ endpoint, arrivedAt }: Pick<VisitState, 'endpoint' | 'arrivedAt'>): number | null {
  const end = endpoint?.access_ends_at ?? null;
  if (!endpoint || end === null || arrivedAt === undefined) return null;
  const left = (end - endpoint.current_time) * 1000 - (performance.now() - arrivedAt);
  return left > WARNED * MINUTE ? null : Math.max(0, Math.ceil(left / MINUTE));
}

function sentence(minutes: number): string {
  return minutes === 0 ? say('accessEnded') : say('accessEndsIn', { count: minutes });
}

function useMinutesLeft({ endpoint, arrivedAt }: VisitState): number | null {
  const [minutes, setMinutes] = useState<number | null>(null);
  useEffect(() => {
    const look = () => setMinutes(minutesLeft({ endpoint, arrivedAt }));
    look();
    if (endpoint?.access_ends_at == null) return;
    const timer = setInterval(look, LOOK);
    return () => clearInterval(timer);
  }, [endpoint, arrivedAt]);
  return minutes;
}

/**
 * Warning before access ends, with a countdown until dismissed; then the room closes, and asks for another token. Screen readers announce it once; the count is visual only.
 */
export function AccessWarning({ state, actions }: { state: VisitState; actions: VisitActions }) {
  const minutes = useMinutesLeft(state);
  const end = state.endpoint?.access_ends_at ?? null;
  const [closed, setClosed] = useState<number | null>(null);
  const [spoken, setSpoken] = useState('');
  const isShown = state.entered && minutes !== null && closed !== end;
  useEffect(() => {
    // Keep the announced text stable: changes would be read out again.
    if (!isShown) setSpoken('');
    else setSpoken((said) => said || sentence(minutes));
  }, [isShown, minutes]);
  const hasEnded = state.entered && minutes === 0;
  useEffect(() => {
    if (hasEnded) actions.endAccess();
  }, [hasEnded, actions]);
  return (
    <>
      <p className={styles.spoken} role="status">
        {spoken}
      </p>
      {isShown && (
        <p className={styles.notification}>
          {sentence(minutes)}
          <button type="button" onClick={() => setClosed(end)} aria-label={say('close')}>
            <Icon name="close" />
          </button>
        </p>
      )}
    </>
  );
}
