import { observer } from 'mobx-react-lite';
import type { ReactNode } from 'react';
import { useEditor } from '../session/editor-context.ts';
import classes from './editing-controls.module.css';

/** Controls that edit the space; disabled in read-only mode. */
export const EditingControls = observer(({ className, children }: { className?: string; children: ReactNode }) => {
  const { document } = useEditor();
  return (
    <fieldset className={`${classes.controls} ${className ?? ''}`} disabled={document.isReadOnly}>
      {children}
    </fieldset>
  );
});
