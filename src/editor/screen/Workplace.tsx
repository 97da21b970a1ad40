import { useDisclosure } from '@mantine/hooks';
import { observer } from 'mobx-react-lite';
import { lazy, Suspense, useEffect, useState } from 'react';
import { AddElementDialog } from '../add-element/AddElementDialog.tsx';
import { CameraReadOut } from '../canvas/CameraReadOut.tsx';
import { Canvas } from '../canvas/Canvas.tsx';
import { CoordinatesBar } from '../canvas/CoordinatesBar.tsx';
import { CheckAction } from '../check/CheckAction.tsx';
import { CheckPanel } from '../check/CheckPanel.tsx';
import { CheckStore } from '../check/check-store.ts';
import { EditWindow } from '../edit-window/EditWindow.tsx';
import { useSaveKey } from '../keys/use-save-key.ts';
import classes from '../layout/editor.module.css';
import { ManyWindow } from '../many/ManyWindow.tsx';
import { SelectMenu } from '../many/SelectMenu.tsx';
import { useEditor } from '../session/editor-context.ts';
import { Sidebar } from '../sidebar/Sidebar.tsx';
import { useClipboard } from '../sidebar/use-clipboard.ts';
import { ConflictDialog } from './ConflictDialog.tsx';
import { KeySheet } from './KeySheet.tsx';
import { TopBar } from './TopBar.tsx';
import { useEditorKeys } from './use-editor-keys.ts';
import { useLeaveEditor } from './use-leave-editor.ts';
import { useUnsavedGuard } from './use-unsaved-guard.ts';

const RoomSettingsDialog = lazy(async () => ({
  default: (await import('../room-settings/RoomSettingsDialog.tsx')).RoomSettingsDialog,
}));

const RevisionsDialog = lazy(async () => ({
  default: (await import('../revisions/RevisionsDialog.tsx')).RevisionsDialog,
}));

const PublishDialog = lazy(async () => ({
  default: (await import('../publishing/PublishDialog.tsx')).PublishDialog,
}));

/** Width of the window in pixels below which the tree lies over the canvas, and is folded at first. */
const NARROW = 900;

/** Everything around the canvas of an open room. */
export const Workplace = observer(() => {
  const editor = useEditor();
  const { drafts, saving, selection } = editor;
  const [isFolded, setFolded] = useState(() => innerWidth <= NARROW);
  const [isSheetOpen, sheet] = useDisclosure();
  const [areSettingsOpen, settings] = useDisclosure();
  const [areRevisionsOpen, revisions] = useDisclosure();
  const [isPublishOpen, publish] = useDisclosure();
  const [isCheckOpen, check] = useDisclosure();
  const [checks] = useState(() => new CheckStore(editor));
  useEffect(() => checks.start(), [checks]);
  /** Group that is added to; null for the top, undefined while nothing is added. */
  const [addingTo, setAddingTo] = useState<number | null | undefined>(undefined);
  const fold = () => setFolded((is) => !is);
  useEditorKeys({ onFold: fold, onSheet: sheet.toggle, onRevisions: revisions.open, onCheck: check.toggle });
  useClipboard();
  useUnsavedGuard();
  useLeaveEditor();
  // What waits for a connection is tried again at once; the edit window, where there is one, saves itself.
  useSaveKey(() => saving.queue.state === 'failing' && saving.queue.resume());
  // What is selected on a folded screen would have a window that nobody sees.
  const { activeId } = selection;
  useEffect(() => {
    if (activeId !== null && innerWidth > NARROW) setFolded(false);
  }, [activeId]);
  return (
    <div className={classes.screen} data-folded={isFolded || undefined}>
      <TopBar
        isFolded={isFolded}
        onFold={fold}
        onSheet={sheet.open}
        onSettings={settings.open}
        onRevisions={revisions.open}
        onPublish={publish.open}
        check={<CheckAction store={checks} isOpen={isCheckOpen} onToggle={check.toggle} />}
      />
      <Sidebar onAdd={setAddingTo} />
      <main className={classes.canvas}>
        <Canvas />
        {isCheckOpen && <CheckPanel store={checks} onClose={check.close} />}
        {selection.ids.length > 1 && <ManyWindow />}
        {drafts.open && <EditWindow key={drafts.open.id} {...drafts.open} />}
      </main>
      <footer className={classes.bottom}>
        <CoordinatesBar select={<SelectMenu />} />
        <CameraReadOut />
      </footer>
      <KeySheet opened={isSheetOpen} onClose={sheet.close} />
      <AddElementDialog parent={addingTo} onClose={() => setAddingTo(undefined)} />
      {areSettingsOpen && (
        <Suspense>
          <RoomSettingsDialog onClose={settings.close} />
        </Suspense>
      )}
      {areRevisionsOpen && (
        <Suspense>
          <RevisionsDialog onClose={revisions.close} />
        </Suspense>
      )}
      {isPublishOpen && (
        <Suspense>
          <PublishDialog onClose={publish.close} />
        </Suspense>
      )}
      <ConflictDialog />
    </div>
  );
});
