import { useState } from 'react';
import { Overlay } from '../overlay/Overlay.tsx';
import { RoomControls } from '../visit/room-controls.ts';
import classes from './preview-controls.module.css';
import type { RoomPreview } from './room-preview.ts';

/** Overlay of a previewed room, inside part of a page. */
export function PreviewControls({ preview }: { preview: RoomPreview }) {
  const [actions] = useState(() => new RoomControls(preview));
  return (
    <div id="overlay" className={classes.over}>
      <Overlay store={preview.store} actions={actions} />
    </div>
  );
}
