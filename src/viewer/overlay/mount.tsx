import '@fontsource-variable/inter';
import { createRoot } from 'react-dom/client';
import { RoomControls, type RoomHost } from '../visit/room-controls.ts';
import { Overlay } from './Overlay.tsx';
import { readLinks } from './read-links.ts';

let mounted = false;

/** Mounts the overlay once, and checks the links of each room. */
export function mountOverlay(host: RoomHost): void {
  const room = host.store.get().endpoint?.room;
  if (room) readLinks(room);
  if (mounted) return;
  mounted = true;
  createRoot(document.getElementById('overlay')!).render(
    <Overlay store={host.store} actions={new RoomControls(host)} />,
  );
}
