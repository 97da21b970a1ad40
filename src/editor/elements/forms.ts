import type { Icon } from '@tabler/icons-react';
import type { ElementType } from '../../../engine/document/element.ts';
import type { ElementForm } from './parts/form.ts';

/** One form per element type, by file name. */
const forms = import.meta.glob<ElementForm>('./forms/*.tsx', { import: 'form', eager: true });

/** The form of an element type. @throws Error if its file is missing */
export function formOf(type: ElementType): ElementForm {
  const form = forms[`./forms/${type.replaceAll('_', '-')}.tsx`];
  if (!form) throw new Error(`The element type ${type} has no form.`);
  return form;
}

export const iconOf = (type: ElementType): Icon => formOf(type).icon;
