import { useEffect } from 'react';
import { isTyping } from '../../../engine/stage/interaction/typing.ts';
import { showNotification } from '../../ui/notifications.ts';
import { bookmarksOf } from '../canvas/bookmarks.ts';
import { showView } from '../canvas/camera-views.ts';
import { canvasOf } from '../canvas/canvas-store.ts';
import { useEditor } from '../session/editor-context.ts';

/** The row of digits goes to views that are kept; with Ctrl it keeps them. */
export function useBookmarkKeys(): void {
  const { document: room, roomId } = useEditor();
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { code, ctrlKey, metaKey, altKey, shiftKey, repeat, target } = event;
      const place = Number(/^Digit([1-9])$/.exec(code)?.[1]);
      if (!place || altKey || shiftKey || repeat || event.defaultPrevented || isTyping(target)) return;
      const { tools } = canvasOf(room);
      const bookmarks = bookmarksOf(roomId);
      if (!tools) return;
      event.preventDefault();
      const view = bookmarks.at(place);
      if (ctrlKey || metaKey) {
        bookmarks.keep(place, tools.view);
        showNotification(`This view is bookmark ${place} now: press ${place} to come back.`);
      } else if (view) showView(room, view);
      else showNotification(`There is no bookmark ${place} yet: press Ctrl+${place} to save this view.`);
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [room, roomId]);
}
