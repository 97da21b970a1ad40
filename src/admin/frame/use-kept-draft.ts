import { useEffect } from 'react';
import { showNotification } from '../../ui/notifications.ts';
import { useSession } from '../../ui/session/session-context.ts';
import { keepDraft, takeDraft } from '../stores/kept-drafts.ts';
import type { LoadState } from '../stores/list-store.ts';

/** What of a form's store is needed to keep what was typed. */
interface Typed {
  readonly entryState: LoadState;
  readonly isDirty: boolean;
  readonly draft: object;
  restore(draft: object): void;
}

/** Keeps what was typed when the session ends in mid-form, and puts it back after the next sign-in. */
export function useKeptDraft(store: Typed): void {
  const session = useSession();
  const { entryState } = store;
  useEffect(
    () =>
      session.beforeExpiry(() => {
        if (store.isDirty) keepDraft(location.pathname, store.draft);
      }),
    [session, store],
  );
  useEffect(() => {
    if (entryState !== 'ready') return;
    const draft = takeDraft(location.pathname);
    if (!draft) return;
    store.restore(draft);
    showNotification('Your session had ended. What you had typed is back in the form.');
  }, [entryState, store]);
}
