import { observable, runInAction } from 'mobx';
import { latinKey } from '../../../engine/stage/interaction/typing.ts';
import { say } from '../../ui/language/say.ts';
import { storedText } from '../../ui/storage.ts';

export const PRESETS = { enfilade: 'Enfilade', unity: 'Unity', blender: 'Blender' } as const;
export type Preset = keyof typeof PRESETS;

/** Keys of an action, by preset if they differ, such as `Ctrl+Shift+Z`. Ctrl means Cmd on a Mac. */
type Keys = readonly string[] | Readonly<Record<Preset, readonly string[]>>;

interface Row {
  title: string;
  group: 'Editing' | 'Element' | 'View';
  keys: Keys;
  /** Whether another listener handles the key: the browser for the clipboard, or the canvas for held keys. */
  isHeardElsewhere?: boolean;
}

/** All shortcuts. The key sheet, the palette, the menus and the key handlers use this table. */
export const SHORTCUTS = {
  undo: { title: 'Undo', group: 'Editing', keys: ['Ctrl+Z'] },
  redo: { title: 'Redo', group: 'Editing', keys: ['Ctrl+Shift+Z', 'Ctrl+Y'] },
  copy: { title: 'Copy', group: 'Editing', keys: ['Ctrl+C'], isHeardElsewhere: true },
  cut: { title: 'Cut', group: 'Editing', keys: ['Ctrl+X'], isHeardElsewhere: true },
  paste: { title: 'Paste', group: 'Editing', keys: ['Ctrl+V'], isHeardElsewhere: true },
  pasteInPlace: { title: 'Paste in place', group: 'Editing', keys: ['Ctrl+Shift+V'], isHeardElsewhere: true },
  duplicate: {
    title: 'Duplicate',
    group: 'Editing',
    keys: { enfilade: ['Ctrl+D'], unity: ['Ctrl+D'], blender: ['Shift+D', 'Ctrl+D'] },
  },
  duplicateByDrag: { title: 'Duplicate by dragging', group: 'Editing', keys: ['Alt drag'], isHeardElsewhere: true },
  remove: {
    title: 'Remove',
    group: 'Editing',
    keys: { enfilade: ['Delete', 'Backspace'], unity: ['Delete', 'Backspace'], blender: ['X', 'Delete', 'Backspace'] },
  },
  rename: { title: 'Rename', group: 'Editing', keys: ['F2'] },
  hide: { title: 'Hide', group: 'Editing', keys: ['H'] },
  save: { title: 'Save and close the edit window', group: 'Editing', keys: ['Ctrl+S'], isHeardElsewhere: true },
  deselect: { title: 'Deselect; what was typed is kept', group: 'Editing', keys: ['Esc'], isHeardElsewhere: true },
  add: {
    title: 'Add an item',
    group: 'Editing',
    keys: { enfilade: ['A'], unity: ['Ctrl+Shift+N', 'A'], blender: ['Shift+A'] },
  },
  selectMore: {
    title: 'Select one more, or one less; in the tree, all between',
    group: 'Editing',
    keys: ['Shift click'],
    isHeardElsewhere: true,
  },
  selectBox: { title: 'Select by drawing a box', group: 'Editing', keys: ['B', 'Shift drag'], isHeardElsewhere: true },
  selectAll: { title: 'Select all', group: 'Editing', keys: ['Ctrl+A'] },
  selectSame: { title: 'Select the same type', group: 'Editing', keys: ['Ctrl+Shift+A'] },
  invert: { title: 'Invert the selection', group: 'Editing', keys: ['Ctrl+I'] },
  group: { title: 'Group', group: 'Editing', keys: ['Ctrl+G'] },
  ungroup: { title: 'Ungroup', group: 'Editing', keys: ['Ctrl+Shift+G'] },
  saveBlock: { title: 'Save as block', group: 'Editing', keys: ['Ctrl+Alt+B'] },
  hang: { title: 'Hang on walls', group: 'Editing', keys: ['Shift+H'] },
  hangSheet: { title: 'Hang from a spreadsheet', group: 'Editing', keys: ['Alt+Shift+H'] },
  move: { title: 'Move', group: 'Element', keys: { enfilade: ['W'], unity: ['W'], blender: ['G'] } },
  scale: { title: 'Scale', group: 'Element', keys: { enfilade: ['E'], unity: ['R'], blender: ['S'] } },
  rotate: { title: 'Rotate', group: 'Element', keys: { enfilade: ['R'], unity: ['E'], blender: ['R'] } },
  axes: {
    title: 'Local or world axes',
    group: 'Element',
    keys: { enfilade: ['Q'], unity: ['Q', 'X'], blender: [',', 'Q'] },
  },
  snap: { title: 'Snap', group: 'Element', keys: { enfilade: ['S'], unity: ['S'], blender: ['Shift+S'] } },
  coarse: { title: 'Snap to 100 units', group: 'Element', keys: ['Shift'], isHeardElsewhere: true },
  nudge: { title: 'Move, rotate or scale by a step', group: 'Element', keys: ['Arrows'], isHeardElsewhere: true },
  switchAxes: {
    title: 'Switch axes',
    group: 'Element',
    keys: { enfilade: ['X', 'Y', 'Z'], unity: ['Y', 'Z'], blender: ['Y', 'Z'] },
    isHeardElsewhere: true,
  },
  handleSize: { title: 'Larger or smaller handles', group: 'Element', keys: ['+', '−'], isHeardElsewhere: true },
  handles: { title: 'Show or hide the handles', group: 'Element', keys: ['Space'], isHeardElsewhere: true },
  enterGroup: { title: 'Enter a group', group: 'Element', keys: ['Double click'], isHeardElsewhere: true },
  palette: { title: 'Do anything by its name', group: 'View', keys: ['Ctrl+K'] },
  search: { title: 'Search elements', group: 'View', keys: ['Ctrl+F', '/'] },
  replace: { title: 'Find and replace texts', group: 'View', keys: ['Ctrl+H', 'Ctrl+Alt+F'] },
  texts: { title: 'All texts in a table', group: 'View', keys: ['T'] },
  translations: { title: 'Translations', group: 'View', keys: ['Shift+T'] },
  frame: { title: 'Frame the selection', group: 'View', keys: { enfilade: ['F'], unity: ['F'], blender: ['.', 'F'] } },
  front: { title: 'Look from the front', group: 'View', keys: ['Alt+1', 'Num1'] },
  side: { title: 'Look from the side', group: 'View', keys: ['Alt+3', 'Num3'] },
  top: { title: 'Look from above', group: 'View', keys: ['Alt+7', 'Num7'] },
  projection: { title: 'Orthographic or perspective', group: 'View', keys: ['Alt+5', 'Num5'] },
  bookmarkGo: { title: 'Go to a camera bookmark', group: 'View', keys: ['1…9'], isHeardElsewhere: true },
  bookmarkKeep: { title: 'Save a camera bookmark', group: 'View', keys: ['Ctrl+1…9'], isHeardElsewhere: true },
  goToPoint: { title: 'View point: go there', group: 'View', keys: ['Shift+F'] },
  setPoint: { title: 'View point: set from current view', group: 'View', keys: ['Ctrl+Shift+F'] },
  goToStart: { title: 'Start camera: go there', group: 'View', keys: ['Alt+0', 'Num0'] },
  setStart: { title: 'Start camera: set from current view', group: 'View', keys: ['Ctrl+Alt+0'] },
  measure: { title: 'Measure a distance', group: 'View', keys: ['M'] },
  grid: { title: 'Grid', group: 'View', keys: { enfilade: ['G'], unity: ['G'], blender: ['Shift+G'] } },
  panels: { title: 'Hide panels', group: 'View', keys: ['N'] },
  preview: { title: 'Preview', group: 'View', keys: ['P'] },
  settings: { title: 'Room settings', group: 'View', keys: ['O'] },
  publish: { title: 'Publish', group: 'View', keys: ['Shift+P'] },
  revisions: { title: 'Revisions', group: 'View', keys: ['V'] },
  check: { title: 'Check', group: 'View', keys: ['C'] },
  history: { title: 'Changes by everybody', group: 'View', keys: ['Shift+V'] },
  sheet: { title: 'Keys', group: 'View', keys: ['?'] },
} as const satisfies Record<string, Row>;

