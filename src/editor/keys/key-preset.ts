import { observable, runInAction } from 'mobx';
import { storedText } from '../../ui/storage.ts';
import { keysOf, keyText, PRESETS, type Preset, type ShortcutId } from './shortcuts.ts';

const kept = storedText('enfilade.editor-keys');
const isPreset = (text: string | null): text is Preset => text !== null && text in PRESETS;
const initial = kept.get();
const state = observable.object<{ preset: Preset }>({ preset: isPreset(initial) ? initial : 'enfilade' });

/** Whose keys are used in this browser (observed). */
export const currentPreset = (): Preset => state.preset;

/** Uses the keys of another program, here and from now on. */
export function setPreset(preset: Preset): void {
  kept.set(preset);
  runInAction(() => (state.preset = preset));
}

export const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent);

/** The usual key of an action, as it is written beside its name (observed). */
export const usualKey = (id: ShortcutId): string => keyText(keysOf(id, currentPreset())[0] ?? '', isMac);
