import { goToStart, goToViewPoint, setStart, setViewPoint } from '../canvas/camera-views.ts';
import { canvasOf } from '../canvas/canvas-store.ts';
import { pasteByMenu } from '../clipboard/use-clipboard.ts';
import {
  groupSelected,
  invertSelection,
  removeSelected,
  selectAll,
  selectSameType,
  setSelected,
  ungroupSelected,
} from '../many/many-actions.ts';
import type { Editor } from '../session/editor-context.ts';
import { duplicate, hideElement, removeElement, selectedElements } from '../session/element-actions.ts';
import { RENAME_EVENT, SAVE_BLOCK_EVENT, SEARCH_EVENT } from './events.ts';
import type { ShortcutId } from './shortcuts.ts';

/** Copies or cuts the selection from the menu. */
function copyByMenu(command: 'copy' | 'cut'): void {
  // The browser sends clipboard events to the focused element, which is still the menu.
  (document.activeElement as HTMLElement | null)?.blur();
  document.execCommand(command);
}

/** An action, and whether it is available. */
interface Action {
  run(): void;
  isPossible?(): boolean;
}

/** Actions of the screen, in addition to those of elements and the canvas. */
const SCREEN_ACTIONS = [
  'add',
  'palette',
  'panels',
  'preview',
  'settings',
  'publish',
  'revisions',
  'check',
  'history',
  'replace',
  'texts',
  'translations',
  'sheet',
  'hang',
  'hangSheet',
] as const;
export type ScreenActions = Record<(typeof SCREEN_ACTIONS)[number], () => void>;

/** Delegates to the screen's current actions, which change with each render. */
export function latest(screen: { readonly current: ScreenActions | null }): ScreenActions {
  return Object.fromEntries(SCREEN_ACTIONS.map((name) => [name, () => screen.current?.[name]()])) as ScreenActions;
}

export type Actions = Partial<Record<ShortcutId, Action>>;

/** Actions that don't edit the space. */
const VIEWING: ReadonlySet<ShortcutId> = new Set<ShortcutId>([
  'palette',
  'panels',
  'preview',
  'settings',
  'revisions',
  'check',
  'history',
  'replace',
  'texts',
  'translations',
  'sheet',
  'copy',
  'selectAll',
  'selectSame',
  'invert',
  'search',
  'frame',
  'front',
  'side',
  'top',
  'projection',
  'measure',
  'goToPoint',
  'goToStart',
  'grid',
]);

/** Disables editing actions in read-only mode. */
const guarded = (actions: Actions, { document }: Editor): Actions =>
  Object.fromEntries(
    Object.entries(actions).map(([id, action]) => {
      const isPossible = () => !document.isReadOnly && action.isPossible?.() !== false;
      return [id, VIEWING.has(id as ShortcutId) ? action : { ...action, isPossible }];
    }),
  );

/** All actions of shortcuts, the palette and menus. */
export function actionsOf(editor: Editor, screen: ScreenActions): Actions {
  const { document } = editor;
  const store = canvasOf(document);
  const selected = () => selectedElements(editor);
  const isSelected = () => selected().length > 0;
  const one = () => selected().at(-1);
  const isOne = () => selected().length === 1;
  const look = (way: 'front' | 'side' | 'top') => store.tools?.camera.frame(selected(), way);
  const viewPoint = () => {
    const [element] = isOne() ? selected() : [];
    return element?.element === 'view_point' ? element : undefined;
  };
  const isViewPoint = () => viewPoint() !== undefined;
  const onScreen = Object.entries(screen).map(([id, run]) => [id, { run }]);
  const actions: Actions = {
    ...(Object.fromEntries(onScreen) as Record<keyof ScreenActions, Action>),
    hang: { run: screen.hang, isPossible: () => selected().some(({ element }) => element === 'image') },
    undo: { run: () => document.undo(), isPossible: () => document.canUndo },
    redo: { run: () => document.redo(), isPossible: () => document.canRedo },
    copy: { run: () => copyByMenu('copy'), isPossible: isSelected },
    cut: { run: () => copyByMenu('cut'), isPossible: isSelected },
    paste: { run: () => void pasteByMenu(editor, {}) },
    pasteInPlace: { run: () => void pasteByMenu(editor, { isSame: true }) },
    duplicate: { run: () => void duplicate(editor, selected()), isPossible: isSelected },
    remove: {
      run: () => void (isOne() ? removeElement(editor, one()!) : removeSelected(editor)),
      isPossible: isSelected,
    },
    hide: {
      run: () => (isOne() ? void hideElement(editor, one()!) : setSelected(editor, { hidden: true })),
      isPossible: isSelected,
    },
    selectAll: { run: () => selectAll(editor) },
    selectSame: { run: () => selectSameType(editor), isPossible: isSelected },
    invert: { run: () => invertSelection(editor) },
    group: { run: () => void groupSelected(editor), isPossible: isSelected },
    ungroup: {
      run: () => ungroupSelected(editor),
      isPossible: () => selected().some(({ element }) => element === 'group'),
    },
    saveBlock: { run: () => void dispatchEvent(new Event(SAVE_BLOCK_EVENT)), isPossible: isSelected },
    rename: { run: () => void dispatchEvent(new Event(RENAME_EVENT)), isPossible: isSelected },
    search: { run: () => void dispatchEvent(new Event(SEARCH_EVENT)) },
    move: { run: () => store.send({ type: 'mode.set', mode: 'translate' }) },
    scale: { run: () => store.send({ type: 'mode.set', mode: 'scale' }) },
    rotate: { run: () => store.send({ type: 'mode.set', mode: 'rotate' }) },
    axes: { run: () => store.send({ type: 'space.toggle' }) },
    snap: { run: () => store.send({ type: 'snap.toggle' }) },
    frame: { run: () => store.tools?.frameSelected() },
    front: { run: () => look('front') },
    side: { run: () => look('side') },
    top: { run: () => look('top') },
    projection: { run: () => store.toggleProjection() },
    measure: { run: () => store.toggleMeasure() },
    goToPoint: { run: () => goToViewPoint(document, viewPoint()!), isPossible: isViewPoint },
    setPoint: { run: () => setViewPoint(document, viewPoint()!), isPossible: isViewPoint },
    goToStart: { run: () => goToStart(document) },
    setStart: { run: () => setStart(document) },
    grid: { run: () => store.toggleGrid() },
  };
  return guarded(actions, editor);
}
