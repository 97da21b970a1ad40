import type { VisitState } from '../visit/visit-store.ts';
import styles from './media-layer.module.css';
import { shownAtFirst } from './subtitle-languages.ts';

/** Current subtitles, each line in its own text direction. */
export function Cues({ state: { cues, subtitles, endpoint } }: { state: VisitState }) {
  if (cues.length === 0) return null;
  const language = subtitles?.language ?? shownAtFirst(endpoint?.room?.elements ?? []);
  return (
    <p className={styles.cues} data-size={subtitles?.size ?? 'medium'} lang={language || undefined}>
      {cues.map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines have no id and can be identical.
        <span key={index} dir="auto">
          {line}
        </span>
      ))}
    </p>
  );
}
