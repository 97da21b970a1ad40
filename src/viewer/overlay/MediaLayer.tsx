import { useEffect } from 'react';
import { say } from '../texts/say.ts';
import type { VisitActions, VisitState } from '../visit-store.ts';
import { Icon } from './Icon.tsx';
import styles from './media-layer.module.css';

/** What belongs to a playing video: the way out of one that covers the page, its sound, and its subtitles. */
export function MediaLayer({ state, actions }: { state: VisitState; actions: VisitActions }) {
  const isClosable = state.fullPage !== null && state.dialog === null;
  useEffect(() => {
    if (!isClosable) return;
    const close = ({ key }: KeyboardEvent) => key === 'Escape' && actions.closeFullPage();
    addEventListener('keydown', close);
    return () => removeEventListener('keydown', close);
  }, [isClosable, actions]);
  return (
    <>
      {state.cues.length > 0 && <p className={styles.cues}>{state.cues.join('\n')}</p>}
      {state.mutedFallback && (
        <button type="button" className={styles.unmute} onClick={() => actions.setMuted(false)}>
          {say('tapToUnmute')}
        </button>
      )}
      {state.fullPage !== null && (
        <button
          type="button"
          className={styles.close}
          aria-label={say('closeVideo')}
          onClick={() => actions.closeFullPage()}
        >
          <Icon name="close" />
        </button>
      )}
    </>
  );
}
