import { observer } from 'mobx-react-lite';
import { type DragEvent, type ReactNode, useEffect, useState } from 'react';
import { ApiError } from '../../contract/errors.ts';
import { UploadList } from '../../ui/media/UploadList.tsx';
import { showProblem } from '../../ui/notifications.ts';
import { useSession } from '../../ui/session/session-context.ts';
import { useEditor } from '../session/editor-context.ts';
import classes from './canvas.module.css';
import { canvasOf } from './canvas-store.ts';
import { ImportStore } from './import-store.ts';

const NO_UPLOADS = "These files can't be uploaded. Ask an administrator for the right to add media.";

const holdsFiles = ({ dataTransfer }: DragEvent) => dataTransfer.types.includes('Files');

/** Takes files that are dropped on the canvas, and shows how far they have come. */
export const DropLayer = observer(({ children }: { children: ReactNode }) => {
  const editor = useEditor();
  const session = useSession();
  const store = canvasOf(editor.document);
  const [imports] = useState(() => new ImportStore(editor));
  const [isOver, setIsOver] = useState(false);
  useEffect(() => () => imports.uploads.cancelAll(), [imports]);
  return (
    <section
      className={classes.canvas}
      aria-label="Canvas"
      onDragOver={(event) => {
        if (!holdsFiles(event)) return;
        event.preventDefault();
        event.dataTransfer.dropEffect = 'copy';
        setIsOver(true);
      }}
      onDragLeave={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setIsOver(false);
      }}
      onDrop={(event) => {
        if (!holdsFiles(event)) return;
        event.preventDefault();
        setIsOver(false);
        if (!session.may('media', 'create')) return showProblem(new ApiError('forbidden', NO_UPLOADS));
        const spot = store.tools?.spotAt(event.clientX, event.clientY);
        if (spot) imports.add([...event.dataTransfer.files], spot);
      }}
    >
      {children}
      {isOver && <div className={classes.target}>Drop files to add them here</div>}
      <div className={classes.uploads}>
        <UploadList store={imports.uploads} />
      </div>
    </section>
  );
});
