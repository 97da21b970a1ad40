import { useEffect, useRef } from 'react';
import { say } from '../texts/say-all.ts';
import classes from './preview-entrance.module.css';

/** Loading screen of a previewed room. */
export function PreviewEntrance({ title, isReady, onEnter }: { title: string; isReady: boolean; onEnter(): void }) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (isReady) button.current?.focus({ preventScroll: true });
  }, [isReady]);
  return (
    <button
      ref={button}
      type="button"
      className={classes.entrance}
      data-ready={isReady || undefined}
      aria-live="polite"
      onClick={() => isReady && onEnter()}
    >
      <svg viewBox="0 0 64 64" aria-hidden="true">
        <path d="M6 60V4h52v56" />
        <path d="M17 56V14h30v42" />
        <path d="M25 53V22h14v31" />
      </svg>
      <b>{title}</b>
      <span>{say(isReady ? 'invitation' : 'loading')}</span>
    </button>
  );
}
