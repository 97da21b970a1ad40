import { createContext, useContext } from 'react';
import type { ElementType } from '../../../engine/document/element.ts';
import type { DraftStore } from './draft-store.ts';

export const SubjectContext = createContext<ElementType | 'room'>('room');

/** Type of the subject, whose schema defines the form's fields. */
export const useSubjectType = (): ElementType | 'room' => useContext(SubjectContext);

export const DraftContext = createContext<DraftStore | null>(null);

export function useDraft(): DraftStore {
  const draft = useContext(DraftContext);
  if (!draft) throw new Error('There is no draft above this field.');
  return draft;
}
