import type { Icon } from '@tabler/icons-react';
import { type ComponentType, createContext, useContext } from 'react';
import type { ElementType } from '../../../../engine/document/element.ts';

/** How an element type looks in the editor: a file of its name in `forms` exports one as `form`. */
export interface ElementForm {
  /** The picture of the type in the tree and among what can be added. */
  readonly icon: Icon;
  /** The tabs of its edit window, in their order, and what stands in each. */
  readonly tabs: Readonly<Record<string, ComponentType>>;
}

/** Finds the picture of a type, for forms that show other elements. */
export const IconsContext = createContext<((type: ElementType) => Icon) | null>(null);

/** @throws Error outside of an edit window */
export function useIcons(): (type: ElementType) => Icon {
  const iconOf = useContext(IconsContext);
  if (!iconOf) throw new Error('Icons are there in an edit window only.');
  return iconOf;
}
