import '@fontsource-variable/inter';
import { createRoot } from 'react-dom/client';
import { RoomControls, type RoomHost } from '../room-controls.ts';
import { Overlay } from './Overlay.tsx';

let mounted = false;

/** Puts the controls over the room, once. */
export function mountOverlay(host: RoomHost): void {
  if (mounted) return;
  mounted = true;
  createRoot(document.getElementById('overlay')!).render(
    <Overlay store={host.store} actions={new RoomControls(host)} />,
  );
}