export type ShortcutId = keyof typeof SHORTCUTS;

export const ROWS: readonly (Row & { id: ShortcutId })[] = Object.entries(SHORTCUTS).map(([id, row]) => ({
  ...(row as Row),
  id: id as ShortcutId,
}));

const isSame = (keys: Keys): keys is readonly string[] => Array.isArray(keys);

/** Keys of an action in a preset, the main one first. */
export function keysOf(id: ShortcutId, preset: Preset): readonly string[] {
  const { keys } = SHORTCUTS[id] as Row;
  return isSame(keys) ? keys : keys[preset];
}

/** The action of a key in a preset; undefined if there is none. */
export const shortcutAt = (key: string, preset: Preset): ShortcutId | undefined =>
  ROWS.find((row) => !row.isHeardElsewhere && keysOf(row.id, preset).includes(key))?.id;

/** Name of a key in the table. Shift is omitted for signs that need it only on some keyboard layouts. */
export function keyOf(event: KeyboardEvent): string {
  const { code, ctrlKey, metaKey, altKey, shiftKey } = event;
  const key = latinKey(event);
  const digit = /^(Digit|Numpad)(\d)$/.exec(code);
  // Keypad digits have names of their own; with Alt, some layouts produce other characters for digits.
  const named = digit && (digit[1] === 'Numpad' ? `Num${digit[2]}` : altKey ? digit[2] : undefined);
  const name = named ?? (key.length === 1 ? key.toUpperCase() : key);
  const isSign = !named && key.length === 1 && !/[\p{L}\p{N}]/u.test(key);
  const parts = [(ctrlKey || metaKey) && 'Ctrl', altKey && 'Alt', shiftKey && !isSign && 'Shift', name];
  return parts.filter(Boolean).join('+');
}

/** Display text of a key. @param isMac whether to show Cmd instead of Ctrl */
export const keyText = (key: string, isMac: boolean): string =>
  isMac
    ? key.replace('Num', 'Num ').replace('Ctrl+', '⌘').replace('Shift+', '⇧').replace('Alt+', '⌥')
    : key
        .replace('Num', 'Num ')
        .replace('Ctrl', say('Ctrl'))
        .replace('Alt', say('Alt'))
        .replace('Shift', say('Shift'))
        .replaceAll('+', ' ')
        .trim() || '+';

const stored = storedText('enfilade.editor-keys');
const isPreset = (text: string | null): text is Preset => text !== null && text in PRESETS;
const initial = stored.get();
const state = observable.object<{ preset: Preset }>({ preset: isPreset(initial) ? initial : 'enfilade' });

/** The preset of this browser (observed). */
export const currentPreset = (): Preset => state.preset;

/** Sets the preset of this browser. */
export function setPreset(preset: Preset): void {
  stored.set(preset);
  runInAction(() => (state.preset = preset));
}

export const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent);

/** Display text of an action's main key (observed). */
export const usualKey = (id: ShortcutId): string => keyText(keysOf(id, currentPreset())[0] ?? '', isMac);
