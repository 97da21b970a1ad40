import { observer } from 'mobx-react-lite';
import { type DragEvent, type ReactNode, useEffect, useState } from 'react';
import type { Spot } from '../../../engine/tools/picker.ts';
import { ApiError } from '../../contract/errors.ts';
import { UploadList } from '../../ui/media/UploadList.tsx';
import { showProblem } from '../../ui/notifications.ts';
import { useSession } from '../../ui/session/session-context.ts';
import { useEditor } from '../session/editor-context.ts';
import classes from './canvas.module.css';
import { canvasOf } from './canvas-store.ts';
import { importsOf, NO_UPLOADS } from './import-store.ts';

const holdsFiles = ({ dataTransfer }: DragEvent) => dataTransfer.types.includes('Files');
/** An address or words, from another page. */
const holdsText = ({ dataTransfer }: DragEvent) => dataTransfer.types.includes('text/plain');

/** Takes a text that was dropped at a place. */
export type TakeText = (text: string, spot: Spot) => void;

/** Takes files that are dropped on the canvas, and shows how far they have come. */
export const DropLayer = observer(({ children, onText }: { children: ReactNode; onText: TakeText }) => {
  const editor = useEditor();
  const session = useSession();
  const store = canvasOf(editor.document);
  const imports = importsOf(editor);
  const [isOver, setIsOver] = useState(false);
  useEffect(() => () => imports.uploads.cancelAll(), [imports]);
  return (
    <section
      className={classes.canvas}
      aria-label="Canvas"
      onDragOver={(event) => {
        if (!holdsFiles(event) && !holdsText(event)) return;
        event.preventDefault();
        event.dataTransfer.dropEffect = 'copy';
        setIsOver(true);
      }}
      onDragLeave={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setIsOver(false);
      }}
      onDrop={(event) => {
        if (!holdsFiles(event) && !holdsText(event)) return;
        event.preventDefault();
        setIsOver(false);
        const spot = store.tools?.spotAt(event.clientX, event.clientY);
        if (!spot) return;
        if (!holdsFiles(event)) {
          const { dataTransfer } = event;
          const text = dataTransfer.getData('text/uri-list') || dataTransfer.getData('text/plain');
          onText(text, spot);
          return;
        }
        if (!session.may('media', 'create')) return showProblem(new ApiError('forbidden', NO_UPLOADS));
        imports.add([...event.dataTransfer.files], spot);
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
