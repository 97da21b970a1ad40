import { useEffect, useRef } from 'react';
import { Icon } from '../parts/Icon.tsx';
import { say } from '../texts/say-all.ts';
import type { Notice } from '../visit/visit-store.ts';
import styles from './overlay.module.css';

/** Milliseconds for which a sentence stands. */
const SHOWN = 5000;

/** A sentence about what was done or went wrong: it goes by itself, unless it is being looked at, or lasts. */
export function NoticeLine({ notice, onClose }: { notice: Notice | null; onClose(): void }) {
  const line = useRef<HTMLDivElement>(null);
  const close = useRef(onClose);
  close.current = onClose;
  useEffect(() => {
    if (!notice || notice.lasts) return;
    const timer = setInterval(() => {
      if (!line.current?.querySelector(':hover, :focus-visible')) close.current();
    }, SHOWN);
    return () => clearInterval(timer);
  }, [notice]);
  return (
    <div role="status" ref={line}>
      {notice && (
        <p className={styles.notice}>
          {notice.text}
          <button type="button" onClick={onClose} aria-label={say('close')}>
            <Icon name="close" />
          </button>
        </p>
      )}
    </div>
  );
}
