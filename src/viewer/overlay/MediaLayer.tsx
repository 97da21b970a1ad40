import { useEffect, useRef } from 'react';
import { Icon } from '../parts/Icon.tsx';
import { say } from '../texts/say-all.ts';
import type { VisitActions, VisitState } from '../visit/visit-store.ts';
import styles from './media-layer.module.css';
import { SubtitleMenu } from './SubtitleMenu.tsx';

interface Props {
  state: VisitState;
  actions: VisitActions;
}

/** Full-page video: close button and subtitles. */
function FullPageControls({ state, actions }: Props) {
  const close = useRef<HTMLButtonElement>(null);
  const isCovered = state.dialog !== null;
  useEffect(() => {
    const before = document.activeElement;
    close.current?.focus({ preventScroll: true });
    return () => {
      const target = before instanceof HTMLElement && before.isConnected ? before : document.getElementById('room');
      target?.focus({ preventScroll: true });
    };
  }, []);
  useEffect(() => {
    if (isCovered) return;
    const leave = ({ key }: KeyboardEvent) => key === 'Escape' && actions.closeFullPage();
    addEventListener('keydown', leave);
    return () => removeEventListener('keydown', leave);
  }, [isCovered, actions]);
  return (
    <section className={styles.fullPage} aria-label={say('film')}>
      <SubtitleMenu state={state} actions={actions} />
      <button
        ref={close}
        type="button"
        className={styles.close}
        aria-label={say('closeVideo')}
        title={say('closeVideo')}
        onClick={() => actions.closeFullPage()}
      >
        <Icon name="close" />
      </button>
    </section>
  );
}

/** Overlay for playing media: full-page video and the unmute button. */
export function MediaLayer({ state, actions }: Props) {
  return (
    <>
      {state.mutedFallback && (
        <button type="button" className={styles.unmute} onClick={() => actions.setMuted(false)}>
          {say('tapToUnmute')}
        </button>
      )}
      {state.fullPage !== null && <FullPageControls state={state} actions={actions} />}
    </>
  );
}
