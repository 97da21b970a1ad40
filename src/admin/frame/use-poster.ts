import { useCallback, useEffect, useState } from 'react';
import type { Poster } from '../../contract/entities.ts';
import { showProblem } from '../../ui/notifications.ts';

/** Milliseconds between requests for a poster that is being rendered. */
const INTERVAL = 3000;
/** Milliseconds after a change during which a missing poster is probably being rendered. */
const RENDERING_TIME = 2 * 60_000;

/** Whether a change is recent enough for its poster to be rendering. @param changedAt ISO 8601 */
const isRecent = (changedAt: string | undefined, now: Date): boolean =>
  changedAt !== undefined && now.getTime() - Date.parse(changedAt) < RENDERING_TIME;

/**
 * The poster of an entry, read again until it is rendered.
 * @param read reads it
 * @param changedAt time of the entry's last change; if missing or long ago, a missing poster isn't being rendered
 */
export function usePoster(read: () => Promise<Poster | null>, changedAt: string | undefined) {
  const [poster, setPoster] = useState<Poster | null>(null);
  const [state, setState] = useState<'loading' | 'rendering' | 'settled'>('loading');
  const load = useCallback(async () => {
    const found = await read();
    setPoster(found);
    setState(found === null && isRecent(changedAt, new Date()) ? 'rendering' : 'settled');
  }, [read, changedAt]);
  useEffect(() => {
    void load().catch(showProblem);
  }, [load]);
  useEffect(() => {
    if (state !== 'rendering') return;
    const timer = setInterval(() => void load().catch(() => undefined), INTERVAL);
    return () => clearInterval(timer);
  }, [state, load]);
  return { poster, setPoster, isRendering: state === 'rendering' };
}
