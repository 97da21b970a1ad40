import { useDisclosure } from '@mantine/hooks';
import { observer } from 'mobx-react-lite';
import { type CSSProperties, lazy, Suspense, useEffect, useRef, useState } from 'react';
import { showProblem } from '../../ui/notifications.ts';
import { useSession } from '../../ui/session/session-context.ts';
import { typedAhead } from '../../ui/typed-ahead.ts';
import { AddElementDialog } from '../add-element/AddElementDialog.tsx';
import { SaveBlockDialog } from '../blocks/SaveBlockDialog.tsx';
import { Canvas } from '../canvas/Canvas.tsx';
import { CameraReadOut, CoordinatesBar } from '../canvas/CoordinatesBar.tsx';
import { CheckAction, CheckPanel } from '../check/CheckPanel.tsx';
import { CheckStore } from '../check/check-store.ts';
import { pasteText } from '../clipboard/paste.ts';
import { useClipboard } from '../clipboard/use-clipboard.ts';
import { EditWindow } from '../edit-window/DraftWindow.tsx';
import { HistoryMenu, HistoryPanel } from '../history/HistoryPanel.tsx';
import { actionsOf, latest, type ScreenActions } from '../keys/actions.ts';
import { useBookmarkKeys, useEditorKeys, useSaveKey } from '../keys/use-editor-keys.ts';
import classes from '../layout/editor.module.css';
import { widthOf } from '../layout/Resizer.tsx';
import { ManyWindow, SelectMenu } from '../many/ManyWindow.tsx';
import { ContextMenu } from '../menus/ContextMenu.tsx';
import { useEditor } from '../session/editor-context.ts';
import { Sidebar } from '../sidebar/Sidebar.tsx';
import { TourPanels } from '../tour/TourPanels.tsx';
import { TourStrip, usePlaceDrops } from '../tour/TourStrip.tsx';
import { ViewMenu } from '../views/ViewMenu.tsx';
import { ConflictDialog } from './ConflictDialog.tsx';
import { GoneSpace } from './GoneSpace.tsx';
import { KeySheet } from './KeySheet.tsx';
import { openPreview, useLeaving } from './leave-editor.ts';
import { SignInAgain } from './SignInAgain.tsx';
import { TopBar } from './TopBar.tsx';

const RoomSettings = lazy(async () => ({
  default: (await import('../room-settings/RoomSettings.tsx')).RoomSettings,
}));

const RevisionsDialog = lazy(async () => ({
  default: (await import('../revisions/RevisionsDialog.tsx')).RevisionsDialog,
}));

const PublishDialog = lazy(async () => ({
  default: (await import('../publishing/PublishDialog.tsx')).PublishDialog,
}));

const FindPanel = lazy(async () => ({
  default: (await import('../texts/FindPanel.tsx')).FindPanel,
}));

const TextsDialog = lazy(async () => ({
  default: (await import('../texts/TextsDialog.tsx')).TextsDialog,
}));
const TranslationsDialog = lazy(async () => ({
  default: (await import('../translations/TranslationsDialog.tsx')).TranslationsDialog,
}));
const HangWindow = lazy(async () => ({ default: (await import('../hanging/HangWindow.tsx')).HangWindow }));
const HangSheet = lazy(async () => ({ default: (await import('../hanging/HangSheet.tsx')).HangSheet }));

const ActionPalette = lazy(async () => ({
  default: (await import('../menus/ActionPalette.tsx')).ActionPalette,
}));

/** Maximum window width in pixels in which the tree covers the canvas and is initially collapsed. */
const NARROW = 900;

/** Opens a component with a text field. Keys are buffered until it has the focus; the canvas would handle them. */
const withField = (open: () => void) => () => {
  typedAhead.begin();
  open();
};

