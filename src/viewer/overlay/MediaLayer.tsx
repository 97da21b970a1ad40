import { useEffect, useRef } from 'react';
import { Icon } from '../parts/Icon.tsx';
import { say } from '../texts/say-all.ts';
import type { VisitActions, VisitState } from '../visit/visit-store.ts';
import { AudioDescriptionButton, FilmTextsButton } from './DescriptionTools.tsx';
import styles from './media-layer.module.css';
import { SubtitleMenu, shownAtFirst } from './SubtitleMenu.tsx';

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
      <AudioDescriptionButton state={state} actions={actions} />
      <FilmTextsButton state={state} actions={actions} />
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

/** Current subtitles, each line in its own text direction. */
export function Cues({ state: { cues, subtitles, endpoint } }: { state: VisitState }) {
  if (cues.length === 0) return null;
  const language = subtitles?.language ?? shownAtFirst(endpoint?.room?.elements ?? []);
  return (
    <p className={styles.cues} data-size={subtitles?.size ?? 'medium'} lang={language || undefined} dir="auto">
      {cues.map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines have no id and can be identical.
        <span key={index} dir="auto">
          {line}
        </span>
      ))}
    </p>
  );
}
