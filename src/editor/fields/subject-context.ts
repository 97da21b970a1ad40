import { createContext, useContext } from 'react';
import type { ElementType } from '../../../engine/document/element.ts';

export const SubjectContext = createContext<ElementType | 'room'>('room');

/** Whose schema the fields of a form go by. */
export const useSubjectType = (): ElementType | 'room' => useContext(SubjectContext);
