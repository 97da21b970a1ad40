import type { Icon } from '@tabler/icons-react';
import { type ComponentType, createContext, useContext } from 'react';
import type { ElementType } from '../../../../engine/document/element.ts';

/** Appearance of an element type in the editor: its file in `forms` exports one as `form`. */
export interface ElementForm {
  /** Icon of the type in the tree and in the add dialog. */
  readonly icon: Icon;
  /** Tabs of the edit window in order, with their content. The names are translated where they are shown. */
  readonly tabs: Readonly<Record<string, ComponentType>>;
}

/** Provides the icons of types, for forms that show other elements. */
export const IconsContext = createContext<((type: ElementType) => Icon) | null>(null);

/** @throws Error outside of an edit window */
export function useIcons(): (type: ElementType) => Icon {
  const iconOf = useContext(IconsContext);
  if (!iconOf) throw new Error('Icons are there in an edit window only.');
  return iconOf;
}
