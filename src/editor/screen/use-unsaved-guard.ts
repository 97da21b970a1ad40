import { useEffect } from 'react';
import { useEditor } from '../session/editor-context.ts';

/** Sends what waits as soon as there is a connection, and keeps the page open only for what could not be kept. */
export function useUnsavedGuard(): void {
  const { drafts, saving } = useEditor();
  useEffect(() => {
    const abort = new AbortController();
    const { signal } = abort;
    const resume = () => saving.queue.state === 'failing' && saving.queue.resume();
    addEventListener('online', resume, { signal });
    addEventListener(
      'beforeunload',
      (event) => {
        if (saving.queue.isAtRisk || drafts.isAtRisk) event.preventDefault();
      },
      { signal },
    );
    return () => abort.abort();
  }, [drafts, saving]);
}
