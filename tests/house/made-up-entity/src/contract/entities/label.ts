import { z } from 'zod';
import { hexColor, id, line } from '../../../engine/document/fields.ts';
import { stamp } from './stamp.ts';

/** Labels of an organization. */
export const MAX_LABELS = 100;

export const labelSchema = z.object({
  id: id.describe('Id of the label.'),
  name: line(120).min(1, 'Enter a name.').describe('Name of the label.'),
  color: hexColor.describe('Color of the label.'),
  note: z.string().max(1000).default('').describe('Note for other users.'),
  updated_at: stamp,
});
export type Label = z.output<typeof labelSchema>;
