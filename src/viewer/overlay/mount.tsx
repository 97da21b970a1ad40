import '@fontsource-variable/inter';
import { createRoot } from 'react-dom/client';
import type { VisitActions, VisitStore } from '../visit-store.ts';
import { Overlay } from './Overlay.tsx';

let mounted = false;

/** Puts the controls over the room, once. */
export function mountOverlay(store: VisitStore, actions: VisitActions): void {
  if (mounted) return;
  mounted = true;
  createRoot(document.getElementById('overlay')!).render(<Overlay store={store} actions={actions} />);
}
