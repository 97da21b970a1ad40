import { showNotification } from '../../ui/notifications.ts';
import { canvasOf } from '../canvas/canvas-store.ts';
import { useEditor } from '../session/editor-context.ts';

/** Selects an element and brings it into view; says so where it is hidden or locked and cannot be selected. */
export function useShowElement(): (id: number) => void {
  const { document, selection } = useEditor();
  return (id) => {
    selection.select(id);
    // The canvas follows the selection before it looks at it.
    if (selection.selectedId === id) canvasOf(document).tools?.frameSelected();
    else showNotification("This element is hidden or may not be edited: it can't be selected.");
  };
}
