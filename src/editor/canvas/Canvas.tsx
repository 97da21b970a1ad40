import '../../../engine/stage/stage.css';
import '../../../engine/tools/tools.css';
import { observer } from 'mobx-react-lite';
import { useEffect, useRef } from 'react';
import { useEditor } from '../session/editor-context.ts';
import { Following } from '../together/Others.tsx';
import { ArrowPad } from './ArrowPad.tsx';
import classes from './canvas.module.css';
import { canvasOf } from './canvas-store.ts';
import { DropLayer, type TakeText } from './DropLayer.tsx';
import { openCanvas } from './open-canvas.ts';

/** The room itself, as it is edited. */
export const Canvas = observer(({ onText }: { onText: TakeText }) => {
  const editor = useEditor();
  const store = canvasOf(editor.document);
  const surface = useRef<HTMLDivElement>(null);
  useEffect(() => openCanvas(surface.current!, editor, store), [editor, store]);
  return (
    <DropLayer onText={onText}>
      <div
        ref={surface}
        className={classes.surface}
        role="application"
        aria-label="Room"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the canvas takes the keys of spec and sheet.
        tabIndex={0}
      />
      {store.state === 'ready' && <ArrowPad />}
      <Following />
      {store.state === 'loading' && (
        <p className={classes.note} role="status" aria-label="Loading">
          Opening the room…
        </p>
      )}
      {store.problem && (
        <p className={classes.note} role="alert">
          {store.problem}
        </p>
      )}
    </DropLayer>
  );
});
