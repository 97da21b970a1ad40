import { observer } from 'mobx-react-lite';
import { useEditor } from '../session/editor-context.ts';
import classes from './canvas.module.css';
import { canvasOf } from './canvas-store.ts';

/** Where the camera is, in whole units. */
export const CameraReadOut = observer(() => {
  const { document } = useEditor();
  const { camera } = canvasOf(document);
  return (
    <dl className={classes.readout} aria-label="Camera position">
      {(['x', 'y', 'z'] as const).map((axis) => (
        <div key={axis}>
          <dt>{axis.toUpperCase()}</dt>
          <dd>{camera[axis]}</dd>
        </div>
      ))}
    </dl>
  );
});
