import { useEffect, useRef } from 'react';
import { say } from '../texts/say.ts';
import classes from './preview.module.css';

interface Props {
  title: string;
  isReady: boolean;
  /** Called when pressed. Without it, as in a preview beside a form, the button doesn't take focus. */
  onEnter?(): void;
}

/** Loading screen of a previewed room. */
export function PreviewEntrance({ title, isReady, onEnter }: Props) {
  const button = useRef<HTMLButtonElement>(null);
  const canEnter = onEnter !== undefined;
  useEffect(() => {
    if (isReady && canEnter) button.current?.focus({ preventScroll: true });
  }, [isReady, canEnter]);
  return (
    <button
      ref={button}
      type="button"
      className={classes.entrance}
      data-ready={isReady || undefined}
      aria-live="polite"
      onClick={() => isReady && onEnter?.()}
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
