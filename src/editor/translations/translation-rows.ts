import type { Room } from '../../../engine/document/room.ts';
import { keyOf, type Translation } from '../../../engine/document/translation-fields.ts';
import { stateOf, TRANSLATION_STATES, type TranslationState } from '../../../engine/document/translation-state.ts';
import { type SourceText, sourceTexts, textKey, translationsOf } from '../../../engine/document/translations.ts';
import { byId } from '../../../engine/document/tree.ts';

/** A text of the space, and its translation. */
export interface TranslationRow extends SourceText {
  key: string;
  translation: Translation | undefined;
  state: TranslationState;
}

/** All texts of a space with their translations into a language. */
export function rowsOf(room: Room, language: string): TranslationRow[] {
  const elements = byId(room.elements);
  return sourceTexts(room).map((source) => {
    const thing = source.id === null ? room : elements.get(source.id);
    const translation = translationsOf(thing)[keyOf(language, source.path)];
    return { ...source, key: textKey(source), translation, state: stateOf(translation, source.text) };
  });
}

/** Number of rows by state. */
export const countStates = (rows: readonly TranslationRow[]): Record<TranslationState, number> =>
  Object.fromEntries(
    TRANSLATION_STATES.map((state) => [state, rows.filter((row) => row.state === state).length]),
  ) as Record<TranslationState, number>;
