import { useLayoutEffect, useRef } from 'react';
import type { Settings } from '../../contract/entities.ts';
import type { Dialog, VisitActions } from '../visit-store.ts';
import styles from './overlay.module.css';
import { SafeHtml } from './SafeHtml.tsx';

interface Props {
  dialog: Dialog | null;
  settings: Settings;
  actions: VisitActions;
}

function Help() {
  return (
    <div className={styles.prose}>
      <p>Move with the arrows on the screen, the arrow keys, or W A S D. Hold to keep moving.</p>
      <p>Drag to look or to move along. Where the room allows it, Q and E turn you and the wheel takes you closer.</p>
      <p>Press the pale discs on the floor, or use the view-point menu, to be taken to a good place to look from.</p>
    </div>
  );
}

function Content({ dialog, settings }: { dialog: Dialog; settings: Settings }) {
  switch (dialog.kind) {
    case 'content':
      return <SafeHtml html={dialog.html} />;
    case 'frame':
      return (
        <iframe
          className={styles.frame}
          src={dialog.url}
          title={dialog.title || 'Page'}
          sandbox="allow-scripts allow-forms allow-popups allow-same-origin"
          referrerPolicy="strict-origin-when-cross-origin"
        />
      );
    case 'static':
      if (dialog.name === 'help') return <Help />;
      return (
        <div className={styles.prose}>
          <p>{settings.meta_description || `A room of ${settings.name}.`}</p>
        </div>
      );
  }
}

const titleOf = (dialog: Dialog, settings: Settings) => {
  if (dialog.kind !== 'static') return dialog.title;
  return dialog.name === 'help' ? 'Help' : `About ${settings.name}`;
};

/** The dialog over the room: closes with OK, Esc and a press beside it. */
export function DialogLayer({ dialog, settings, actions }: Props) {
  const element = useRef<HTMLDialogElement>(null);
  const wayOut = useRef<HTMLButtonElement>(null);
  const isOpen = dialog !== null;
  useLayoutEffect(() => {
    if (!isOpen) return;
    const opened = element.current;
    opened?.showModal();
    wayOut.current?.focus();
    // Closing gives the focus back to where it was.
    return () => opened?.close();
  }, [isOpen]);
  if (!dialog) return null;
  const title = titleOf(dialog, settings);
  return (
    <dialog
      ref={element}
      className={styles.dialog}
      data-kind={dialog.kind}
      aria-label={title || 'Message'}
      onCancel={(event) => {
        // The state decides what is open: the browser's own event of closing comes later, and might close the next one.
        event.preventDefault();
        actions.closeDialog();
      }}
      onPointerDown={(event) => {
        if (event.target === event.currentTarget) actions.closeDialog();
      }}
    >
      <div className={styles.sheet}>
        {title && <h2>{title}</h2>}
        <Content dialog={dialog} settings={settings} />
        <footer>
          <button type="button" className={styles.primary} ref={wayOut} onClick={() => actions.closeDialog()}>
            OK
          </button>
        </footer>
      </div>
    </dialog>
  );
}
