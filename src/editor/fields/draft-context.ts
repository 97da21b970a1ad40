import { createContext, useContext } from 'react';
import type { DraftStore } from './draft-store.ts';

export const DraftContext = createContext<DraftStore | null>(null);

/** The draft that the fields of a form edit. */
export function useDraft(): DraftStore {
  const draft = useContext(DraftContext);
  if (!draft) throw new Error('There is no draft above this field.');
  return draft;
}
