import { say } from '../texts/say.ts';
import { Icon } from './Icon.tsx';
import styles from './overlay.module.css';

/** A sentence about something that went wrong, which the visitor can put away. */
export function Notice({ text, onClose }: { text: string | null; onClose(): void }) {
  return (
    <div className={styles.notices} role="status">
      {text && (
        <p className={styles.notice}>
          {text}
          <button type="button" onClick={onClose} aria-label={say('close')}>
            <Icon name="close" />
          </button>
        </p>
      )}
    </div>
  );
}