/** The editor's layout around the canvas of an open room. */
export const Workplace = observer(() => {
  const editor = useEditor();
  const { drafts, saving, selection } = editor;
  const [isFolded, setFolded] = useState(() => innerWidth <= NARROW);
  const [isSheetOpen, sheet] = useDisclosure();
  const [areRevisionsOpen, revisions] = useDisclosure();
  const [isPublishOpen, publish] = useDisclosure();
  /** Panel over the left side of the canvas. */
  const [panel, setPanel] = useState<'check' | 'history' | 'replace' | null>(null);
  const closePanel = () => setPanel(null);
  const [areTextsOpen, texts] = useDisclosure();
  const [areTranslationsOpen, translations] = useDisclosure();
  const toggleCheck = () => setPanel((is) => (is === 'check' ? null : 'check'));
  const [checks] = useState(() => new CheckStore(editor));
  useEffect(() => checks.start(), [checks]);
  /** Parent group for a new element; null for the top level, undefined while the add dialog is closed. */
  const [addingTo, setAddingTo] = useState<number | null | undefined>(undefined);
  /** Files of the spreadsheet dialog, empty to choose them; null while it is closed. */
  const [sheetFiles, setSheetFiles] = useState<readonly File[] | null>(null);
  const openSheet = () => setSheetFiles([]);
  const [isHanging, hanging] = useDisclosure();
  const { isReadOnly } = editor.document;
  useEffect(() => {
    if (!isReadOnly) return;
    setAddingTo(undefined);
    setSheetFiles(null);
    hanging.close();
  }, [isReadOnly, hanging.close]);
  const fold = () => setFolded((is) => !is);
  const [isPaletteOpen, palette] = useDisclosure();
  const session = useSession();
  const placeDrops = usePlaceDrops();
  const [isSignInOpen, setSignInOpen] = useState(true);
  useEffect(() => session.stayOpen(), [session]);
  const isExpired = session.state === 'expired';
  useEffect(() => {
    if (isExpired) setSignInOpen(true);
  }, [isExpired]);
  const screen = useRef<ScreenActions>(null);
  screen.current = {
    add: withField(() => setAddingTo(null)),
    palette: withField(palette.open),
    panels: fold,
    preview: () => void openPreview(editor),
    settings: () => drafts.openRoom(),
    publish: publish.open,
    revisions: withField(revisions.open),
    check: toggleCheck,
    history: () => setPanel('history'),
    replace: withField(() => setPanel('replace')),
    texts: withField(texts.open),
    translations: translations.open,
    sheet: isSheetOpen ? sheet.close : withField(sheet.open),
    hang: hanging.open,
    hangSheet: openSheet,
  };
  const [actions] = useState(() => actionsOf(editor, latest(screen)));
  useEditorKeys(actions);
  useBookmarkKeys();
  useClipboard();
  useLeaving();
  // Ctrl+S retries saving immediately without a connection; an open edit window handles it itself.
  useSaveKey(() => saving.queue.state === 'failing' && saving.queue.resume());
  // With collapsed panels, the edit window of the selection would be invisible.
  const { activeId } = selection;
  useEffect(() => {
    if (activeId !== null && innerWidth > NARROW) setFolded(false);
  }, [activeId]);
  // Notifications are rendered outside this part of the page.
  const hasWindow = !isFolded && (selection.ids.length > 1 || drafts.open !== null);
  const covered = hasWindow ? widthOf('window') : 0;
  useEffect(() => {
    const { style } = document.documentElement;
    style.setProperty('--window-covers', `${covered}px`);
    return () => void style.removeProperty('--window-covers');
  }, [covered]);
  return (
    <div
      className={classes.screen}
      data-folded={isFolded || undefined}
      style={{ '--tree-width': `${widthOf('tree')}px`, '--window-width': `${widthOf('window')}px` } as CSSProperties}
    >
      <TopBar
        isFolded={isFolded}
        onFold={fold}
        onSheet={sheet.open}
        onSettings={() => drafts.openRoom()}
        onRevisions={revisions.open}
        onPublish={publish.open}
        onSignIn={() => setSignInOpen(true)}
        history={<HistoryMenu onAll={() => setPanel('history')} />}
        check={<CheckAction store={checks} isOpen={panel === 'check'} onToggle={toggleCheck} />}
      />
      <Sidebar onAdd={setAddingTo} />
      <main className={classes.canvas} {...placeDrops}>
        <Canvas
          onText={(text, spot) => void pasteText(editor, text, { spot, otherwise: spot }).catch(showProblem)}
          onSheet={setSheetFiles}
        />
        <ViewMenu />
        <TourStrip />
        <TourPanels />
        <GoneSpace />
        {panel === 'check' && <CheckPanel store={checks} onClose={closePanel} />}
        {panel === 'history' && <HistoryPanel onClose={closePanel} />}
        {panel === 'replace' && (
          <Suspense>
            <FindPanel onClose={closePanel} />
          </Suspense>
        )}
        {selection.ids.length > 1 && !isHanging && <ManyWindow onHang={hanging.open} />}
        {isHanging && (
          <Suspense>
            <HangWindow onClose={hanging.close} />
          </Suspense>
        )}
        {drafts.open &&
          !isHanging &&
          (drafts.isRoomOpen ? (
            <Suspense>
              <RoomSettings draft={drafts.open} />
            </Suspense>
          ) : (
            <EditWindow key={drafts.open.subject.id} draft={drafts.open} />
          ))}
      </main>
      <footer className={classes.bottom}>
        <CoordinatesBar select={<SelectMenu />} />
        <CameraReadOut />
      </footer>
      <SaveBlockDialog />
      <KeySheet opened={isSheetOpen} onClose={sheet.close} />
      <AddElementDialog parent={addingTo} onClose={() => setAddingTo(undefined)} onSheet={openSheet} />
      {sheetFiles && (
        <Suspense>
          <HangSheet files={sheetFiles} onClose={() => setSheetFiles(null)} />
        </Suspense>
      )}
      {areRevisionsOpen && (
        <Suspense>
          <RevisionsDialog onClose={revisions.close} />
        </Suspense>
      )}
      {areTextsOpen && (
        <Suspense>
          <TextsDialog onClose={texts.close} />
        </Suspense>
      )}
      {areTranslationsOpen && (
        <Suspense>
          <TranslationsDialog onClose={translations.close} />
        </Suspense>
      )}
      {isPublishOpen && (
        <Suspense>
          <PublishDialog onClose={publish.close} />
        </Suspense>
      )}
      <ConflictDialog />
      <SignInAgain opened={isSignInOpen} onClose={() => setSignInOpen(false)} />
      <ContextMenu actions={actions} />
      {isPaletteOpen && (
        <Suspense>
          <ActionPalette actions={actions} onClose={palette.close} />
        </Suspense>
      )}
    </div>
  );
});
