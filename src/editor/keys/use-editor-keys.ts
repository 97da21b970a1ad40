import { useEffect } from 'react';
import { isTyping } from '../../../engine/stage/interaction/typing.ts';
import type { Actions } from './actions.ts';
import { currentPreset } from './key-preset.ts';
import { keyOf, shortcutAt } from './shortcuts.ts';

const isOnCanvas = (target: EventTarget | null) =>
  target instanceof Element && target.closest('[role="application"]') !== null;

/** The keys of the table, which work outside of text fields and dialogs. */
export function useEditorKeys(actions: Actions): void {
  useEffect(() => {
    const abort = new AbortController();
    const { signal } = abort;
    // Before the canvas, whose own keys are those of one preset.
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || isTyping(event.target)) return;
      const id = shortcutAt(keyOf(event), currentPreset());
      const action = id && actions[id];
      if (!action) return;
      // Elsewhere the key goes to the next field, as everywhere.
      if (id === 'panels' && !isOnCanvas(event.target)) return;
      event.preventDefault();
      const isStep = id === 'undo' || id === 'redo';
      if ((!event.repeat || isStep) && action.isPossible?.() !== false) action.run();
    };
    // Esc closes the dialog that is open, also before it has taken the focus, and nothing behind it.
    const onEscape = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && document.querySelector('[role="dialog"]')) event.preventDefault();
    };
    addEventListener('keydown', onKey, { signal, capture: true });
    addEventListener('keydown', onEscape, { signal, capture: true });
    return () => abort.abort();
  }, [actions]);
}
