import type { Icon } from '@tabler/icons-react';
import type { ElementType } from '../../../engine/document/element.ts';
import type { ElementForm } from './parts/form.ts';

/** A file of its name for each element type. */
const forms = import.meta.glob<ElementForm>('./forms/*.tsx', { import: 'form', eager: true });

/** The form of an element type. @throws Error where its file is missing */
export function formOf(type: ElementType): ElementForm {
  const form = forms[`./forms/${type.replaceAll('_', '-')}.tsx`];
  if (!form) throw new Error(`The element type ${type} has no form.`);
  return form;
}

export const iconOf = (type: ElementType): Icon => formOf(type).icon;
