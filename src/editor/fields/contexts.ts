import { createContext, useContext } from 'react';
import type { ElementType } from '../../../engine/document/element.ts';
import type { DraftStore } from './draft-store.ts';

export const SubjectContext = createContext<ElementType | 'room'>('room');

/** Whose schema the fields of a form go by. */
export const useSubjectType = (): ElementType | 'room' => useContext(SubjectContext);

export const DraftContext = createContext<DraftStore | null>(null);

/** The draft that the fields of a form edit. */
export function useDraft(): DraftStore {
  const draft = useContext(DraftContext);
  if (!draft) throw new Error('There is no draft above this field.');
  return draft;
}
