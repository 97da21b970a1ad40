import '@fontsource-variable/inter';
import { createRoot } from 'react-dom/client';
import type { VisitActions, VisitStore } from '../visit-store.ts';
import { Overlay } from './Overlay.tsx';
import { readLinks } from './read-links.ts';

let mounted = false;

/** Puts the controls over the room, once, and reads the links of each room that is entered. */
export function mountOverlay(store: VisitStore, actions: VisitActions): void {
  const room = store.get().endpoint?.room;
  if (room) readLinks(room);
  if (mounted) return;
  mounted = true;
  createRoot(document.getElementById('overlay')!).render(<Overlay store={store} actions={actions} />);
}
