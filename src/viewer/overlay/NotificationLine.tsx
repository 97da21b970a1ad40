import { useEffect, useRef } from 'react';
import { Icon } from '../parts/Icon.tsx';
import { say } from '../texts/say-all.ts';
import type { Notification } from '../visit/visit-store.ts';
import styles from './overlay.module.css';

/** Duration in milliseconds. */
const NOTIFICATION_TIME = 5000;

/** Notification that disappears by itself unless hovered, focused or persistent. */
export function NotificationLine({ notification, onClose }: { notification: Notification | null; onClose(): void }) {
  const line = useRef<HTMLDivElement>(null);
  const close = useRef(onClose);
  close.current = onClose;
  useEffect(() => {
    if (!notification || notification.lasts) return;
    const timer = setInterval(() => {
      if (!line.current?.querySelector(':hover, :focus-visible')) close.current();
    }, NOTIFICATION_TIME);
    return () => clearInterval(timer);
  }, [notification]);
  return (
    <div role="status" ref={line}>
      {notification && (
        <p className={styles.notification}>
          {notification.text}
          <button type="button" onClick={onClose} aria-label={say('close')}>
            <Icon name="close" />
          </button>
        </p>
      )}
    </div>
  );
}
