import { when } from 'mobx';
import { useEffect } from 'react';
import { useNavigate } from 'react-router-dom';
import { isEditorPath } from '../../contract/editor-path.ts';
import { type Editor, useEditor } from '../session/editor-context.ts';

/** Milliseconds that leaving waits for the last edits; those that take longer are kept by the browser, and sent later. */
const SAVE_TIMEOUT = 3000;

/** Waits until what was typed is saved, or kept where it cannot be saved now. */
export async function leaveEditor({ saving }: Editor): Promise<void> {
  const { queue } = saving;
  const isDone = () => queue.waiting === 0 || !['idle', 'sending'].includes(queue.state);
  await when(isDone, { timeout: SAVE_TIMEOUT }).catch(() => undefined);
  await queue.settled();
}

/** Links out of the editor are followed once what was typed is saved, so that it is there where they lead. */
export function useLeaveEditor(): void {
  const editor = useEditor();
  const navigate = useNavigate();
  useEffect(() => {
    const onClick = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a[href]') : null;
      const isElsewhere = event.ctrlKey || event.metaKey || event.shiftKey || event.altKey || link?.target;
      if (!link || isElsewhere || event.defaultPrevented || link.origin !== location.origin) return;
      event.preventDefault();
      const path = link.pathname + link.search;
      void leaveEditor(editor).then(() => (isEditorPath(link.pathname) ? navigate(path) : location.assign(path)));
    };
    addEventListener('click', onClick, { capture: true });
    return () => removeEventListener('click', onClick, { capture: true });
  }, [editor, navigate]);
}
