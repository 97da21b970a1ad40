import type { Column } from '../io/read-items.ts';

/** Columns of a table of templates. */
export const TEMPLATE_COLUMNS: Record<string, Column> = {
  name: 'text',
  description: 'text',
  model_type: 'text',
  hotspot_style: 'text',
  font_color: 'text',
  width: 'number',
  height: 'number',
  depth: 'number',
};
